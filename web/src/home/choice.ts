/**
 * What somebody wants to play: chosen on the first page, remembered by the browser, and sent to the server as
 * a new game or a seek. Not here: how it is chosen.
 */
import { load, store } from "../board/storage.ts";
import type { Schemas } from "../common/api.ts";
import { type Clock, correspondence, live, preset } from "../common/clocks.ts";

export type Against = "engine" | "friend" | "anybody";

/** `none`, `days`, `own`, or a preset such as `3+2`. */
export type ClockName = string;

export interface Choice {
  variant: string;
  against: Against;
  level: number;
  side: Schemas["Side"];
  /** Each kind of opponent has its own usual clock. */
  clocks: Record<Against, ClockName>;
  minutes: number;
  gain: number;
  days: number;
  /** The game's own start of this number, from 0; null for one by lot, where there are several. */
  start: number | null;
  fen: string;
  rated: boolean;
  hidden: boolean;
  /** Which ratings an opponent from the lobby may have; null without a bound. */
  ratingMin: number | null;
  ratingMax: number | null;
}

/** A seek as the lobby takes it. */
export interface NewSeek {
  variant: string;
  clock: Clock | null;
  side: Schemas["Side"];
  rated: boolean;
  rating_min: number | null;
  rating_max: number | null;
}

/** Told apart from what was kept when starts were counted from 1. */
const KEY = "lozenge.choice.3";

const FIRST: Choice = {
  variant: "diamondback",
  against: "engine",
  level: 3,
  side: "random",
  clocks: { engine: "none", friend: "10+5", anybody: "5+3" },
  minutes: 15,
  gain: 10,
  days: 3,
  start: null,
  fen: "",
  rated: false,
  hidden: false,
  ratingMin: null,
  ratingMax: null,
};

/** What the page's address asks for: `?variant=…`, with it `start=…` or `fen=…`. */
export interface Asked {
  variant: string | null;
  start: number | null;
  fen: string;
}

/** The words behind the `?` of an address. `game` is the older name of `variant`; a FEN's spaces may be `_`. */
export function asked(search: string): Asked {
  const words = new URLSearchParams(search);
  const start = Number(words.get("start") || NaN);
  return {
    variant: words.get("variant") ?? words.get("game"),
    start: Number.isInteger(start) && start >= 0 ? start : null,
    fen: (words.get("fen") ?? "").replaceAll("_", " ").trim(),
  };
}

/** The last choice, as far as it still makes sense, with what the page's address asks for. */
export function lastChoice(games: readonly Schemas["VariantSummary"][], wanted: Asked): Choice {
  const kept = parse(load(KEY));
  const choice: Choice = { ...FIRST, ...kept, fen: "", clocks: { ...FIRST.clocks, ...kept.clocks } };
  const find = (id: string | null) => games.find((game) => game.id === id);
  const game = find(wanted.variant);
  // Of a game that is not here no position can be shown.
  const lost = wanted.variant !== null && !game;
  const fen = lost ? "" : wanted.fen;
  const named = game && game.starts > 1 && fen === "" ? wanted.start : null;
  const start = game && named !== null && named < game.starts ? named : null;
  // Whoever waits in the lobby does not choose the start.
  const against = (fen !== "" || start !== null) && choice.against === "anybody" ? "engine" : choice.against;
  if (game) return { ...choice, against, variant: game.id, start, fen };
  const variant = find(choice.variant)?.id ?? games[0]?.id ?? FIRST.variant;
  return { ...choice, against, variant, start: variant === choice.variant && fen === "" ? choice.start : null, fen };
}

/** The address of the picture of what is chosen: of the usual start where the lot decides, as in the lobby. */
export function startPicture(choice: Choice): string {
  const query = new URLSearchParams();
  const fen = choice.fen.trim();
  if (choice.against !== "anybody") {
    if (fen !== "") query.set("fen", fen);
    else if (choice.start !== null && choice.start > 0) query.set("start", String(choice.start));
  }
  return `/api/variants/${choice.variant}/picture.svg${query.size > 0 ? `?${query}` : ""}`;
}

function parse(text: string | null): Partial<Choice> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Partial<Choice>) : {};
  } catch {
    return {};
  }
}

/** A position is for once, so it is not remembered. */
export function keepChoice(choice: Choice): void {
  store(KEY, JSON.stringify({ ...choice, fen: "" }));
}

export function clockName(choice: Choice): ClockName {
  return choice.clocks[choice.against];
}

/** The chosen clock; `undefined` when what was typed is none. */
export function clockOf(choice: Choice): Clock | null | undefined {
  const name = clockName(choice);
  if (name === "none") return null;
  if (name === "days") return correspondence(choice.days);
  const clock = name === "own" ? live(choice.minutes, choice.gain) : preset(name);
  return clock ?? undefined;
}

/** Whether the game could count for ratings. */
export function canBeRated(choice: Choice): boolean {
  return clockName(choice) !== "none" && choice.fen.trim() === "" && choice.against !== "engine";
}

export function newGame(choice: Choice, clock: Clock | null, signedIn: boolean): Schemas["NewGame"] {
  const fen = choice.fen.trim();
  return {
    variant: choice.variant,
    opponent: choice.against === "engine" ? { kind: "engine", level: choice.level } : { kind: "link" },
    side: choice.side,
    clock,
    rated: signedIn && choice.rated && canBeRated(choice),
    fen: fen === "" ? null : fen,
    start: fen === "" ? choice.start : null,
    visibility: choice.hidden ? "private" : "public",
  };
}

/** Whether the lowest rating of an opponent is above the highest. */
export function isEmptyRange({ ratingMin, ratingMax }: Choice): boolean {
  return ratingMin !== null && ratingMax !== null && ratingMin > ratingMax;
}

export function newSeek(choice: Choice, clock: Clock | null, signedIn: boolean): NewSeek {
  // The form shows the range only there.
  const ranged = choice.against === "anybody";
  return {
    variant: choice.variant,
    clock,
    side: choice.side,
    rated: signedIn && choice.rated && clock !== null,
    rating_min: ranged ? choice.ratingMin : null,
    rating_max: ranged ? choice.ratingMax : null,
  };
}
