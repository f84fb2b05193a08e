import { describe, expect, it } from "vitest";
import { fixture, GAMES, named, plane } from "./fixtures.ts";
import { keyStep, squareByKey } from "./keyboard.ts";
import type { ViewName } from "./types.ts";

const { board } = fixture("diamondback");
const square = (name: string): number => named(board, name);

describe("keys", () => {
  it("follow their direction in the square view", () => {
    const seen = plane(board);
    expect(board.squares[squareByKey(seen, square("d4"), "ArrowUp")]?.name).toBe("d5");
    expect(board.squares[squareByKey(seen, square("d4"), "ArrowLeft")]?.name).toBe("c4");
    expect(board.squares[squareByKey(seen, square("d4"), "PageUp")]?.name).toBe("e5");
    expect(squareByKey(seen, square("d8"), "ArrowUp")).toBe(square("d8"));
    expect(keyStep(seen, "x")).toBeNull();
  });

  it("are turned left by 45 degrees in the diamond view", () => {
    const seen = plane(board, { view: "diamond" });
    expect(board.squares[squareByKey(seen, square("d4"), "ArrowUp")]?.name).toBe("d5");
    expect(board.squares[squareByKey(seen, square("d4"), "ArrowRight")]?.name).toBe("e4");
    const black = plane(board, { view: "diamond", flipped: true });
    expect(board.squares[squareByKey(black, square("d4"), "ArrowUp")]?.name).toBe("d3");
  });

  it("cross joined edges and holes", () => {
    const ring = fixture("diamondring").board;
    expect(ring.squares[squareByKey(plane(ring), named(ring, "l12"), "ArrowUp")]?.name).toBe("l1");
    const diamond = fixture("diamond").board;
    expect(diamond.squares[squareByKey(plane(diamond), named(diamond, "e4"), "ArrowUp")]?.name).toBe("e6");
  });

  it.each(GAMES)("reach every square of %s in both views", (name) => {
    const every = fixture(name).board;
    for (const view of ["diamond", "square"] as ViewName[]) {
      const seen = plane(every, { view });
      const reached = new Set([0]);
      for (const at of reached) {
        for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"])
          reached.add(squareByKey(seen, at, key));
      }
      expect(reached.size).toBe(every.squares.length);
    }
  });
});
