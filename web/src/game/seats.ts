/** The players of a game, two or four, and the state of each. Pure functions. Not here: words (`game_text`). */
import { colorsOf as colorsFor } from "../board/colors.ts";
import type { Schemas } from "../common/api.ts";
import type { Color, Game, GameState, Player } from "./record.ts";

export type SeatState = Schemas["SeatState"];

type Seated = Pick<Game, "white" | "black" | "seats">;

/** Whether a game has four players. */
export const isOfFour = ({ seats }: Pick<Game, "seats">): boolean => seats !== undefined && seats.length > 0;

/** The colors in the order of turns. */
export const colorsOf = (game: Pick<Game, "seats">): readonly Color[] => colorsFor(isOfFour(game) ? 4 : 2);

/** The player of a color; null while the place is free. */
export function playerOf({ white, black, seats }: Seated, color: Color): Player | null {
  if (color === "white") return white ?? null;
  if (color === "black") return black ?? null;
  return seats?.find((seat) => seat.color === color)?.player ?? null;
}

export const partnerOf = ({ seats }: Pick<Game, "seats">, color: Color): Color | null =>
  seats?.find((seat) => seat.color === color)?.partner ?? null;

/** Whether partners play together. */
export const hasTeams = (game: Pick<Game, "seats">): boolean => game.seats?.some(({ partner }) => partner) ?? false;

/** The colors whose place is free. */
export const freeColors = (game: Game): Color[] => colorsOf(game).filter((color) => !playerOf(game, color));

/** The others' colors, in the order of turns after one's own. */
export function otherColors(game: Game): Color[] {
  const colors = colorsOf(game);
  const own = game.you ? colors.indexOf(game.you) : -1;
  return [...colors.slice(own + 1), ...colors.slice(0, Math.max(own, 0))];
}

/** The state of a seat in a game of four. */
export const seatOf = ({ seats }: Pick<GameState, "seats">, color: Color | null | undefined): SeatState | null =>
  seats?.list.find((seat) => seat.color === color) ?? null;

export function isPresent(state: GameState, color: Color): boolean {
  if (color === "white" || color === "black") return state.present[color];
  return seatOf(state, color)?.present ?? false;
}

/** Whether the viewer plays and is not out. */
export const isInGame = (game: Game): boolean => Boolean(game.you) && (seatOf(game.state, game.you)?.living ?? true);

/** The side of the board at which a player sits. */
export type Place = "bottom" | "left" | "top" | "right";

const PLACES: readonly Place[] = ["bottom", "left", "top", "right"];

/** The quarter turns that bring a color to the bottom. */
export const turnsOf = (game: Game, color: Color | null | undefined): number => {
  const colors = colorsOf(game);
  return color ? (Math.max(0, colors.indexOf(color)) * 4) / colors.length : 0;
};

export const placeOf = (game: Game, color: Color, turns: number): Place =>
  PLACES[(turnsOf(game, color) - turns + 4) % 4] ?? "bottom";
