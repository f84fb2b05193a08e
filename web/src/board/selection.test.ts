import { describe, expect, it } from "vitest";
import { Destinations } from "./destinations.ts";
import { fixture, squareNamed } from "./fixtures.ts";
import { Selection, type BoardState } from "./selection.ts";

const game = fixture("diamondback");
const { board, state } = game;
const square = (name: string): number => squareNamed(board, name);

function boardState(changes: Partial<BoardState> = {}): BoardState {
  return {
    pieces: new Map(state.pieces.map((piece) => [piece.square, piece])),
    destinations: new Destinations(board, state.moves, state.castlings),
    reach: state.reach,
    movable: "white",
    turn: null,
    premove: true,
    ...changes,
  };
}

describe("a selection", () => {
  it("allows moves only of the user's own pieces", () => {
    const selection = new Selection(boardState());
    expect(selection.movability(square("d4"))).toBe("move");
    expect(selection.movability(square("h5"))).toBe("none");
    // A piece without moves, and an empty square.
    expect(selection.movability(square("d1"))).toBe("none");
    expect(selection.movability(square("e4"))).toBe("none");
    expect(new Selection(boardState({ movable: "none" })).movability(square("d1"))).toBe("none");
  });

  it("places a diagram's piece anywhere, marks its legal moves", () => {
    const [from, to, distant] = [square("d4"), square("d5"), square("a8")];
    const allMoves = board.squares.filter(({ name }) => name !== "d4").map(({ name }) => `d4${name}`);
    const selection = new Selection(
      boardState({
        pieces: new Map([[from, { square: from, role: "king", color: "white" }]]),
        destinations: new Destinations(board, allMoves),
        reach: board.squares.map((_, number) => (number === from ? [to] : [])),
        placing: true,
        turn: "white",
      }),
    );
    expect(selection.clickIntent(distant)).toMatchObject({ kind: "move", from, to: distant });
    expect(selection.clickIntent(from)).toEqual({ kind: "select", square: null });
    expect(selection.targets(from)).toEqual({ quiet: [to], captures: [], own: [] });
    expect([selection.canReach(from, to), selection.canReach(from, distant)]).toEqual([true, false]);
  });

  it("does not premove on the user's turn", () => {
    expect(new Selection(boardState()).movability(square("a1"))).toBe("none");
  });

  it("premoves on the opponent's turn", () => {
    const black = new Selection(boardState({ movable: "black" }));
    expect(black.movability(square("h5"))).toBe("premove");
    expect(black.movability(square("d1"))).toBe("none");
    expect(new Selection(boardState({ movable: "black", premove: false })).movability(square("h5"))).toBe("none");
  });

  it("is changed by a click: select, move, reselect or deselect", () => {
    const selection = new Selection(boardState());
    expect(selection.clickIntent(square("d4"))).toEqual({ kind: "select", square: square("d4") });
    selection.selected = square("d4");
    expect(selection.clickIntent(square("d5"))).toMatchObject({ kind: "move", from: square("d4"), to: square("d5") });
    expect(selection.clickIntent(square("a4"))).toEqual({ kind: "select", square: square("a4") });
    expect(selection.clickIntent(square("d4"))).toEqual({ kind: "select", square: null });
    expect(selection.clickIntent(square("e4"))).toMatchObject({ kind: "move" });
    expect(selection.clickIntent(square("c6"))).toEqual({ kind: "select", square: null });
  });

  it("castles by the rook instead of selecting the rook", () => {
    const castling = fixture("castling");
    const selection = new Selection(
      boardState({
        pieces: new Map(castling.state.pieces.map((piece) => [piece.square, piece])),
        destinations: new Destinations(board, castling.state.moves, castling.state.castlings),
      }),
    );
    selection.selected = square("a1");
    expect(selection.clickIntent(square("d1"))).toMatchObject({ kind: "move", options: [{ move: "a1d1" }] });
  });

  it("sorts targets into quiet, captures and own pieces", () => {
    const selection = new Selection(boardState());
    const sorted = selection.sortTargets(square("d1"), [square("d4"), square("e8"), square("d2"), square("h8")]);
    expect(sorted.captures).toEqual([square("e8"), square("h8")]);
    expect(sorted.own).toEqual([square("d4"), square("d2")].filter((at) => selection.state.pieces.has(at)));
  });

  it("deselects a captured piece", () => {
    const selection = new Selection(boardState());
    selection.selected = square("d1");
    selection.update(
      boardState({ pieces: new Map([[square("d1"), { square: square("d1"), role: "R", color: "black" }]]) }),
    );
    expect(selection.selected).toBeNull();
  });
});

describe("a premove", () => {
  const set = (): Selection => {
    const selection = new Selection(boardState({ movable: "white", turn: "black" }));
    selection.premove = { from: square("d1"), to: square("d2"), suffix: null };
    return selection;
  };

  it("waits on the opponent's turn", () => {
    expect(set().playablePremove()).toBeNull();
  });

  it("is played once it is legal", () => {
    const selection = set();
    selection.update(boardState({ destinations: new Destinations(board, ["d1d2"]) }));
    expect(selection.playablePremove()).toMatchObject([{ move: "d1d2" }]);
  });

  it("is dropped if it is illegal or its piece was captured", () => {
    const selection = set();
    selection.update(boardState({ destinations: new Destinations(board, ["a4a5"]), turn: "white" }));
    expect(selection.playablePremove()).toEqual([]);
    selection.update(boardState({ pieces: new Map() }));
    expect(selection.playablePremove()).toEqual([]);
  });

  it("keeps the chosen promotion, or offers the choice", () => {
    const selection = set();
    const destinations = new Destinations(board, ["d1d2q", "d1d2n"]);
    selection.update(boardState({ destinations }));
    expect(selection.playablePremove()).toHaveLength(2);
    selection.premove = { from: square("d1"), to: square("d2"), suffix: "n" };
    expect(selection.playablePremove()).toMatchObject([{ move: "d1d2n" }]);
  });
});
