/** The page's texts about a game that its board cannot show, and about limits. */
import { describe, expect, it } from "vitest";
import { MAX_PGN, MAX_STUDY_PGN } from "../common/api.ts";
import { ENGLISH as STUDY } from "../study/texts.ts";
import { otherStart } from "./share.tsx";
import { ENGLISH } from "./texts.ts";
import type { WireTree } from "./tree.ts";

const tree = (variant: string, digest: string, name?: string): WireTree => ({
  variant,
  digest,
  fen: "start",
  tags: name === undefined ? [] : [{ name: "Variant", value: name }],
  nodes: [],
});
const GAMES = [["diamond", "Diamond Chess"], ["diagonal", "Diagonal Chess"]] as const;
const board = tree("diamond", "d1");

describe("a game that is read for another board", () => {
  it.each([
    [tree("diamond", "d1"), "This game begins from another position."],
    [tree("diagonal", "d2"), "This is a game of Diagonal Chess."],
    [tree("~tower", "d3", "Tower Chess"), "This is a game of Tower Chess."],
    [tree("~tower", "d3"), "This game has other rules."],
    [tree("diamond", "d4", "Diamond Chess"), "This game has other rules."],
  ])("is named by what differs", (read, text) => {
    expect(otherStart(board, read, GAMES)).toBe(`${text} Open it on a board of its own?`);
  });
});

describe("the label of a field for PGN", () => {
  it("names the limit that the page checks", () => {
    expect(ENGLISH.pgn_read_label).toContain(`${MAX_PGN.toLocaleString("en")} bytes`);
    expect(STUDY.import_hint).toContain(`${MAX_STUDY_PGN.toLocaleString("en")} bytes`);
  });
});
