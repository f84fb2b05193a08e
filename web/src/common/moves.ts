/** Moves as text. */

/** A move without signs of check and capture, as it is typed. */
export const withoutSigns = (move: string): string => move.replace(/[x+#]/g, "");
