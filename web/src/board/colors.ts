/** The colors of players, by how many play. Not here: how they are drawn (`armies`). */
import type { Color, PieceColor, WhiteOrBlack } from "./types.ts";

export const WHITE_AND_BLACK: readonly WhiteOrBlack[] = ["white", "black"];
const FOUR: readonly Color[] = ["red", "blue", "yellow", "green"];

export const COLORS: readonly Color[] = [...WHITE_AND_BLACK, ...FOUR];

/** The colors in the order of turns. */
export const colorsOf = (players: number | undefined): readonly Color[] => (players === 4 ? FOUR : WHITE_AND_BLACK);

/** The other color of two. */
export const opposite = (color: PieceColor): WhiteOrBlack => (color === "white" ? "black" : "white");
