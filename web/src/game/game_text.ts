/** A game in words: players, time control, result. */
import { timeControlText } from "../common/time_control.ts";
import { nameOf as displayName } from "../common/player_names.ts";
import { type Color, type Game, isOver, type Player } from "./record.ts";
import { type GameText, t } from "./texts.ts";

export function playerName(player: Player): string {
  return player.kind === "engine" ? t("engine", { level: player.level ?? 8 }) : displayName(player);
}

export function nameOf(game: Game, color: Color): string {
  const player = game[color];
  return player ? playerName(player) : t("open_place");
}

/** `White wins by reaching the goal.` */
export function resultText(game: Game): string {
  const { result, reason } = game.state;
  const winner = winnerText(result);
  return reason ? `${winner} ${t(`reason_${reason}` as GameText)}.` : `${winner}.`;
}

export function winnerText(result: string): string {
  if (result === "1-0") return t("result_white");
  if (result === "0-1") return t("result_black");
  return t(result === "1/2-1/2" ? "result_draw" : "result_none");
}

export function reasonText(game: Game): string {
  const { reason } = game.state;
  return reason ? t(`reason_${reason}` as GameText) : "";
}

/** Whether the viewer has won; null for a draw, an aborted game, and spectators. */
export function hasWon(game: Game): boolean | null {
  const winner: Color | null =
    game.state.result === "1-0" ? "white" : game.state.result === "0-1" ? "black" : null;
  return winner && game.you ? winner === game.you : null;
}

export const clockText = (game: Game): string => timeControlText(game.clock);

/** The side to move or the result, for titles and headings. */
export function statusText(game: Game): string {
  if (isOver(game)) return resultText(game);
  if (game.state.status === "waiting") return t("waiting");
  if (game.you === game.state.turn) return t("your_turn");
  if (game.you) return t("opponent_turn");
  return t("their_turn", { name: nameOf(game, game.state.turn) });
}
