import { describe, expect, it } from "vitest";
import { compare } from "./animation.ts";
import { Destinations } from "./destinations.ts";
import { fixture, GAMES, named, plane } from "./fixtures.ts";
import { Hand, type Situation } from "./hand.ts";
import { keyStep, walk } from "./keyboard.ts";
import { stand } from "./stand.ts";
import type { Piece, ViewName } from "./types.ts";

const game = fixture("diamondback");
const { board, state } = game;
const square = (name: string): number => named(board, name);

function situation(changes: Partial<Situation> = {}): Situation {
  return {
    pieces: new Map(state.men.map((piece) => [piece.square, piece])),
    destinations: new Destinations(board, state.moves, state.castlings),
    reach: state.reach,
    movable: "white",
    turn: null,
    premove: true,
    ...changes,
  };
}

describe("the hand", () => {
  it("takes only the user's own pieces", () => {
    const hand = new Hand(situation());
    expect(hand.grip(square("d4"))).toBe("move");
    expect(hand.grip(square("h5"))).toBe("none");
    // A piece without a move, and no piece at all.
    expect(hand.grip(square("d1"))).toBe("none");
    expect(hand.grip(square("e4"))).toBe("none");
    expect(new Hand(situation({ movable: "none" })).grip(square("d1"))).toBe("none");
  });

  it("puts the only piece anywhere on a board for placing, and says that it reaches only what it does", () => {
    const [from, to, far] = [square("d4"), square("d5"), square("a8")];
    const everywhere = board.squares.filter(({ name }) => name !== "d4").map(({ name }) => `d4${name}`);
    const hand = new Hand(
      situation({
        pieces: new Map([[from, { square: from, role: "king", color: "white" }]]),
        destinations: new Destinations(board, everywhere),
        reach: board.squares.map((_, number) => (number === from ? [to] : [])),
        placing: true,
        turn: "white",
      }),
    );
    expect(hand.point(far)).toMatchObject({ kind: "move", from, to: far });
    expect(hand.point(from)).toEqual({ kind: "select", square: null });
    expect(hand.targets(from)).toEqual({ quiet: [to], captures: [], own: [] });
    expect([hand.reaches(from, to), hand.reaches(from, far)]).toEqual([true, false]);
  });

  it("takes no piece for later when it is the user's turn", () => {
    expect(new Hand(situation()).grip(square("a1"))).toBe("none");
  });

  it("takes pieces for later while the other side is to move", () => {
    const black = new Hand(situation({ movable: "black" }));
    expect(black.grip(square("h5"))).toBe("premove");
    expect(black.grip(square("d1"))).toBe("none");
    expect(new Hand(situation({ movable: "black", premove: false })).grip(square("h5"))).toBe("none");
  });

  it("points: choose, put, choose another, let go", () => {
    const hand = new Hand(situation());
    expect(hand.point(square("d4"))).toEqual({ kind: "select", square: square("d4") });
    hand.selected = square("d4");
    expect(hand.point(square("d5"))).toMatchObject({ kind: "move", from: square("d4"), to: square("d5") });
    expect(hand.point(square("a4"))).toEqual({ kind: "select", square: square("a4") });
    expect(hand.point(square("d4"))).toEqual({ kind: "select", square: null });
    expect(hand.point(square("e4"))).toMatchObject({ kind: "move" });
    expect(hand.point(square("c6"))).toEqual({ kind: "select", square: null });
  });

  it("puts the King on the rook to castle rather than choosing the rook", () => {
    const castling = fixture("castling");
    const hand = new Hand(
      situation({
        pieces: new Map(castling.state.men.map((piece) => [piece.square, piece])),
        destinations: new Destinations(board, castling.state.moves, castling.state.castlings),
      }),
    );
    hand.selected = square("a1");
    expect(hand.point(square("d1"))).toMatchObject({ kind: "move", options: [{ move: "a1d1" }] });
  });

  it("sorts targets by what stands there", () => {
    const hand = new Hand(situation());
    const sorted = hand.sort(square("d1"), [square("d4"), square("e8"), square("d2"), square("h8")]);
    expect(sorted.captures).toEqual([square("e8"), square("h8")]);
    expect(sorted.own).toEqual([square("d4"), square("d2")].filter((at) => hand.situation.pieces.has(at)));
  });

  it("lets a piece go that was captured", () => {
    const hand = new Hand(situation());
    hand.selected = square("d1");
    hand.renew(
      situation({ pieces: new Map([[square("d1"), { square: square("d1"), role: "R", color: "black" }]]) }),
    );
    expect(hand.selected).toBeNull();
  });
});

describe("a premove", () => {
  const set = (): Hand => {
    const hand = new Hand(situation({ movable: "white", turn: "black" }));
    hand.premove = { from: square("d1"), to: square("d2"), suffix: null };
    return hand;
  };

  it("waits while it is not its turn", () => {
    expect(set().due()).toBeNull();
  });

  it("is played when it has become legal", () => {
    const hand = set();
    hand.renew(situation({ destinations: new Destinations(board, ["d1d2"]) }));
    expect(hand.due()).toMatchObject([{ move: "d1d2" }]);
  });

  it("is nothing when it is not legal, or its piece is gone", () => {
    const hand = set();
    hand.renew(situation({ destinations: new Destinations(board, ["a4a5"]), turn: "white" }));
    expect(hand.due()).toEqual([]);
    hand.renew(situation({ pieces: new Map() }));
    expect(hand.due()).toEqual([]);
  });

  it("keeps the promotion that was chosen, or asks", () => {
    const hand = set();
    const destinations = new Destinations(board, ["d1d2q", "d1d2n"]);
    hand.renew(situation({ destinations }));
    expect(hand.due()).toHaveLength(2);
    hand.premove = { from: square("d1"), to: square("d2"), suffix: "n" };
    expect(hand.due()).toMatchObject([{ move: "d1d2n" }]);
  });
});

describe("movements between positions", () => {
  const piece = (at: number, role: string, color: Piece["color"] = "white"): Piece => ({ square: at, role, color });
  const distance = (a: number, b: number) => Math.abs(a - b);

  it("are those of the pieces that left and arrived", () => {
    const change = compare([piece(1, "R"), piece(5, "P", "black")], [piece(5, "R")], [1, 5], distance);
    expect(change.pieces).toEqual([{ piece: piece(5, "R"), from: 1 }]);
    expect(change.gone).toEqual([piece(5, "P", "black")]);
  });

  it("follow a pawn that becomes something else", () => {
    expect(compare([piece(1, "P")], [piece(9, "Q")], [1, 9], distance).pieces).toEqual([
      { piece: piece(9, "Q"), from: 1 },
    ]);
  });

  it("take the nearest of several alike", () => {
    const change = compare([piece(1, "R"), piece(8, "R")], [piece(1, "R"), piece(6, "R")], [], distance);
    expect(change.pieces).toContainEqual({ piece: piece(6, "R"), from: 8 });
  });

  it("show castling as two movements", () => {
    const change = compare([piece(0, "K"), piece(3, "R")], [piece(2, "K"), piece(1, "R")], [0, 2], distance);
    expect(change.pieces).toEqual([
      { piece: piece(2, "K"), from: 0 },
      { piece: piece(1, "R"), from: 3 },
    ]);
  });

  it("let pieces appear that came from nowhere", () => {
    expect(compare([], [piece(4, "N")], [], distance).pieces).toEqual([{ piece: piece(4, "N"), from: null }]);
  });
});

describe("keys", () => {
  it("go where they point on an upright board", () => {
    const seen = plane(board);
    expect(board.squares[walk(seen, square("d4"), "ArrowUp")]?.name).toBe("d5");
    expect(board.squares[walk(seen, square("d4"), "ArrowLeft")]?.name).toBe("c4");
    expect(board.squares[walk(seen, square("d4"), "PageUp")]?.name).toBe("e5");
    expect(walk(seen, square("d8"), "ArrowUp")).toBe(square("d8"));
    expect(keyStep(seen, "x")).toBeNull();
  });

  it("turn an eighth to the left on a board that stands on its corner", () => {
    const seen = plane(board, { view: "diamond" });
    expect(board.squares[walk(seen, square("d4"), "ArrowUp")]?.name).toBe("d5");
    expect(board.squares[walk(seen, square("d4"), "ArrowRight")]?.name).toBe("e4");
    const black = plane(board, { view: "diamond", flipped: true });
    expect(board.squares[walk(black, square("d4"), "ArrowUp")]?.name).toBe("d3");
  });

  it("go round joined edges and over holes", () => {
    const ring = fixture("diamondring").board;
    expect(ring.squares[walk(plane(ring), named(ring, "l12"), "ArrowUp")]?.name).toBe("l1");
    const diamond = fixture("diamond").board;
    expect(diamond.squares[walk(plane(diamond), named(diamond, "e4"), "ArrowUp")]?.name).toBe("e6");
  });

  it.each(GAMES)("reach every square of %s in both views", (name) => {
    const every = fixture(name).board;
    for (const view of ["diamond", "square"] as ViewName[]) {
      const seen = plane(every, { view });
      const reached = new Set([0]);
      for (const at of reached) {
        for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"])
          reached.add(walk(seen, at, key));
      }
      expect(reached.size).toBe(every.squares.length);
    }
  });
});

describe("the size of pieces", () => {
  it("fills an upright cell and fits into one that stands on its corner", () => {
    const views = board.views;
    expect(stand(views.square.corners).size).toBeGreaterThan(0.95);
    expect(stand(views.diamond.corners).size).toBeGreaterThan(0.6);
    expect(stand(views.diamond.corners).size).toBeLessThan(1);
  });
});
