/**
 * Which men moved between two positions, and how long a movement takes. The board is told positions, not
 * moves, so movements are found by comparing. Not here: how a movement is shown (`men`).
 */
import type { Man } from "./types.ts";

export const DURATION_MS = 200;

export interface Change {
  /** Men that stay or arrive, each with the square it came from; null for one that appears. */
  men: { man: Man; from: number | null }[];
  /** Men that are gone. */
  gone: Man[];
}

const same = (a: Man, b: Man): boolean => a.role === b.role && a.color === b.color;

/**
 * Compares two positions. A man that arrives came from where the last move began when a man of its color
 * left there (so a promoted pawn moves too), otherwise from the nearest square that such a man left.
 */
export function compare(
  before: readonly Man[],
  after: readonly Man[],
  last: readonly number[],
  distance: (from: number, to: number) => number,
): Change {
  const stood = new Map(before.map((man) => [man.square, man]));
  const change: Change = { men: [], gone: [] };
  const arrived: Man[] = [];
  for (const man of after) {
    const earlier = stood.get(man.square);
    if (earlier && same(earlier, man)) {
      change.men.push({ man, from: man.square });
      stood.delete(man.square);
    } else {
      arrived.push(man);
    }
  }
  const [start, end] = [last[0], last[last.length - 1]];
  for (const man of arrived) {
    const left = [...stood.values()];
    const mover = left.find(
      (other) => man.square === end && other.square === start && other.color === man.color,
    );
    const alike = left
      .filter((other) => same(other, man))
      .sort((a, b) => distance(a.square, man.square) - distance(b.square, man.square));
    const source = mover ?? alike[0];
    change.men.push({ man, from: source?.square ?? null });
    if (source) stood.delete(source.square);
  }
  change.gone.push(...stood.values());
  return change;
}

/** How long movements take: not at all for who asked the system for less motion. */
export function duration(wanted: number): number {
  const calm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
  return calm ? 0 : wanted;
}
