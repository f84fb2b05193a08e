import { describe, expect, it } from "vitest";
import type { Board } from "../board/types.ts";
import { balance, captured } from "./material.ts";
import { entry, game } from "./samples.ts";

/** A board of one rank, with as much as material needs. */
const board = {
  files: 10,
  ranks: 1,
  squares: Array.from({ length: 10 }, (_, file) => ({ name: `${file}`, file, rank: 0, dark: false })),
  roles: [
    { id: "king", letter: "K", value: 0 },
    { id: "rook", letter: "R", value: 480 },
    { id: "knight", letter: "N", value: 300 },
    { id: "marshall", letter: "M", value: 800 },
    { id: "pawn", letter: "P", value: 90 },
  ],
} as unknown as Board;

/** A game of these positions; `to` is where each half move ends. */
const played = (start: string, positions: [to: number, placement: string][]) => {
  const moves = positions.map(([to, placement]) => entry({ uci: "move", fen: `${placement} w - - 0 1`, last: [0, to] }));
  return game({ start_fen: `${start} w - - 0 1`, moves, state: { fen: moves.at(-1)?.fen ?? `${start} w - - 0 1` } });
};

describe("captured pieces", () => {
  it("are counted up to the viewed position, including en passant", () => {
    // The pawn on 6 is taken by a pawn that arrives on 8.
    const sample = played("1P3rpK2", [
      [5, "5PpK2"],
      [8, "7KP1"],
    ]);
    expect(captured(board, sample, "white", 1).map(({ role }) => role)).toEqual(["rook"]);
    expect(captured(board, sample, "white", 2).map(({ role }) => role)).toEqual(["rook", "pawn"]);
    expect(captured(board, sample, "white", 0)).toEqual([]);
    expect(captured(board, sample, "black", 2)).toEqual([]);
  });

  it("do not include pieces that fuse with others of their side", () => {
    const sample = played("1RN6k", [[2, "2M6k"]]);
    expect(captured(board, sample, "white", 1)).toEqual([]);
    expect(captured(board, sample, "black", 1)).toEqual([]);
  });

  it("are weighed with the engine's piece values", () => {
    expect(balance(board, played("1Rp7", []), "white", 0)).toBe(4);
    expect(balance(board, played("1Rp7", []), "black", 0)).toBe(-4);
  });
});
