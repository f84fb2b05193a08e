import { describe, expect, it } from "vitest";
import { fixture, GAMES, squareNamed, plane } from "./fixtures.ts";
import { initialFocus, keyStep, squareByKey } from "./keyboard.ts";
import type { ViewName } from "./types.ts";

const { board } = fixture("diamondback");
const square = (name: string): number => squareNamed(board, name);

describe("arrow keys", () => {
  it("move in their direction in the square view", () => {
    const shownPlane = plane(board);
    expect(board.squares[squareByKey(shownPlane, square("d4"), "ArrowUp")]?.name).toBe("d5");
    expect(board.squares[squareByKey(shownPlane, square("d4"), "ArrowLeft")]?.name).toBe("c4");
    expect(board.squares[squareByKey(shownPlane, square("d4"), "PageUp")]?.name).toBe("e5");
    expect(squareByKey(shownPlane, square("d8"), "ArrowUp")).toBe(square("d8"));
    expect(keyStep(shownPlane, "x")).toBeNull();
  });

  it("move in their direction on a turned board", () => {
    const { board } = fixture("diamondring-four");
    const keys = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];
    const reached = (turns: number): (string | undefined)[] =>
      keys.map((key) => board.squares[squareByKey(plane(board, { turns }), squareNamed(board, "f6"), key)]?.name);
    expect(reached(0)).toEqual(["f7", "g6", "f5", "e6"]);
    // Blue sits on the left: up is toward the middle.
    expect(reached(1)).toEqual(["g6", "f5", "e6", "f7"]);
    expect(reached(2)).toEqual(["f5", "e6", "f7", "g6"]);
    expect(reached(3)).toEqual(["e6", "f7", "g6", "f5"]);
  });

  it("are rotated left by 45 degrees in the diamond view", () => {
    const shownPlane = plane(board, { view: "diamond" });
    expect(board.squares[squareByKey(shownPlane, square("d4"), "ArrowUp")]?.name).toBe("d5");
    expect(board.squares[squareByKey(shownPlane, square("d4"), "ArrowRight")]?.name).toBe("e4");
    const black = plane(board, { view: "diamond", turns: 2 });
    expect(board.squares[squareByKey(black, square("d4"), "ArrowUp")]?.name).toBe("d3");
  });

  it("reach all six neighbors of a hexagon", () => {
    const { board } = fixture("glinski");
    const keys = ["ArrowUp", "PageUp", "PageDown", "ArrowDown", "End", "Home"];
    const reached = (turns: number): (string | undefined)[] =>
      keys.map((key) => board.squares[squareByKey(plane(board, { view: "diamond", turns }), squareNamed(board, "f6"), key)]?.name);
    expect(reached(0)).toEqual(["g7", "g6", "f5", "e5", "e6", "f7"]);
    expect(reached(2)).toEqual(["e5", "e6", "f7", "g7", "g6", "f5"]);
  });

  it("cross joined edges and holes", () => {
    const ring = fixture("diamondring").board;
    expect(ring.squares[squareByKey(plane(ring), squareNamed(ring, "l12"), "ArrowUp")]?.name).toBe("l1");
    const diamond = fixture("diamond").board;
    expect(diamond.squares[squareByKey(plane(diamond), squareNamed(diamond, "e4"), "ArrowUp")]?.name).toBe("e6");
  });

  it.each(GAMES)("reach every square of %s in both views", (name) => {
    const board = fixture(name).board;
    for (const view of ["diamond", "square"] as ViewName[]) {
      const shownPlane = plane(board, { view });
      const reached = new Set([0]);
      for (const at of reached) {
        for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"])
          reached.add(squareByKey(shownPlane, at, key));
      }
      expect(reached.size).toBe(board.squares.length);
    }
  });
});

describe("the first focus", () => {
  it("is on the player's King", () => {
    const { board, state } = fixture("diamondring-four");
    const focused = (["green", "blue", "none"] as const).map((movable) => initialFocus(board, state.pieces, movable));
    expect(focused.map((square) => board.squares[square]?.name)).toEqual(["l6", "a7", "g1"]);
  });
});
