/**
 * The record of a game on the page, and how events change it. Pure functions.
 */
import type { WhiteOrBlack } from "../board/types.ts";
import type { Schemas } from "../common/api.ts";
import { moverOf, turnOf } from "../common/fen.ts";
import { colorsOf, isMulti, playerOf, seatOf } from "./seats.ts";

export type Game = Schemas["Game"];
export type GameState = Schemas["GameState"];
export type HistoryEntry = Schemas["HistoryEntry"];
export type Player = Schemas["Player"];
export type Color = Schemas["Color"];

/** The game after a change; null if events are missing and the game must be loaded again. */
export function applyChange(game: Game, event: Extract<Schemas["Event"], { type: "state" }>): Game | null {
  const { state } = event;
  let history = game.history;
  if (event.move && history.length >= state.ply - 1) {
    const { fen, last, check } = state;
    history = [...history.slice(0, state.ply - 1), { ...event.move, fen, last, check }];
  } else if (state.ply < history.length) history = history.slice(0, state.ply);
  if (history.length !== state.ply) return null;
  // Only the full game has the players. A game of four waits for several, one after the other.
  if (game.state.status === "waiting" && (state.status !== "waiting" || isMulti(game))) return null;
  return { ...game, history, state: reuseArrays(game.state, state), next: event.next ?? game.next };
}

/** The game after the changes since the last connection; null if they do not fit. */
export function applyResume(game: Game, since: Schemas["Since"]): Game | null {
  const { kept, history: missedHistory, state, white, black, seats, you, next } = since;
  const history = missedHistory.length > 0 || kept < game.history.length ? [...game.history.slice(0, kept), ...missedHistory] : game.history;
  if (history.length !== state.ply) return null;
  return { ...game, history, state: reuseArrays(game.state, state), white, black, ...(seats && { seats }), you, next };
}

/** Whether a game goes on from an earlier state of it: no move was taken back or replaced. */
export function continues(after: Game, before: Game): boolean {
  return before.history.length <= after.history.length && before.history.every((entry, index) => entry.uci === after.history[index]?.uci);
}

/** Keeps the arrays of an unchanged position, so that the board does not redraw it. */
function reuseArrays(before: GameState, after: GameState): GameState {
  if (before.fen !== after.fen || before.ply !== after.ply || before.status !== after.status) return after;
  const { last, moves, castlings } = before;
  return { ...after, last, moves, castlings };
}

/** The position on the board at a ply. */
export interface Position {
  last: readonly number[];
  check: number | null;
  fen: string;
}

export function positionAt(game: Game, ply: number): Position {
  if (ply === game.state.ply) {
    const { last, check, fen } = game.state;
    return { last, check: check ?? null, fen };
  }
  const entry = game.history[ply - 1];
  if (!entry) return { last: [], check: null, fen: game.start_fen };
  return { last: entry.last, check: entry.check ?? null, fen: entry.fen };
}

/** The side and number of the first move. */
export function firstMove(startFen: string): { turn: WhiteOrBlack; number: number } {
  const fields = startFen.split(/\s+/);
  const number = Number.parseInt(fields.at(-1) ?? "1", 10);
  return { turn: moverOf(startFen), number: Number.isFinite(number) ? number : 1 };
}

/** The move number and color of a half move. Of four players, those who are out or have no move are passed over. */
export function moveNumber(game: Game, index: number): { number: number; color: Color } {
  if (isMulti(game)) {
    const before = index === 0 ? game.start_fen : (game.history[index - 1]?.fen ?? "");
    return { number: Number.parseInt(before.split(/\s+/)[5] ?? "1", 10) || 1, color: turnOf(before) };
  }
  const { turn, number } = firstMove(game.start_fen);
  const half = index + (turn === "black" ? 1 : 0);
  return { number: number + Math.floor(half / 2), color: half % 2 === 0 ? "white" : "black" };
}

/** The living of three or four players whom the turn passed over after the last half move: they had no legal move. */
export function passedColors(game: Game): Color[] {
  const last = game.history.length - 1;
  if (!isMulti(game) || game.state.status !== "started" || last < 0) return [];
  const colors = colorsOf(game);
  const after = colors.indexOf(moveNumber(game, last).color) + 1;
  const others = [...colors.slice(after), ...colors.slice(0, after)];
  return others.slice(0, others.indexOf(game.state.turn)).filter((color) => seatOf(game.state, color)?.living);
}

export const isOver = (game: Game): boolean => game.state.status === "finished";

/** Whether all players but one are engines. */
export function isAgainstEngine(game: Game): boolean {
  const colors = colorsOf(game);
  return colors.filter((color) => playerOf(game, color)?.kind === "engine").length >= colors.length - 1;
}

export const isMyTurn = (game: Game): boolean =>
  game.state.status === "started" && game.you === game.state.turn;

/** A move that waits: with the number of its message for the server's answer, without for the user's confirmation. */
export interface WaitingMove {
  id: number | null;
  move: string;
  ply: number;
}

/** The fate of a sent move in a game that was loaded again. */
export function outcomeOf(sent: WaitingMove, game: Game): "send" | "played" | "lost" {
  if (isOver(game) && game.history.length <= sent.ply) return "lost";
  if (game.history.length === sent.ply) return "send";
  const played = game.history[sent.ply];
  return played && (played.uci === sent.move || played.san === sent.move) ? "played" : "lost";
}
