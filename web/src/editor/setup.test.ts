/** Positions as they are set up: FEN in and out, and what a click does. */
import { describe, expect, it } from "vitest";
import { fixture, GAMES } from "../board/fixtures.ts";
import { movePiece, pieceColorsOf, togglePiece, readFen, readStart, rightsOf, swapColor, removePiece, toggleOut, writeFen } from "./setup.ts";

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
    expect(swapColor([king], 3, ["white", "black"])).toEqual([black]);
    expect(movePiece([king, { ...black, square: 5 }], 3, 5)).toEqual([{ ...king, square: 5 }]);
    expect(movePiece([king], 3, null)).toEqual([]);
    expect(removePiece([king], 3)).toEqual([]);
  });

  it("has owners, the living and those who are out with more than two players", () => {
    const { board } = fixture("diamondring-four");
    const fen = "2yPyRyEyKyWyEyRyP2/12/12/12/12/bK11/dD11/12/11gK/12/12/6rK5 y - - 7 30 ryg/b";
    const setup = readFen(board, fen);
    expect([setup.turn, setup.out, setup.pieces.find(({ color }) => color === "dead")?.role]).toEqual(["yellow", ["blue"], expect.any(String)]);
    expect(writeFen(board, setup)).toBe(fen);
    expect(readStart(board, "12/12 x", fen).text).toBe("12/12 x");
    expect(pieceColorsOf(board)).toEqual(["red", "blue", "yellow", "green", "dead"]);
    expect(pieceColorsOf({ ...board, players: 3 }).length).toBe(4);
    // Yellow goes out: the King leaves, the others are dead, and Green is to move.
    const without = toggleOut(board, { ...setup, rights: "yKgQ" }, "yellow");
    expect(writeFen(board, without)).toBe("2dPdRdE1dWdEdRdP2/12/12/12/12/bK11/dD11/12/11gK/12/12/6rK5 g gQ - 7 30 rg/by");
    expect(toggleOut(board, without, "yellow").out).toEqual(["blue"]);
    expect(rightsOf(board, "yKgQ")).toEqual(["yK", "gQ"]);
    const [dead] = swapColor([{ square: 3, role: "king", color: "green" }], 3, pieceColorsOf(board));
    expect(dead?.color).toBe("dead");
  });
});
