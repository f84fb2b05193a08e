/** The page's texts about a game that its board cannot show, and about limits. */
import { describe, expect, it } from "vitest";
import { MAX_PGN, MAX_STUDY_PGN } from "../common/api.ts";
import { ENGLISH as STUDY } from "../study/texts.ts";
import { mismatchText } from "./share.tsx";
import { ENGLISH } from "./texts.ts";
import type { WireTree } from "./tree.ts";

const tree = (variant: string, digest: string, name?: string): WireTree => ({
  variant,
  digest,
  fen: "start",
  tags: name === undefined ? [] : [{ name: "Variant", value: name }],
  nodes: [],
});
const GAMES = [{ id: "diamond", name: "Diamond Chess" }, { id: "diagonal", name: "Diagonal Chess" }];
const board = tree("diamond", "d1");

describe("a PGN that does not fit the board", () => {
  it.each([
    [tree("diamond", "d1"), "This game begins from another position."],
    [tree("diagonal", "d2"), "This is a game of Diagonal Chess."],
    [tree("~tower", "d3", "Tower Chess"), "This is a game of Tower Chess."],
    [tree("~tower", "d3"), "This game has other rules."],
    [tree("diamond", "d4", "Diamond Chess"), "This game has other rules."],
  ])("is rejected with the difference: other start, other game or other rules", (read, text) => {
    expect(mismatchText(board, read, GAMES)).toBe(`${text} Open it on a board of its own?`);
  });
});

describe("the label of the PGN field", () => {
  it("contains the limit that the page checks", () => {
    expect(ENGLISH.pgn_read_label).toContain(`${MAX_PGN.toLocaleString("en")} bytes`);
    expect(STUDY.import_hint).toContain(`${MAX_STUDY_PGN.toLocaleString("en")} bytes`);
  });
});
