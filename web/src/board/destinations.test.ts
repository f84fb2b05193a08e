import { describe, expect, it } from "vitest";
import { choices, suffixesOf } from "./chooser.ts";
import { Destinations, readMove } from "./destinations.ts";
import { fixture, GAMES, named, suffixNames } from "./fixtures.ts";

const ring = fixture("diamondring").board;

describe("moves as texts", () => {
  it("are read greedily, with ranks of two digits", () => {
    const read = (text: string) => readMove(ring, text);
    expect(read("a1a12")).toEqual({ from: named(ring, "a1"), to: named(ring, "a12"), suffix: "" });
    expect(read("l12l11q")).toEqual({ from: named(ring, "l12"), to: named(ring, "l11"), suffix: "q" });
    expect(read("a11a1")).toEqual({ from: named(ring, "a11"), to: named(ring, "a1"), suffix: "" });
  });

  it.each(["", "a1", "0000", "a1m1", "a13a1", "a1-a2", "P@a1"])("`%s` is none", (text) => {
    expect(readMove(ring, text)).toBeNull();
  });
});

describe.each(GAMES)("the start of %s", (game) => {
  const { board, state } = fixture(game);
  const destinations = new Destinations(board, state.moves, state.castlings);

  it("keeps every move and invents none", () => {
    const kept = destinations
      .sources()
      .flatMap((from) => destinations.targets(from).flatMap((to) => destinations.options(from, to)));
    expect(kept.map((option) => option.move).sort()).toEqual([...state.moves].sort());
  });
});

describe("castling", () => {
  const { board, state } = fixture("castling");
  const destinations = new Destinations(board, state.moves, state.castlings);
  const moves = (from: string, to: string) =>
    destinations.options(named(board, from), named(board, to)).map((option) => option.move);

  it("is entered by the King's target", () => {
    expect(moves("a1", "c1")).toEqual(["a1c1"]);
    expect(moves("a1", "d1")).toEqual(["a1d1"]);
  });

  it("by the rook's square means the move there, where there is one", () => {
    expect(moves("a1", "a4")).toEqual(["a1a4"]);
  });

  it("by the rook's square is offered where it is no move of itself", () => {
    const short = state.castlings.filter((castling) => castling.move === "a1c1");
    const fewer = new Destinations(board, ["a1c1"], short);
    const options = fewer.options(named(board, "a1"), named(board, "d1"));
    expect(options).toEqual([{ move: "a1c1", suffix: "", to: named(board, "c1") }]);
  });
});

describe("the choice", () => {
  it("offers exactly the roles that may be promoted to", () => {
    const { board, state } = fixture("promotion");
    const destinations = new Destinations(board, state.moves);
    const options = destinations.options(named(board, "e7"), named(board, "e8"));
    const piece = state.men.find((known) => known.square === named(board, "e7"));
    if (!piece) throw new Error("no pawn");
    expect(choices(board, piece, suffixesOf(options)).map(suffixNames)).toEqual([
      "b Bishop",
      "n Knight",
      "q Queen",
      "r Rook",
    ]);
    // The orthodox step beside it is a move without choice.
    expect(destinations.options(named(board, "e7"), named(board, "f7"))).toHaveLength(1);
  });

  it("offers the whole piece or its part", () => {
    const { board, state } = fixture("fusion");
    const destinations = new Destinations(board, state.moves);
    const options = destinations.options(named(board, "e4"), named(board, "e6"));
    const piece = state.men.find((known) => known.square === named(board, "e4"));
    if (!piece) throw new Error("no Marshall");
    expect(choices(board, piece, suffixesOf(options)).map(suffixNames)).toEqual([" Marshall", "r Rook"]);
  });
});
