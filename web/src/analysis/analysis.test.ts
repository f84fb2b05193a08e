/** The analysis board: its tree after an import, and the error after a refused move. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Board } from "../board/types.ts";
import { Analysis, type Start } from "./analysis.ts";
import { depthFirst, lastOf, type WireTree } from "./tree.ts";

/** A tree of one line. */
const line = (moves: readonly string[], tags: WireTree["tags"] = []): WireTree => ({
  variant: "diamond",
  digest: "d",
  fen: "start",
  tags,
  nodes: moves.map((uci, index) => ({ parent: index === 0 ? null : index - 1, uci, san: uci, fen: `after ${uci}`, last: [] })),
});
const GAME = { id: "abcdefgh", players: ["Ann", "Bob"], result: "1-0", played_here: true } as unknown as NonNullable<Start["game"]>;

function setUp(moves: readonly string[], game: Start["game"] = null): Analysis {
  const start: Start = { variant_name: "Diamond Chess", tree: line(moves), at: [], playing: false, game };
  const analysis = new Analysis(start, {} as Board);
  analysis.node = lastOf(analysis.root);
  return analysis;
}

const played = ({ root }: Analysis): string[] => depthFirst(root).map(({ uci }) => uci);
const mainLine = (analysis: Analysis): string[] => {
  const main: string[] = [];
  for (let at = analysis.root.children[0]; at; at = at.children[0]) main.push(at.uci);
  return main;
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("document", { addEventListener: () => undefined, hidden: true, getElementById: () => null });
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("offline")));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("the error after a refused move", () => {
  it("is cleared by clearFault, which notifies subscribers", () => {
    const analysis = setUp([]);
    const listener = vi.fn();
    analysis.subscribe(listener);
    analysis.fault = "Qh9 is not a legal move here.";
    analysis.clearFault();
    expect(analysis.fault).toBeNull();
    expect(listener).toHaveBeenCalledOnce();
  });
});

describe("an imported game", () => {
  it("replaces the tree, and the board shows its starting position", () => {
    const analysis = setUp(["c4", "c6"]);
    analysis.tags = [{ name: "White", value: "Cid" }];
    analysis.importTree(line(["dd4", "Nd6", "ff4"], [{ name: "White", value: "Ann" }]));
    expect(played(analysis)).toEqual(["dd4", "Nd6", "ff4"]);
    expect(analysis.node).toBe(analysis.root);
    expect(analysis.serialize().tags).toEqual([{ name: "White", value: "Ann" }]);
    // The names of the game before are not those of a game without names.
    analysis.importTree(line(["c4"]));
    expect(analysis.serialize().tags).toEqual([]);
  });

  it("becomes variations in a game of the site", () => {
    const analysis = setUp(["c4", "c6"], GAME);
    analysis.importTree(line(["dd4", "Nd6"]));
    expect(mainLine(analysis)).toEqual(["c4", "c6"]);
    expect(played(analysis)).toEqual(["c4", "c6", "dd4", "Nd6"]);
  });
});
