/** The players of a game, two to four, and the state of each. Pure functions. Not here: words (`game_text`). */
import { colorsOf as colorsFor, turnsOf } from "../board/colors.ts";
import type { Schemas } from "../common/api.ts";

export type SeatState = Schemas["SeatState"];
type Color = Schemas["Color"];
type Game = Schemas["Game"];
type GameState = Schemas["GameState"];
type Player = Schemas["Player"];

type Seated = Pick<Game, "white" | "black" | "seats">;

/** Whether a game has more than two players. */
export const isMulti = ({ seats }: Pick<Game, "seats">): boolean => seats !== undefined && seats.length > 0;

/** The colors in the order of turns. */
export const colorsOf = (game: Pick<Game, "seats">): readonly Color[] => colorsFor(game.seats?.length);

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

/** The state of a seat in a game of three or four. */
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

export const placeOf = (color: Color, turns: number): Place => PLACES[(turnsOf(color) - turns + 4) % 4] ?? "bottom";
