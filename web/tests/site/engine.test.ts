/** Guests play a whole game of each kind against the engine, by clicking: all at once, for the time of one. */
import { describe, expect, it } from "vitest";
import { canRun, seededRandom, DESKTOP, PHONE, pick, createVisitors, type Visitor } from "./harness.ts";

/** Own moves after which the guest resigns. */
const MAX_MOVES = 40;
/** Time after which the guest resigns too, in milliseconds. */
const MAX_MS = 40_000;

const GAMES = [
  ["diamond", DESKTOP],
  ["diagonal", PHONE],
  ["diamondback", DESKTOP],
  ["doublediamond", PHONE],
  ["diamondring", DESKTOP],
] as const;

async function playGame(guest: Visitor, variant: string): Promise<void> {
  const game = await guest.createGame({ variant, opponent: { kind: "engine", level: 1 } });
  await guest.open(game.id);
  const random = seededRandom(variant.length);
  const deadline = Date.now() + MAX_MS;
  let played = 0;
  for (; played < MAX_MOVES && Date.now() < deadline; played += 1) {
    const moves = await guest.turn();
    if (moves.length === 0) break;
    await guest.play(pick(moves, random));
  }
  // One in a hundred of these games is mate after two moves, in Diamond Ring by a Knight.
  if ((await guest.turn()).length > 0) {
    expect(played, variant).toBeGreaterThan(3);
    await guest.resign();
  }
  await guest.result.waitFor();
  const text = await guest.result.innerText();
  const { state, history } = await guest.game(game.id);
  expect(state.status, variant).toBe("finished");
  const results: Record<string, string> = { "1-0": "White wins", "0-1": "Black wins", "1/2-1/2": "Draw", "*": "Game aborted" };
  expect(text, variant).toContain(results[state.result]);
  expect(await guest.moveCount(), variant).toBe(history.length);
  expect(await guest.overflows(), variant).toBe(false);
}

describe.skipIf(!canRun)("guest against engine", () => {
  const visitors = createVisitors();

  it("plays a whole game of each kind", async () => {
    const guests = await Promise.all(GAMES.map(([, options]) => visitors.create(options)));
    await Promise.all(GAMES.map(([variant], number) => playGame(guests[number] as Visitor, variant)));
  });
});
