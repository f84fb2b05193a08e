/** The pieces of a FEN, also around holes and with ranks of two digits. */
import { describe, expect, it } from "vitest";
import { fixture, GAMES, squareNamed } from "../board/fixtures.ts";
import { piecesOf, turnOf } from "./fen.ts";

describe("a FEN", () => {
  it.each([...GAMES, "castling", "cylinder", "fusion", "promotion", "diamondring-four", "fourplayerchess"])("places the pieces of %s on the same squares as the server", (name) => {
    const { board, state } = fixture(name);
    const sorted = (pieces: readonly { square: number }[]) => [...pieces].sort((one, two) => one.square - two.square);
    expect(sorted(piecesOf(board, state.fen))).toEqual(sorted(state.pieces));
  });

  it("gives the same array for the same text", () => {
    const { board, state } = fixture("diamond");
    expect(piecesOf(board, state.fen)).toBe(piecesOf(board, state.fen));
    expect(piecesOf(fixture("diamond").board, state.fen)).not.toBe(piecesOf(board, state.fen));
  });

  it("gives the side to move", () => {
    expect([turnOf("8/8 w - - 0 1"), turnOf("8/8 b - - 0 1")]).toEqual(["white", "black"]);
    const four = ["r - - 0 1 rbyg", "b - - 3 1 rbyg", "y - - 0 9 ry/bg", "g - - 0 12 rg/yb"];
    expect(four.map((rest) => turnOf(`8/8 ${rest}`))).toEqual(["red", "blue", "yellow", "green"]);
  });

  it("has dead pieces in games of four", () => {
    const { board } = fixture("diamondring-four");
    const [dead] = piecesOf(board, "2dR9/12/12/12/12/12/12/12/12/12/12/12 r - - 0 9 ry/bg");
    expect(dead).toEqual({ square: squareNamed(board, "c12"), role: "rook", color: "dead" });
  });
});
