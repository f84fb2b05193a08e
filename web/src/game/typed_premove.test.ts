/** Moves typed before their turn: how they are parsed, and the error messages for impossible ones. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Destinations } from "../board/destinations.ts";
import { fixture, squareNamed } from "../board/fixtures.ts";
import { Selection } from "../board/selection.ts";
import type { LozBoard } from "../board/index.ts";
import type { Piece, PromotionHint } from "../board/types.ts";
import { cancelPremove, premove, parseMove } from "./typed_premove.ts";
import type { ReachLoader } from "./reach_loader.ts";
import { game } from "./samples.ts";
import { GameSession } from "./session.ts";
import { parseLine } from "./typed_line.ts";

const { board, state } = fixture("diamondback");
const square = (name: string): number => squareNamed(board, name);

describe("a typed move with both squares", () => {
  const describeMove = (text: string): string => {
    const move = parseMove(board, text);
    if (!move) return "";
    const [from, to] = [board.squares[move.from]?.name, board.squares[move.to]?.name];
    return `${move.piece ?? ""} ${from} ${to} ${move.suffix}`;
  };

  it.each([
    ["e5e4", " e5 e4 "],
    ["e5-e4", " e5 e4 "],
    ["E5 E4", " e5 e4 "],
    ["e7e8q", " e7 e8 q"],
    ["e7-e8=Q", " e7 e8 q"],
    ["Ph5xg5+", "P h5 g5 "],
    ["e5", ""],
    ["Nf3", ""],
    ["O-O", ""],
    ["e5e9", ""],
    ["", ""],
  ])("is parsed: %s", (text, expected) => {
    expect(describeMove(text)).toBe(expected);
  });

  it("is parsed with two-digit ranks", () => {
    const ring = fixture("diamondring").board;
    expect(parseMove(ring, "l12a1q")).toEqual({
      from: squareNamed(ring, "l12"),
      to: squareNamed(ring, "a1"),
      suffix: "q",
      piece: null,
    });
  });
});

/** As much of the board as typed moves need. */
class FakeBoard {
  readonly board = board;
  pieces: readonly Piece[] = state.pieces;
  reach: readonly (readonly number[])[] | null = null;
  updated = Promise.resolve();
  set: unknown[] = [];
  promotions: PromotionHint[] = [];
  premove: Selection["premove"] = null;

  get selection(): Selection {
    const selection = new Selection({
      pieces: new Map(this.pieces.map((piece) => [piece.square, piece])),
      destinations: new Destinations(board, []),
      reach: this.reach,
      movable: "black",
      turn: "white",
      premove: true,
      promotions: this.promotions,
    });
    selection.premove = this.premove;
    return selection;
  }
  setPremove(from: number, to: number, suffix: string | null): void {
    this.set.push([board.squares[from]?.name, board.squares[to]?.name, suffix]);
    this.premove = { from, to, suffix };
  }
  cancelPremove(): void {
    this.premove = null;
  }
}

describe("a typed premove", () => {
  let fakeBoard: FakeBoard;
  let session: GameSession;
  beforeEach(() => {
    vi.stubGlobal("location", { href: "http://127.0.0.1/game/x" });
    vi.stubGlobal("document", { getElementById: () => null });
    fakeBoard = new FakeBoard();
    session = new GameSession(game({ you: "black", state: { fen: state.fen, turn: "white" } }));
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const reach = {
    load: async () => {
      fakeBoard.reach = state.reach;
    },
  } as unknown as ReachLoader;
  const type = (line: string): Promise<string | null> =>
    premove(fakeBoard as unknown as LozBoard, session, reach, line);

  it("is set on the board", async () => {
    expect(await type("e5e4")).toBeNull();
    expect(fakeBoard.set).toEqual([["e5", "e4", ""]]);
    const other = state.pieces.find(
      (piece) => piece.color === "black" && piece.square !== square("e5") && (state.reach[piece.square] ?? []).length > 0,
    );
    const [from, to] = [other?.square ?? -1, state.reach[other?.square ?? -1]?.[0] ?? -1].map(
      (at) => board.squares[at]?.name,
    );
    expect(await type(`${from}-${to}`)).toBeNull();
    expect(fakeBoard.set.at(-1)).toEqual([from, to, ""]);
  });

  it.each([
    ["e4", "It is your opponent's turn. For a premove, type both squares: "],
    ["d4d5", "You have no such piece on d4."],
    ["c6c5", "You have no such piece on c6."],
    ["Qe5e4", "You have no such piece on e5."],
    ["e5a1", "Pawn: no premove from e5 to a1."],
    ["e5e4k", "No piece promotes to “k” in this game."],
  ])("explains why %s is not possible", async (line, expected) => {
    expect(await type(line)).toContain(expected);
    expect(fakeBoard.set).toEqual([]);
  });

  it("shows an example that is a possible premove", async () => {
    const command = (await type("Nf3")) ?? "";
    const example = /([a-h][1-8][a-h][1-8])/.exec(command)?.[1] ?? "";
    expect(await type(example)).toBeNull();
  });

  it("requires the letter of a legal promotion", async () => {
    fakeBoard.promotions = [{ role: "pawn", color: "black", squares: [square("e4")], letters: ["q", "n"] }];
    expect(await type("e5e4")).toBe("Add the letter of the promotion: e5e4q, e5e4n.");
    expect(await type("e5e4r")).toBe("Add the letter of the promotion: e5e4q, e5e4n.");
    expect(await type("e5e4N")).toBeNull();
    expect(fakeBoard.set).toEqual([["e5", "e4", "n"]]);
  });

  it("accepts any letter where promotions are unknown", async () => {
    expect(await type("e5e4q")).toBeNull();
    expect(fakeBoard.set).toEqual([["e5", "e4", "q"]]);
  });

  it("is rejected while a move waits and after the end of the game", async () => {
    session.entered.enter({ id: 1, move: "e5e4", ply: 1 });
    expect(await type("e5e4")).toContain("still being sent");
    session.entered.settle();
    session.game = game({ you: "black", status: "finished" });
    expect(await type("e5e4")).toBe("The game is over.");
    expect(fakeBoard.set).toEqual([]);
  });

  it("is played at once if it is now the player's turn", async () => {
    session.game = game({ you: "white" });
    const play = vi.spyOn(session, "play").mockImplementation(() => undefined);
    expect(await type("e5e4")).toBeNull();
    expect(play).toHaveBeenCalledWith("e5e4");
  });

  it("is not played after a takeback while the board was loading", async () => {
    session.game = game({ you: "black", moves: [{ uci: "a1a2" }, { uci: "b8b7" }], state: { fen: state.fen } });
    const play = vi.spyOn(session, "play").mockImplementation(() => undefined);
    const load = async (): Promise<void> => {
      fakeBoard.reach = state.reach;
      session.game = game({ you: "black", moves: [{ uci: "a1a2" }] });
      session.takebacks += 1;
    };
    const typed = premove(fakeBoard as unknown as LozBoard, session, { load } as unknown as ReachLoader, "e5e4");
    expect(await typed).toBe("Moves were taken back. Your premove has been cancelled.");
    expect(play).not.toHaveBeenCalled();
    expect(fakeBoard.set).toEqual([]);
  });

  it("is canceled by a command, also in German", () => {
    const board = fakeBoard as unknown as LozBoard;
    for (const word of ["cancel", "Cancel", "aufheben", "Abbrechen"]) {
      expect(parseLine(word)).toEqual({ kind: "command", command: "cancel" });
    }
    expect(cancelPremove(board)).toBe("You have no premove.");
    fakeBoard.setPremove(square("e5"), square("e4"), "");
    expect(cancelPremove(board)).toBeNull();
    expect(fakeBoard.premove).toBeNull();
  });
});
