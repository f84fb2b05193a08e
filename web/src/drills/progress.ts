/** The endings that a player has won, stored by the browser for each version of a game's rules. */
import { load, store } from "../board/storage.ts";

/** The wins of one class. */
export interface ClassRecord {
  wins: number;
  /** The fewest moves over par of a win without hints; null before the first. */
  best: number | null;
}

export type Records = Readonly<Record<string, ClassRecord>>;

/** The number changes when the stored form does. */
const keyOf = (digest: string): string => `lozenge.drills.1.${digest}`;

const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

/** Reads what is stored; anything else counts as nothing. */
export function readRecords(text: string | null): Records {
  try {
    const entries = Object.entries(JSON.parse(text ?? "{}") as object).flatMap(([name, value]) => {
      const { wins, best } = (value ?? {}) as Partial<Record<keyof ClassRecord, unknown>>;
      return isCount(wins) ? [[name, { wins, best: isCount(best) ? best : null }] as const] : [];
    });
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

export const loadRecords = (digest: string): Records => readRecords(load(keyOf(digest)));

export function storeRecords(digest: string, records: Records): void {
  store(keyOf(digest), JSON.stringify(records));
}

/** The records after a win; `over` is null for one with a hint. */
export function withWin(records: Records, name: string, over: number | null): Records {
  const { wins, best } = records[name] ?? { wins: 0, best: null };
  const least = over === null ? best : Math.min(over, best ?? over);
  return { ...records, [name]: { wins: wins + 1, best: least } };
}
