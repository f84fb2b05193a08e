/** The colors of players, by how many play. Not here: how they are drawn (`armies`). */
import type { Color } from "./types.ts";

const TWO: readonly Color[] = ["white", "black"];
const FOUR: readonly Color[] = ["red", "blue", "yellow", "green"];

export const COLORS: readonly Color[] = [...TWO, ...FOUR];

/** The colors in the order of turns. */
export const colorsOf = (players: number | undefined): readonly Color[] => (players === 4 ? FOUR : TWO);
