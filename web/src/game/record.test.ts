/** How events change the game, and the outcome of a sent move. */
import { describe, expect, it } from "vitest";
import { announcementOf } from "./announcements.ts";
import { moveText } from "./game_text.ts";
import { applyChange, outcomeOf } from "./record.ts";
import { entry, game } from "./samples.ts";
import { parseLine } from "./typed_line.ts";

const moves = (...names: string[]) => names.map((uci) => ({ uci }));

describe("a game record", () => {
  it("appends a move", () => {
    const before = game({ moves: moves("a") });
    const { state } = game({ moves: moves("a", "b") });
    const after = applyChange(before, { type: "state", move: { uci: "b", san: "b", at: 0 }, state });
    expect(after?.history.map((move) => move.uci)).toEqual(["a", "b"]);
    expect(after?.history.at(-1)).toMatchObject({ fen: state.fen, last: state.last, check: state.check });
  });

  it("drops moves that are taken back, and then appends others", () => {
    const before = game({ moves: moves("a", "b", "c") });
    const shorter = applyChange(before, { type: "state", move: null, state: game({ moves: moves("a") }).state });
    expect(shorter?.history.map((move) => move.uci)).toEqual(["a"]);
    const { state } = game({ moves: moves("a", "d") });
    const other = shorter && applyChange(shorter, { type: "state", move: entry({ uci: "d" }), state });
    expect(other?.history.map((move) => move.uci)).toEqual(["a", "d"]);
  });

  it("must be reloaded if a move is missing or a player has joined", () => {
    const before = game({ moves: moves("a") });
    const { state } = game({ moves: moves("a", "b", "c") });
    expect(applyChange(before, { type: "state", move: entry({ uci: "c" }), state })).toBeNull();
    const waiting = game({ status: "waiting" });
    expect(applyChange(waiting, { type: "state", move: null, state: game().state })).toBeNull();
  });

  it("reuses its arrays while the position is the same", () => {
    const before = game({ moves: moves("a") });
    const { state } = game({ moves: moves("a") });
    const after = applyChange(before, { type: "state", move: null, state });
    expect(after?.state.last).toBe(before.state.last);
    expect(after?.state.moves).toBe(before.state.moves);
  });

  it("numbers moves from any starting position", () => {
    expect(moveText(game({ moves: moves("a", "b", "c") }), 2)).toBe("2. c");
    const black = game({ start_fen: "8/8 b - - 0 7", moves: moves("a", "b") });
    expect([moveText(black, 0), moveText(black, 1)]).toEqual(["7… a", "8. b"]);
  });
});

describe("a sent move", () => {
  const sent = { id: 1, move: "Nf3", ply: 1 };
  it("is sent again while the game is at its ply", () => {
    expect(outcomeOf(sent, game({ moves: moves("a") }))).toBe("send");
  });
  it("counts as played in either notation", () => {
    expect(outcomeOf(sent, game({ moves: [{ uci: "a" }, { uci: "g1f3", san: "Nf3" }] }))).toBe("played");
    expect(outcomeOf({ ...sent, move: "g1f3" }, game({ moves: moves("a", "g1f3", "c") }))).toBe("played");
  });
  it("is lost if another move was played or the game is over", () => {
    expect(outcomeOf(sent, game({ moves: moves("a", "b") }))).toBe("lost");
    expect(outcomeOf(sent, game({ moves: moves("a"), status: "finished" }))).toBe("lost");
  });
});

describe("announcements", () => {
  const met = new Set(["black"] as const);

  it("include offers of both sides", () => {
    const before = game();
    const offer = (by: "white" | "black") =>
      game({ state: { offers: { draw: by, takeback: null, rematch: null } } });
    expect(announcementOf(before, offer("black"), met)).toBe("Bo offers a draw.");
    expect(announcementOf(before, offer("white"), met)).toBe("You offer a draw.");
    expect(announcementOf(offer("white"), offer("white"), met)).toBe("");
  });
  it("include extra time", () => {
    const clocks = (white_ms: number) =>
      game({
        clock: { kind: "live", initial_s: 60, increment_s: 0 },
        state: { clocks: { at: 0, white_ms, black_ms: 60_000, running: "white" } },
      });
    expect(announcementOf(clocks(20_000), clocks(34_500), met)).toBe("Ada received extra time.");
    expect(announcementOf(clocks(20_000), clocks(19_000), met)).toBe("");
  });
  it("report a player as back only if they were present before", () => {
    const gameWith = (black: boolean) => game({ state: { present: { white: true, black } } });
    expect(announcementOf(gameWith(true), gameWith(false), met)).toBe("Bo has left the game.");
    expect(announcementOf(gameWith(false), gameWith(true), met)).toBe("Bo is back.");
    expect(announcementOf(gameWith(false), gameWith(true), new Set())).toBe("");
  });
  it("include the result in words", () => {
    const after = game({ status: "finished", state: { result: "1-0", reason: "goal" } });
    expect(announcementOf(game(), after, met)).toBe("White wins by reaching the goal.");
  });
});

describe("a typed line", () => {
  it.each([
    ["", null],
    [" Resign ", { kind: "command", command: "resign" }],
    ["yes", { kind: "command", command: "accept" }],
    ["Remis", { kind: "command", command: "draw" }],
    ["aufgeben", { kind: "command", command: "resign" }],
    ["Uhr", { kind: "command", command: "clock" }],
    ["letzter Zug", { kind: "command", command: "last" }],
    ["0-0", { kind: "move", text: "O-O" }],
    ["o-o-o+", { kind: "move", text: "O-O-O+" }],
    ["l12l11q", { kind: "move", text: "l12l11q" }],
  ])("%j", (line, meaning) => expect(parseLine(line)).toEqual(meaning));
});
