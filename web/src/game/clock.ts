/** Clock times: the remaining time of a side, and its text. */
import { moverOf } from "../common/fen.ts";
import { type Color, type Game, type GameState, moveNumber } from "./record.ts";
import { isMulti, seatOf } from "./seats.ts";

/** Below this, tenths of a second are shown. */
export const TENTHS_BELOW_MS = 20_000;

/** The remaining time of a side, in milliseconds; `now` is the server's time. */
export function remainingTime(state: GameState, color: Color, now: number): number | null {
  const { clocks, seats } = state;
  const [stored, at] = seats
    ? [seatOf(state, color)?.left_ms, seats.at]
    : [color === "white" ? clocks?.white_ms : clocks?.black_ms, clocks?.at];
  if (stored === undefined || stored === null || at === undefined) return null;
  const elapsed = runningClock(state) === color ? Math.max(0, now - at) : 0;
  return Math.max(0, stored - elapsed);
}

/** The color whose clock runs. */
export const runningClock = ({ clocks, seats }: GameState): Color | null => (seats ?? clocks)?.running ?? null;

/** The remaining time of a side at a ply; null if it was not recorded. */
export function remainingTimeAt(game: Game, color: Color, ply: number): number | null {
  const first = moverOf(game.start_fen);
  for (let index = ply - 1; index >= 0; index -= 1) {
    const isFirst = (index % 2 === 0) === (first === "white");
    const mover = isMulti(game) ? moveNumber(game, index).color : isFirst ? "white" : "black";
    const entry = game.history[index];
    if (mover === color) return entry?.left_ms ?? null;
  }
  return game.clock?.kind === "live" ? game.clock.initial_s * 1000 : null;
}

/** The time below which a player is warned: a quarter of the initial time, at most 20 seconds. */
export function warningMs(game: Game): number {
  if (game.clock?.kind !== "live") return 0;
  return Math.min(20_000, game.clock.initial_s * 250);
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** The text of a time in parts, so that tenths can be smaller. */
export interface FormattedTime {
  main: string;
  tenths: string;
  days: { days: number; hours: number } | null;
}

export function formatTime(ms: number): FormattedTime {
  const tenths = ms < TENTHS_BELOW_MS;
  // Whole seconds are rounded up, tenths down.
  const seconds = tenths ? Math.floor(ms / 1000) : Math.ceil(ms / 1000);
  const hours = Math.floor(seconds / 3600);
  if (hours >= 24) {
    return { main: "", tenths: "", days: { days: Math.floor(hours / 24), hours: hours % 24 } };
  }
  const minutes = Math.floor(seconds / 60) % 60;
  const main = hours > 0 ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}` : `${minutes}:${twoDigits(seconds % 60)}`;
  return { main, tenths: tenths ? `.${Math.floor((ms % 1000) / 100)}` : "", days: null };
}
