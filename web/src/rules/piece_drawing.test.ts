import { describe, expect, it } from "vitest";
import { fixture, squareNamed } from "../board/fixtures.ts";
import { beginAround, opposite, spanAround } from "./piece_drawing.ts";

describe("the drawing of a piece", () => {
  it("shows all moves of a short-range piece, a part of others", () => {
    expect(spanAround([0, 0], [])).toBe(5.6);
    expect(spanAround([0, 0], [[1, 0], [0, -1]])).toBe(5.6);
    expect(spanAround([1, 1], [[4, 0], [-2, 2]])).toBeCloseTo(7.6);
    expect(spanAround([0, 0], [[11, 0]])).toBe(9.2);
  });

  it("has the piece in the middle of a board without edges", () => {
    const { board } = fixture("diamondring");
    expect(board.squares[opposite(board, squareNamed(board, "b12")) ?? -1]?.name).toBe("h6");
    const { board: cylinder } = fixture("cylinder");
    expect(cylinder.squares[opposite(cylinder, squareNamed(cylinder, "a3")) ?? -1]?.name).toBe("e3");
    const { board: diamond } = fixture("diamond");
    expect(opposite(diamond, 3)).toBeNull();
  });

  it("has the piece in its middle, but nothing beyond the board", () => {
    expect(beginAround(5, 6, [0, 10])).toBe(2);
    expect(beginAround(1, 6, [0, 10])).toBe(0);
    expect(beginAround(9, 6, [0, 10])).toBe(4);
    expect(beginAround(2, 6, [1, 4])).toBe(0);
  });
});
