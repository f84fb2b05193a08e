/** Games of four: seats, clocks, moves and results in words. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { turnsOf } from "../board/colors.ts";
import { announcementOf } from "./announcements.ts";
import { remainingTime, remainingTimeAt } from "./clock.ts";
import { hasWon, moveText, resultText, seatText, statusText } from "./game_text.ts";
import { rows } from "./moves.tsx";
import { pendingOffers } from "./offers.tsx";
import { applyChange, type Game, isAgainstEngine, passedColors, type Player } from "./record.ts";
import { colorsOf, freeColors, isInGame, otherColors, placeOf, type SeatState } from "./seats.ts";

const file = fileURLToPath(new URL("../../fixtures/game-four.json", import.meta.url));
/** Ada has Red; Blue has resigned; it is Red's turn. */
const four = (): Game => JSON.parse(readFileSync(file, "utf8"));

/** The game after changes of its state, and of seats by color. */
function changed(state: Partial<Game["state"]>, seats: Partial<Record<string, Partial<SeatState>>> = {}): Game {
  const game = four();
  const list = game.state.seats?.list.map((seat) => ({ ...seat, ...seats[seat.color] })) ?? [];
  return { ...game, state: { ...game.state, ...state, seats: { at: 0, running: null, ...game.state.seats, list } } };
}

const asTeams = (game: Game): Game => ({
  ...game,
  seats: game.seats?.map((seat, index) => ({ ...seat, partner: (["yellow", "green", "red", "blue"] as const)[index] ?? null })) ?? [],
});

describe("a game of four", () => {
  it("has each player at the own side, clockwise", () => {
    const game = four();
    const places = (you: "red" | "blue" | "yellow" | "green") =>
      (["red", "blue", "yellow", "green"] as const).map((color) => placeOf(color, turnsOf(you))).join(" ");
    expect(places("red")).toBe("bottom left top right");
    expect(places("blue")).toBe("right bottom left top");
    expect(places("green")).toBe("left top right bottom");
    expect(otherColors({ ...game, you: "yellow" })).toEqual(["green", "red", "blue"]);
  });

  it("may have three players, with one side of the board free", () => {
    const { seats = [], state, ...rest } = four();
    const list = state.seats?.list.slice(0, 3).map((seat, index) => ({ ...seat, place: [2, 3, 1][index] ?? 0 })) ?? [];
    const game: Game = { ...rest, seats: seats.slice(0, 3), state: { ...state, status: "finished", result: "2-3-1", reason: "decided", seats: { at: 0, running: null, ...state.seats, list } } };
    expect(colorsOf(game)).toEqual(["red", "blue", "yellow"]);
    expect(otherColors({ ...game, you: "yellow" })).toEqual(["red", "blue"]);
    expect(hasWon({ ...game, you: "yellow" })).toBe(true);
    const shared = { ...game, state: { ...game.state, result: "1-1-1", seats: { at: 0, running: null, list: list.map((seat) => ({ ...seat, place: 1 })) } } };
    expect([hasWon({ ...shared, you: "red" }), resultText(shared)]).toEqual([null, resultText({ ...shared, state: { ...shared.state, result: "1/2-1/2", seats: null } })]);
  });

  it("knows who is out and which seats are free", () => {
    const game = four();
    expect([isInGame(game), isInGame({ ...game, you: "blue" }), isInGame({ ...game, you: null })]).toEqual([true, false, false]);
    const seats = game.seats?.map((seat) => (seat.color === "green" ? { ...seat, player: null } : seat)) ?? [];
    expect(freeColors({ ...game, seats })).toEqual(["green"]);
  });

  it("is against the engine if all others are engines", () => {
    const engine: Player = { id: "e", kind: "engine", name: "Lozenge", level: 2 };
    const game = four();
    expect(isAgainstEngine(game)).toBe(false);
    const seats = game.seats?.map((seat) => (seat.color === "red" ? seat : { ...seat, player: engine })) ?? [];
    expect(isAgainstEngine({ ...game, seats })).toBe(true);
  });

  it("lists rounds of four, without moves of eliminated players", () => {
    const game = four();
    const list = rows(game);
    expect(list.length).toBe(12);
    expect(list[0]).toEqual({ number: 1, halves: [0, 1, 2, 3] });
    expect(list.at(-1)?.halves).toEqual([43, null, 44, 45]);
    expect([moveText(game, 1), moveText(game, 37), moveText(game, 45)]).toEqual(["1. Blue b3", "10. Blue resigns", "12. Green Rl5"]);
  });

  it("has a clock for each", () => {
    const game = changed({}, { green: { left_ms: 9_000 } });
    expect(remainingTime(game.state, "green", 0)).toBe(9_000);
    const running = { ...game.state, seats: { list: game.state.seats?.list ?? [], running: "green" as const, at: 1_000 } };
    expect(remainingTime(running, "green", 3_000)).toBe(7_000);
    expect(remainingTimeAt(game, "blue", 4)).toBe(game.history[1]?.left_ms);
  });

  it("is reloaded while it waits, since events lack the players", () => {
    const { state } = changed({ status: "waiting" });
    expect(applyChange({ ...four(), state }, { type: "state", move: null, state })).toBeNull();
  });

  it("says whose turn it is, and that the viewer is out", () => {
    const game = four();
    expect([statusText(game), statusText({ ...game, you: "green" }), statusText({ ...game, you: "blue" })]).toEqual([
      "Your turn",
      "Red to move",
      "You are out. Red to move",
    ]);
  });

  it("shows who has just passed, and announces it", () => {
    // Green has moved last, and Red, who lives, has no move; Blue is out.
    const passed = changed({ turn: "yellow" });
    expect([passedColors(four()), passedColors(passed)]).toEqual([[], ["red"]]);
    const seat = passed.state.seats?.list[0];
    expect(seat && [seatText(seat, false, true, false), seatText(seat, true, true, false)]).toEqual(["passed", "in check"]);
    expect(seat && seatText({ ...seat, living: false }, false, false, false)).toBe("out");
    const wish = seat && { ...seat, resigns: true, agrees: true };
    expect(wish && [seatText(wish, false, false, false), seatText(wish, false, false, true)]).toEqual(["wants to resign", ""]);
    expect(passedColors({ ...passed, state: { ...passed.state, status: "finished" } })).toEqual([]);
    const before = changed({ ply: passed.state.ply - 1 });
    expect(announcementOf(before, passed, new Set())).toBe("Red has no legal move and passes.");
    const mated = changed({}, { yellow: { exit: "checkmate", living: false } });
    expect(announcementOf(before, mated, new Set())).toBe("Yellow is checkmated and out.");
  });

  it("counts who agrees to a draw", () => {
    const offers = { draw: "green" as const, takeback: null, rematch: null };
    const offered = changed({ offers }, { green: { agrees: true } });
    expect(pendingOffers(offered).map(({ text }) => text)).toEqual(["Green offers a draw. 1 of 3 agree to a draw."]);
    expect(pendingOffers({ ...offered, you: "blue" })).toEqual([]);
    expect(pendingOffers(changed({ offers }, { green: { agrees: true }, red: { agrees: true } }))).toEqual([]);
  });

  it("announces agreements, absence and resignation", () => {
    const none = new Set<never>();
    expect(announcementOf(four(), changed({}, { yellow: { agrees: true } }), none)).toBe("Yellow agrees to a draw.");
    expect(announcementOf(four(), changed({}, { green: { present: false } }), none)).toBe("Green has left the game.");
    const wish = changed({}, { yellow: { resigns: true } });
    expect(announcementOf(four(), wish, none)).toBe("");
    expect(announcementOf(asTeams(four()), asTeams(wish), none)).toBe("Yellow wants to resign.");
  });
});

describe("the result of a game of four", () => {
  const over = (places: number[], part: Partial<Game["state"]> = {}): Game =>
    changed(
      { status: "finished", result: places.join("-"), reason: "decided", ...part },
      Object.fromEntries(["red", "blue", "yellow", "green"].map((color, index) => [color, { place: places[index] ?? null }])),
    );

  it("names the winner, or those who share the first place", () => {
    expect(resultText(over([1, 4, 2, 3]))).toBe("Red wins as the last player left.");
    expect(resultText(over([1, 4, 1, 3], { reason: "agreement" }))).toBe("Red and Yellow share first place on material (draw by agreement).");
    expect(resultText(over([2, 4, 1, 3], { reason: "repetition" }))).toBe("Yellow wins on material (draw by repetition).");
    expect(resultText(over([1, 1, 1, 1], { reason: "repetition" }))).toBe("Draw by repetition.");
    expect([hasWon(over([1, 4, 2, 3])), hasWon(over([2, 4, 1, 3]))]).toEqual([true, null]);
  });

  it("names a team and why the other lost", () => {
    const teams = asTeams(changed({ status: "finished", result: "0-1", reason: "decided" }, { blue: { exit: null }, red: { exit: "checkmate" } }));
    expect(resultText(teams)).toBe("Blue and Green win by checkmate.");
    expect([hasWon(teams), hasWon({ ...teams, you: "green" })]).toEqual([false, true]);
  });
});
