/** Annotation glyphs of PGN: those that judge the move, and those that judge the position. */
export const MOVE_NAGS: readonly (readonly [nag: number, text: string])[] = [
  [1, "!"],
  [2, "?"],
  [3, "!!"],
  [4, "??"],
  [5, "!?"],
  [6, "?!"],
  [7, "□"],
];

/** Many systems have no font with ⩲ and ⩱, which older books write as here. */
export const POSITION_NAGS: readonly (readonly [nag: number, text: string])[] = [
  [10, "="],
  [13, "∞"],
  [14, "+/="],
  [15, "=/+"],
  [16, "±"],
  [17, "∓"],
  [18, "+−"],
  [19, "−+"],
];

/** Those of games of four: without those that name White or Black. */
export const POSITION_NAGS_OF_FOUR = POSITION_NAGS.filter(([nag]) => nag < 14);

const TEXTS = new Map([...MOVE_NAGS, ...POSITION_NAGS]);

/** Glyphs as they stand behind a move. */
export const nagText = (nags: readonly number[]): string =>
  nags.map((nag) => ((nag < 8 ? "" : " ") + (TEXTS.get(nag) ?? `$${nag}`))).join("");
