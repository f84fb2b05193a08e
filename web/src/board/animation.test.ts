import { describe, expect, it } from "vitest";
import { comparePositions } from "./animation.ts";
import type { Piece } from "./types.ts";

describe("movements between two positions", () => {
  const piece = (at: number, role: string, color: Piece["color"] = "white"): Piece => ({ square: at, role, color });
  const distance = (a: number, b: number) => Math.abs(a - b);

  it("are matched from removed and added pieces", () => {
    const change = comparePositions([piece(1, "R"), piece(5, "P", "black")], [piece(5, "R")], [1, 5], distance);
    expect(change.pieces).toEqual([{ piece: piece(5, "R"), from: 1 }]);
    expect(change.removed).toEqual([piece(5, "P", "black")]);
  });

  it("match a promoted pawn with the new piece", () => {
    expect(comparePositions([piece(1, "P")], [piece(9, "Q")], [1, 9], distance).pieces).toEqual([
      { piece: piece(9, "Q"), from: 1 },
    ]);
  });

  it("use the nearest of several equal pieces", () => {
    const change = comparePositions([piece(1, "R"), piece(8, "R")], [piece(1, "R"), piece(6, "R")], [], distance);
    expect(change.pieces).toContainEqual({ piece: piece(6, "R"), from: 8 });
  });

  it("are two for castling", () => {
    const change = comparePositions([piece(0, "K"), piece(3, "R")], [piece(2, "K"), piece(1, "R")], [0, 2], distance);
    expect(change.pieces).toEqual([
      { piece: piece(2, "K"), from: 0 },
      { piece: piece(1, "R"), from: 3 },
    ]);
  });

  it("leave pieces in place whose player has gone out", () => {
    const change = comparePositions([piece(4, "N", "blue")], [piece(4, "N", "dead")], [], distance);
    expect(change).toEqual({ pieces: [{ piece: piece(4, "N", "dead"), from: 4 }], removed: [] });
  });

  it("have no source for a new piece", () => {
    expect(comparePositions([], [piece(4, "N")], [], distance).pieces).toEqual([{ piece: piece(4, "N"), from: null }]);
  });
});
