import { describe, expect, it } from "vitest";
import { balance, captured } from "./material.ts";
import type { Game, HistoryEntry, Piece } from "./record.ts";
import { game } from "./samples.ts";

const piece = (square: number, color: "white" | "black", role = "pawn"): Piece => ({ square, color, role });

/** A game of these positions; `to` is where each half move ends. */
function played(start: Piece[], positions: [to: number, pieces: Piece[]][]): Game {
  const history = positions.map(([to, pieces]) => ({ men: pieces, last: [0, to] }) as unknown as HistoryEntry);
  const sample = game();
  const [, pieces = start] = positions.at(-1) ?? [];
  return { ...sample, start_men: start, history, state: { ...sample.state, ply: history.length, men: pieces } };
}

describe("captured pieces", () => {
  it("are counted up to the viewed position, including en passant", () => {
    const start = [piece(1, "white"), piece(5, "black", "rook"), piece(6, "black"), piece(7, "white", "king")];
    const first = [piece(5, "white"), piece(6, "black"), piece(7, "white", "king")];
    // The pawn on 6 is taken by a pawn that arrives on 8.
    const second = [piece(8, "white"), piece(7, "white", "king")];
    const sample = played(start, [
      [5, first],
      [8, second],
    ]);
    expect(captured(sample, "white", 1).map(({ role }) => role)).toEqual(["rook"]);
    expect(captured(sample, "white", 2).map(({ role }) => role)).toEqual(["rook", "pawn"]);
    expect(captured(sample, "white", 0)).toEqual([]);
    expect(captured(sample, "black", 2)).toEqual([]);
  });

  it("do not include pieces that fuse with others of their side", () => {
    const start = [piece(1, "white", "rook"), piece(2, "white", "knight"), piece(9, "black", "king")];
    const joined = [piece(2, "white", "marshall"), piece(9, "black", "king")];
    const sample = played(start, [[2, joined]]);
    expect(captured(sample, "white", 1)).toEqual([]);
    expect(captured(sample, "black", 1)).toEqual([]);
  });

  it("are weighed with the engine's piece values", () => {
    const start = [piece(1, "white", "rook"), piece(2, "black", "pawn")];
    const value = (role: string): number => (role === "rook" ? 480 : 90);
    expect(balance(played(start, []), "white", 0, value)).toBe(4);
    expect(balance(played(start, []), "black", 0, value)).toBe(-4);
  });
});
