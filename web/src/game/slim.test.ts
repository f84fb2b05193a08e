/** Changes told in few words are the same as those told at length. */
import { describe, expect, it } from "vitest";
import { fixture, GAMES } from "../board/fixtures.ts";
import { piecesOf, whole } from "./slim.ts";
import { game } from "./samples.ts";

describe("the pieces of a FEN", () => {
  it.each(GAMES)("are those that the server tells: %s", (name) => {
    const { board, state } = fixture(name);
    expect(piecesOf(board, state.fen)).toEqual(state.men);
  });
});

describe("a change told in few words", () => {
  it("is a state with everything in it", () => {
    const { board, state } = fixture("diamondring");
    const full = game().state;
    const { seq, ply, turn, status, present, moves } = full;
    const told = whole(board, {
      type: "change",
      move: { uci: "a1a2", san: "Ka2", at: 7 },
      state: { seq, ply, fen: state.fen, turn, status, present, moves, last: [1, 2], check: 3 },
    });
    expect(told.state).toEqual({ ...full, fen: state.fen, men: state.men, last: [1, 2], check: 3 });
    const { fen, men } = state;
    expect(told.move).toEqual({ uci: "a1a2", san: "Ka2", at: 7, fen, men, last: [1, 2], check: 3 });
    expect("next" in told).toBe(false);
  });

  it("without legal moves has none", () => {
    const { board, state } = fixture("diamond");
    const { seq, ply, turn, present } = game().state;
    const told = whole(board, {
      type: "change",
      move: null,
      state: { seq, ply, fen: state.fen, turn, present, status: "finished", result: "1-0", reason: "checkmate" },
      next: "y",
    });
    expect([told.move, told.state.moves, told.state.result, told.next]).toEqual([null, [], "1-0", "y"]);
  });
});
