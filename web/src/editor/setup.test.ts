/** Positions as they are set up: FEN in and out, and what a click does. */
import { describe, expect, it } from "vitest";
import { fixture, GAMES } from "../board/fixtures.ts";
import { move, put, readFen, readStart, swap, take, writeFen } from "./setup.ts";

describe("a setup", () => {
  it.each(GAMES)("of %s is written as it was read", (name) => {
    const { board, state } = fixture(name);
    expect(writeFen(board, readFen(board, state.fen))).toBe(state.fen);
  });

  it("begins with a FEN; one that is written otherwise stays a text, beside the start", () => {
    const { board, state } = fixture("diamond");
    const start = readFen(board, state.fen);
    for (const missing of [null, undefined, ""]) {
      expect(readStart(board, missing, state.fen)).toEqual({ setup: start, text: null });
    }
    const other = writeFen(board, { ...start, turn: "black" });
    expect(readStart(board, other, state.fen)).toEqual({ setup: readFen(board, other), text: null });
    for (const text of ["bad", "*", state.fen.replace(" 0 1", "")]) {
      expect(readStart(board, text, state.fen)).toEqual({ setup: start, text });
    }
  });

  it("takes pieces on and off, moves them and gives them to the other side", () => {
    const king = { square: 3, role: "king", color: "white" } as const;
    const black = { ...king, color: "black" } as const;
    expect(put([], king)).toEqual([king]);
    expect(put([king], king)).toEqual([]);
    expect(put([king], black)).toEqual([black]);
    expect(swap([king], 3)).toEqual([black]);
    expect(move([king, { ...black, square: 5 }], 3, 5)).toEqual([{ ...king, square: 5 }]);
    expect(move([king], 3, null)).toEqual([]);
    expect(take([king], 3)).toEqual([]);
  });
});
