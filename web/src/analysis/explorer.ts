/** Requests to the explorer: the filter of games, and the answers by position. Not here: the screen. */
import { load, store } from "../board/storage.ts";
import { type Schemas, send } from "../common/api.ts";

export type Explored = Schemas["Explored"];
export type ExploredMove = Schemas["ExploredMove"];

export const SPEEDS = ["bullet", "blitz", "rapid", "classical", "correspondence"] as const;
/** Bounds of ratings; the server rounds to bands of 200. */
export const RATINGS = [1000, 1200, 1400, 1600, 1800, 2000, 2200] as const;
/** How far back games count, in months. */
export const MONTHS = [1, 3, 12] as const;

export interface Filter {
  /** All games, only those of this site, or only the book of engine games. */
  games: "all" | "site" | "book";
  rated: boolean | null;
  speed: (typeof SPEEDS)[number] | null;
  least: number | null;
  most: number | null;
  months: number | null;
}

export const NO_FILTER: Filter = { games: "all", rated: null, speed: null, least: null, most: null, months: null };

const FILTER_KEY = "lozenge.explorer";
const OPEN_KEY = "lozenge.explorer.open";
const MONTH_MS = 30.44 * 24 * 3600_000;
/** Most cached answers. */
const MAX_ANSWERS = 200;

export function loadFilter(): Filter {
  try {
    return { ...NO_FILTER, ...(JSON.parse(load(FILTER_KEY) ?? "{}") as Partial<Filter>) };
  } catch {
    return NO_FILTER;
  }
}

export const saveFilter = (filter: Filter): void => store(FILTER_KEY, JSON.stringify(filter));
export const isExplorerOpen = (): boolean => load(OPEN_KEY) === "on";
export const setExplorerOpen = (open: boolean): void => store(OPEN_KEY, open ? "on" : "off");

/** The query for a position. */
export function queryOf(fen: string, filter: Filter, now: number): string {
  const query = new URLSearchParams({ fen });
  const set = (name: string, value: unknown): void => {
    if (value !== null) query.set(name, String(value));
  };
  set("rated", filter.rated);
  set("speed", filter.speed);
  set("rating_min", filter.least);
  set("rating_max", filter.most);
  set("games", filter.games === "all" ? null : filter.games);
  set("since", filter.months === null ? null : Math.round(now - filter.months * MONTH_MS));
  return query.toString();
}

/** Asks the server, once for each position and filter. */
export class Explorer {
  readonly #variant: string;
  readonly #cache = new Map<string, Promise<Explored>>();

  constructor(variant: string) {
    this.#variant = variant;
  }

  explore(fen: string, filter: Filter): Promise<Explored> {
    const key = JSON.stringify([fen, filter]);
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const path = `/api/explorer/${encodeURIComponent(this.#variant)}?${queryOf(fen, filter, Date.now())}`;
    const request = send<Explored>("GET", path);
    request.catch(() => this.#cache.delete(key));
    if (this.#cache.size >= MAX_ANSWERS) this.#cache.clear();
    this.#cache.set(key, request);
    return request;
  }
}

/** The part of each result in percent, White's first; null without games. */
export function percentages({ white, draws, black }: Pick<ExploredMove, "white" | "draws" | "black">): [number, number, number] | null {
  const all = white + draws + black;
  if (all === 0) return null;
  const [won, drawn] = [Math.round((white * 100) / all), Math.round((draws * 100) / all)];
  return [won, drawn, Math.max(0, 100 - won - drawn)];
}

/** White's score: of 100. */
export const scoreOf = ({ white, draws, black }: Pick<ExploredMove, "white" | "draws" | "black">): number =>
  Math.round(((white + draws / 2) * 100) / Math.max(1, white + draws + black));
