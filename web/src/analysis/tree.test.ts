/** Trees: a sent tree reads back the same, merging loses nothing, and lines change places. */
import { describe, expect, it } from "vitest";
import { numberOf } from "./analysis.ts";
import { add, depthFirst, exitsAndPasses, follow, fork, fromWire, isMain, merge, pathOf, promote, remove, sibling, toWire, type TreeNode } from "./tree.ts";

const step = (uci: string) => ({ uci, san: uci.toUpperCase(), fen: `after ${uci}`, last: [], check: null });
const empty = { variant: "diamond", digest: "d", fen: "start", check: null, tags: [], notes: {}, nodes: [] };

function grow(...lines: string[]): TreeNode {
  const root = fromWire(empty);
  for (const line of lines) {
    let at = root;
    for (const uci of line.split(" ")) at = add(at, step(uci));
  }
  return root;
}

const paths = (root: TreeNode): string[] => depthFirst(root).map((node) => pathOf(node).join(" "));

describe("a tree", () => {
  it("survives a round trip through the wire format", () => {
    const root = grow("a b c", "a x", "y");
    follow(root, ["a", "x"]).comments = ["why"];
    const restored = fromWire(toWire(root, { variant: "diamond", digest: "d", tags: [] }));
    expect(paths(restored)).toEqual(["a", "a b", "a b c", "a x", "y"]);
    expect(follow(restored, ["a", "x"]).comments).toEqual(["why"]);
  });

  it("merges another tree without losing moves or notes", () => {
    const [one, other] = [grow("a b", "c"), grow("a d", "c e")];
    follow(one, ["a"]).comments = ["mine"];
    follow(other, ["a"]).comments = ["mine", "yours"];
    follow(other, ["a"]).clockMs = 5_000;
    merge(one, other);
    expect(follow(one, ["a"]).clockMs).toBe(5_000);
    expect(paths(one)).toEqual(["a", "a b", "a d", "c", "c e"]);
    expect(follow(one, ["a"]).comments).toEqual(["mine", "yours"]);
  });

  it("promotes a variation by one fork or to the main line", () => {
    const lines = ["a b", "c d", "c e"];
    const once = grow(...lines);
    promote(follow(once, ["c", "e"]), false);
    expect(paths(once)).toEqual(["a", "a b", "c", "c e", "c d"]);
    const all = grow(...lines);
    promote(follow(all, ["c", "e"]), true);
    expect(paths(all)).toEqual(["c", "c e", "c d", "a", "a b"]);
    expect(isMain(follow(all, ["c", "e"]))).toBe(true);
  });

  it("removes a move and all that follow", () => {
    const root = grow("a b c", "a x");
    expect(remove(follow(root, ["a", "b"]))).toBe(follow(root, ["a"]));
    expect(paths(root)).toEqual(["a", "a x"]);
  });

  it("can be navigated by forks and siblings", () => {
    const root = grow("a b c", "a x", "y");
    expect(pathOf(fork(root, 1))).toEqual(["a"]);
    expect(pathOf(fork(follow(root, ["a", "b", "c"]), -1))).toEqual(["a"]);
    expect(sibling(follow(root, ["a"]), 1).uci).toBe("y");
    expect(sibling(follow(root, ["y"]), 1).uci).toBe("y");
  });
});

describe("moves of four", () => {
  const fen = (mover: string, number: number, players: string): string => `12/12 ${mover} - - 0 ${number} ${players}`;
  const step = (uci: string, after: string) => ({ uci, san: uci, fen: after, last: [], check: null });
  const root = fromWire({ variant: "diamondring-four", digest: "", fen: fen("r", 1, "rbyg"), nodes: [] });
  const red = add(root, step("a1a2", fen("b", 1, "rbyg")));
  const blue = add(red, step("R", fen("y", 1, "ryg/b")));
  const yellow = add(blue, step("b1b2", fen("r", 2, "ry/bg")));
  const again = add(yellow, step("a2a3", fen("r", 3, "ry/bg")));

  it("have the numbers of their positions", () => {
    const numbers = [red, blue, yellow, again].map((node) => numberOf(root, node));
    expect(numbers.map(({ number }) => number)).toEqual([1, 1, 1, 2]);
    expect(numbers.map(({ isBlack }) => isBlack)).toEqual([false, true, true, false]);
  });

  it("lead to exits and passes", () => {
    expect(exitsAndPasses(red)).toEqual([]);
    expect(exitsAndPasses(blue)).toEqual([]);
    expect(exitsAndPasses(yellow)).toEqual([{ color: "green", isOut: true }]);
    expect(exitsAndPasses(again)).toEqual([{ color: "yellow", isOut: false }]);
  });
});
