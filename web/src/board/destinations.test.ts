import { describe, expect, it } from "vitest";
import { choices, suffixesOf } from "./chooser.ts";
import { Destinations, readMove } from "./destinations.ts";
import { fixture, GAMES, squareNamed, suffixNames } from "./fixtures.ts";

const ring = fixture("diamondring").board;

describe("moves in UCI notation", () => {
  it("are parsed with two-digit ranks", () => {
    const read = (text: string) => readMove(ring, text);
    expect(read("a1a12")).toEqual({ from: squareNamed(ring, "a1"), to: squareNamed(ring, "a12"), suffix: "" });
    expect(read("l12l11q")).toEqual({ from: squareNamed(ring, "l12"), to: squareNamed(ring, "l11"), suffix: "q" });
    expect(read("a11a1")).toEqual({ from: squareNamed(ring, "a11"), to: squareNamed(ring, "a1"), suffix: "" });
  });

  it.each(["", "a1", "0000", "a1m1", "a13a1", "a1-a2", "P@a1"])("`%s` is invalid", (text) => {
    expect(readMove(ring, text)).toBeNull();
  });
});

describe.each(GAMES)("destinations in the starting position of %s", (game) => {
  const { board, state } = fixture(game);
  const destinations = new Destinations(board, state.moves, state.castlings);

  it("contain exactly the legal moves", () => {
    const options = destinations
      .sources()
      .flatMap((from) => destinations.targets(from).flatMap((to) => destinations.options(from, to)));
    expect(options.map((option) => option.move).sort()).toEqual([...state.moves].sort());
  });
});

describe("castling", () => {
  const { board, state } = fixture("castling");
  const destinations = new Destinations(board, state.moves, state.castlings);
  const moves = (from: string, to: string) =>
    destinations.options(squareNamed(board, from), squareNamed(board, to)).map((option) => option.move);

  it("can be entered by the King's target square", () => {
    expect(moves("a1", "c1")).toEqual(["a1c1"]);
    expect(moves("a1", "d1")).toEqual(["a1d1"]);
  });

  it("by the rook's square gives way to a normal King move there", () => {
    expect(moves("a1", "a4")).toEqual(["a1a4"]);
  });

  it("can be entered by the rook's square if no other move does", () => {
    const short = state.castlings.filter((castling) => castling.move === "a1c1");
    const fewer = new Destinations(board, ["a1c1"], short);
    const options = fewer.options(squareNamed(board, "a1"), squareNamed(board, "d1"));
    expect(options).toEqual([{ move: "a1c1", suffix: "", to: squareNamed(board, "c1") }]);
  });
});

describe("the promotion chooser", () => {
  it("offers exactly the legal promotion roles", () => {
    const { board, state } = fixture("promotion");
    const destinations = new Destinations(board, state.moves);
    const options = destinations.options(squareNamed(board, "e7"), squareNamed(board, "e8"));
    const piece = state.pieces.find((piece) => piece.square === squareNamed(board, "e7"));
    if (!piece) throw new Error("no pawn");
    expect(choices(board, piece, suffixesOf(options)).map(suffixNames)).toEqual([
      "b Bishop",
      "n Knight",
      "q Queen",
      "r Rook",
    ]);
    // The orthodox step beside it is a move without choice.
    expect(destinations.options(squareNamed(board, "e7"), squareNamed(board, "f7"))).toHaveLength(1);
  });

  it("offers a compound piece or one of its parts", () => {
    const { board, state } = fixture("fusion");
    const destinations = new Destinations(board, state.moves);
    const options = destinations.options(squareNamed(board, "e4"), squareNamed(board, "e6"));
    const piece = state.pieces.find((piece) => piece.square === squareNamed(board, "e4"));
    if (!piece) throw new Error("no Marshall");
    expect(choices(board, piece, suffixesOf(options)).map(suffixNames)).toEqual([" Marshall", "r Rook"]);
  });
});
