/** A game in words: players, time control, result. */
import { timeControlText } from "../common/time_control.ts";
import { nameOf as displayName } from "../common/player_names.ts";
import { type Color, type Game, isOver, moveNumber, type Player } from "./record.ts";
import { colorsOf, hasTeams, isInGame, isMulti, playerOf, type SeatState, seatOf } from "./seats.ts";
import { type GameText, t } from "./texts.ts";

export function playerName(player: Player): string {
  return player.kind === "engine" ? t("engine", { level: player.level ?? 8 }) : displayName(player);
}

export function nameOf(game: Game, color: Color): string {
  const player = playerOf(game, color);
  return player ? playerName(player) : t("open_place");
}

/** A player in a sentence: of two the name, of four the color, since names such as those of engines can be equal. */
export const calledOf = (game: Game, color: Color): string => (isMulti(game) ? t(color) : nameOf(game, color));

/** A half move as text: `3… Nf6`, and of four players `3. Blue Nf6`. */
export function moveText(game: Game, index: number): string {
  const { number, color } = moveNumber(game, index);
  const { san = "" } = game.history[index] ?? {};
  if (!isMulti(game)) return `${number}${color === "white" ? "." : "…"} ${san}`;
  return `${number}. ${t(color)} ${sanText(san)}`;
}

/** A move as it is written in lists: `R` and `T` are the ends of a player of four. */
export const sanText = (san: string): string => (san === "R" ? t("resigned") : san === "T" ? t("out_of_time") : san);

/** `White wins by reaching the goal.` */
export function resultText(game: Game): string {
  const [winner, reason] = [winnerText(game), reasonText(game)];
  return reason ? `${winner} ${reason}.` : `${winner}.`;
}

/** The colors that have won; all that share the first place. None in an aborted game, and in a draw of two sides. */
export function winnersOf(game: Game): Color[] {
  const { result } = game.state;
  const colors = colorsOf(game);
  if (result === "1-0" || result === "0-1") {
    // Partners sit across from each other.
    return colors.filter((_, index) => index % 2 === (result === "1-0" ? 0 : 1));
  }
  return colors.filter((color) => seatOf(game.state, color)?.place === 1);
}

export function winnerText(game: Game): string {
  const { result, reason } = game.state;
  if (result === "*" || reason === "aborted") return t("result_none");
  const winners = winnersOf(game);
  if (winners.length === 0 || winners.length === colorsOf(game).length) return t("result_draw");
  if (!isMulti(game)) return t(winners[0] === "white" ? "result_white" : "result_black");
  const names = listText(winners.map((color) => t(color)));
  if (winners.length === 1) return t("result_one", { names });
  return t(hasTeams(game) ? "result_team" : "result_shared", { names });
}

/** `Red, Blue and Green`. */
function listText(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : t("and", { some: names.slice(0, -1).join(", "), last });
}

/** How a game ended; where everyone plays alone, the pieces on the board decide the places of a draw. */
export function reasonText(game: Game): string {
  const { reason } = game.state;
  const text = plainReason(game);
  const isRanked = isMulti(game) && !hasTeams(game) && reason !== "decided" && reason !== "aborted";
  const isPlaced = isRanked && winnersOf(game).length < colorsOf(game).length;
  return isPlaced && text ? t("on_material", { reason: text }) : text;
}

function plainReason(game: Game): string {
  const { reason, seats } = game.state;
  if (!reason) return "";
  if (reason === "decided" && hasTeams(game)) {
    const exit = seats?.list.find((seat) => seat.exit)?.exit;
    return exit ? t(`reason_${exit}`) : "";
  }
  if (reason === "dead" && isMulti(game)) return t("reason_dead_four");
  return t(`reason_${reason}` as GameText);
}

/** Whether the viewer has won; null for a draw, an aborted game, a lower place of four, and spectators. */
export function hasWon(game: Game): boolean | null {
  const winners = winnersOf(game);
  if (!game.you || winners.length === 0 || winners.length === colorsOf(game).length) return null;
  if (winners.includes(game.you)) return true;
  return isMulti(game) && !hasTeams(game) ? null : false;
}

/** The status of a player of four, shown beside the name: the most important only. */
export function seatText({ living, exit, agrees, resigns }: SeatState, isChecked: boolean, hasPassed: boolean, isOver: boolean): string {
  if (exit) return t(`exit_${exit}`);
  // The game began without this player.
  if (!living) return t("out");
  if (isChecked) return t("in_check");
  if (hasPassed) return t("passed");
  // Wishes end with the game.
  if (isOver) return "";
  if (resigns) return t("resigns");
  return agrees ? t("agrees") : "";
}

export const clockText = (game: Game): string => timeControlText(game.clock);

/** The side to move or the result, for titles and headings. */
export function statusText(game: Game): string {
  if (isOver(game)) return resultText(game);
  if (game.state.status === "waiting") return t("waiting");
  if (game.you === game.state.turn) return t("your_turn");
  if (isMulti(game)) return t(game.you && !isInGame(game) ? "you_are_out" : "spectator_turn", { side: t(game.state.turn) });
  if (game.you) return t("opponent_turn");
  return t("their_turn", { name: nameOf(game, game.state.turn) });
}
