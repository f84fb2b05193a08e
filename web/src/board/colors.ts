/** The colors of players, by how many play. Not here: how they are drawn (`armies`). */
import type { Color, PieceColor, WhiteOrBlack } from "./types.ts";

export const WHITE_AND_BLACK: readonly WhiteOrBlack[] = ["white", "black"];
const FOUR: readonly Color[] = ["red", "blue", "yellow", "green"];

export const COLORS: readonly Color[] = [...WHITE_AND_BLACK, ...FOUR];

const THREE = FOUR.slice(0, 3);

/** Whether more than two play. */
export const isMulti = (players: number | null | undefined): boolean => (players ?? 2) > 2;

/** The colors in the order of turns. */
export const colorsOf = (players: number | null | undefined): readonly Color[] =>
  isMulti(players) ? (players === 3 ? THREE : FOUR) : WHITE_AND_BLACK;

/** The quarter turns to the left that bring a color to the bottom. */
export const turnsOf = (color: Color | null | undefined): number =>
  color === "black" ? 2 : Math.max(0, color ? FOUR.indexOf(color) : 0);

/** The other color of two. */
export const opposite = (color: PieceColor): WhiteOrBlack => (color === "white" ? "black" : "white");
