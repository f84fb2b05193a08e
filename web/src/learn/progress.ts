/**
 * The levels that a learner has solved, stored by the browser for each version of a game's rules. Not here: what a level is, and
 * when it is solved.
 */
import { load, store } from "../board/storage.ts";

/** The progress in a course. */
export interface Progress {
  /** Stars by the ids of solved levels, 1 to 3. */
  stars: Record<string, number>;
  /** The game against the engine that a level has begun. */
  game?: { level: string; id: string };
}

/** The number changes when the stored form does. */
const keyOf = (digest: string): string => `lozenge.learn.1.${digest}`;

const isStars = (value: unknown): value is number => value === 1 || value === 2 || value === 3;

/** Reads stored progress; whatever else is stored counts as no progress. */
export function readProgress(text: string | null): Progress {
  try {
    const { stars, game } = JSON.parse(text ?? "{}") as Partial<Record<keyof Progress, unknown>>;
    const entries = Object.entries((stars ?? {}) as object).filter(([, value]) => isStars(value));
    const { level, id } = (game ?? {}) as Partial<Record<"level" | "id", unknown>>;
    const begun = typeof level === "string" && typeof id === "string" ? { game: { level, id } } : {};
    return { stars: Object.fromEntries(entries) as Record<string, number>, ...begun };
  } catch {
    return { stars: {} };
  }
}

export const loadProgress = (digest: string): Progress => readProgress(load(keyOf(digest)));

export function storeProgress(digest: string, progress: Progress): void {
  store(keyOf(digest), JSON.stringify(progress));
}

/** The progress after a level was solved: the best number of stars counts. */
export function withStars(progress: Progress, level: string, stars: number): Progress {
  return { ...progress, stars: { ...progress.stars, [level]: Math.max(stars, progress.stars[level] ?? 0) } };
}

/** The stars for a number of moves: three for par, two for up to half as many again, one for more. */
export function rating(moves: number, par: number): 1 | 2 | 3 {
  if (moves <= par) return 3;
  return moves <= par + Math.ceil(par / 2) ? 2 : 1;
}
