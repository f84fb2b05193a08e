/** Positions as they are set up: FEN in and out, and what a click does. */
import { describe, expect, it } from "vitest";
import { fixture, GAMES } from "../board/fixtures.ts";
import { movePiece, togglePiece, readFen, readStart, swapColor, removePiece, writeFen } from "./setup.ts";

describe("the board editor's position", () => {
  it.each(GAMES)("survives a round trip through FEN for %s", (name) => {
    const { board, state } = fixture(name);
    expect(writeFen(board, readFen(board, state.fen))).toBe(state.fen);
  });

  it("starts from a FEN; the text field keeps one in another form", () => {
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

  it("adds, removes and moves pieces, and swaps their color", () => {
    const king = { square: 3, role: "king", color: "white" } as const;
    const black = { ...king, color: "black" } as const;
    expect(togglePiece([], king)).toEqual([king]);
    expect(togglePiece([king], king)).toEqual([]);
    expect(togglePiece([king], black)).toEqual([black]);
    expect(swapColor([king], 3)).toEqual([black]);
    expect(movePiece([king, { ...black, square: 5 }], 3, 5)).toEqual([{ ...king, square: 5 }]);
    expect(movePiece([king], 3, null)).toEqual([]);
    expect(removePiece([king], 3)).toEqual([]);
  });
});
