/** Positions as they are set up: FEN in and out, and what a click does. */
import { describe, expect, it } from "vitest";
import { fixture, GAMES } from "../board/fixtures.ts";
import { move, put, readFen, swap, take, writeFen } from "./setup.ts";

describe("a setup", () => {
  it.each(GAMES)("of %s is written as it was read", (name) => {
    const { board, state } = fixture(name);
    expect(writeFen(board, readFen(board, state.fen))).toBe(state.fen);
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
