import { describe, expect, it } from "vitest";
import { balance, captured } from "./material.ts";
import type { Game, HistoryEntry, Man } from "./record.ts";
import { game } from "./samples.ts";

const man = (square: number, color: "white" | "black", role = "pawn"): Man => ({ square, color, role });

/** A game of these positions; `to` is where each half move ends. */
function played(start: Man[], positions: [to: number, men: Man[]][]): Game {
  const history = positions.map(([to, men]) => ({ men, last: [0, to] }) as unknown as HistoryEntry);
  const sample = game();
  const [, men = start] = positions.at(-1) ?? [];
  return { ...sample, start_men: start, history, state: { ...sample.state, ply: history.length, men } };
}

describe("captured pieces", () => {
  it("are counted up to the position that is looked at, en passant too", () => {
    const start = [man(1, "white"), man(5, "black", "rook"), man(6, "black"), man(7, "white", "king")];
    const first = [man(5, "white"), man(6, "black"), man(7, "white", "king")];
    // The pawn on 6 is taken by a pawn that arrives on 8.
    const second = [man(8, "white"), man(7, "white", "king")];
    const found = played(start, [
      [5, first],
      [8, second],
    ]);
    expect(captured(found, "white", 1).map(({ role }) => role)).toEqual(["rook"]);
    expect(captured(found, "white", 2).map(({ role }) => role)).toEqual(["rook", "pawn"]);
    expect(captured(found, "white", 0)).toEqual([]);
    expect(captured(found, "black", 2)).toEqual([]);
  });

  it("are not pieces that join others of their own", () => {
    const start = [man(1, "white", "rook"), man(2, "white", "knight"), man(9, "black", "king")];
    const joined = [man(2, "white", "marshall"), man(9, "black", "king")];
    const found = played(start, [[2, joined]]);
    expect(captured(found, "white", 1)).toEqual([]);
    expect(captured(found, "black", 1)).toEqual([]);
  });

  it("weigh what the engine says", () => {
    const start = [man(1, "white", "rook"), man(2, "black", "pawn")];
    const value = (role: string): number => (role === "rook" ? 480 : 90);
    expect(balance(played(start, []), "white", 0, value)).toBe(4);
    expect(balance(played(start, []), "black", 0, value)).toBe(-4);
  });
});
