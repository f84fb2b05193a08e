import { describe, expect, it } from "vitest";
import { fixture, GAMES, squareNamed, plane } from "./fixtures.ts";
import { keyStep, squareByKey } from "./keyboard.ts";
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

  it("are rotated left by 45 degrees in the diamond view", () => {
    const shownPlane = plane(board, { view: "diamond" });
    expect(board.squares[squareByKey(shownPlane, square("d4"), "ArrowUp")]?.name).toBe("d5");
    expect(board.squares[squareByKey(shownPlane, square("d4"), "ArrowRight")]?.name).toBe("e4");
    const black = plane(board, { view: "diamond", flipped: true });
    expect(board.squares[squareByKey(black, square("d4"), "ArrowUp")]?.name).toBe("d3");
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
