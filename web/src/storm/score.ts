/** The rules of a storm: time, combo and score. As on lichess. */

export const START_MS = 180_000;
export const PENALTY_MS = 10_000;

/** The right moves in a row that add time, and how much. */
const BONUSES: readonly (readonly [moves: number, ms: number])[] = [
  [5, 3_000],
  [12, 5_000],
  [20, 7_000],
  [30, 10_000],
];
/** After the last bonus, the interval at which it is added again, in moves. */
const EVERY = 10;

/** The bonus for a combo of this length, in milliseconds. */
export function bonusOf(combo: number): number {
  const named = BONUSES.find(([moves]) => moves === combo);
  if (named) return named[1];
  const [last, most] = BONUSES[BONUSES.length - 1] ?? [0, 0];
  return combo > last && (combo - last) % EVERY === 0 ? most : 0;
}

/** How far a combo is from the last bonus to the next, from 0 to 1. */
export function comboProgress(combo: number): number {
  let [from, to] = [0, 0];
  for (let moves = 1; to === 0; moves += 1) {
    if (bonusOf(moves) === 0) continue;
    if (moves > combo) to = moves;
    else from = moves;
  }
  return (combo - from) / (to - from);
}
