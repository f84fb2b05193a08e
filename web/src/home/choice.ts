/**
 * The setup of a new game: stored by the browser and sent to the server as a new game or a seek. Not here: the form
 * (`setup_form`).
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
  /** Each kind of opponent has its own default time control. */
  clocks: Record<Against, ClockName>;
  minutes: number;
  gain: number;
  days: number;
  /** The number of the starting position, from 0; null for a random one. */
  start: number | null;
  fen: string;
  rated: boolean;
  hidden: boolean;
  /** The rating range of an opponent from the lobby; null for no bound. */
  ratingMin: number | null;
  ratingMax: number | null;
}

/** A seek as sent to the lobby. */
export interface NewSeek {
  variant: string;
  clock: Clock | null;
  side: Schemas["Side"];
  rated: boolean;
  rating_min: number | null;
  rating_max: number | null;
}

/** The number changes when the stored form does. */
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

/** The parameters of the address: `?variant=…`, with `start=…` or `fen=…`. */
export interface Asked {
  variant: string | null;
  start: number | null;
  fen: string;
}

/** Parses the query string. `game` is the former name of `variant`; the spaces of a FEN may be `_`. */
export function asked(search: string): Asked {
  const words = new URLSearchParams(search);
  const start = Number(words.get("start") || NaN);
  return {
    variant: words.get("variant") ?? words.get("game"),
    start: Number.isInteger(start) && start >= 0 ? start : null,
    fen: (words.get("fen") ?? "").replaceAll("_", " ").trim(),
  };
}

/** The last setup as far as it is still valid, changed by the parameters of the address. */
export function lastChoice(games: readonly Schemas["VariantSummary"][], wanted: Asked): Choice {
  const kept = parse(load(KEY));
  const choice: Choice = { ...FIRST, ...kept, fen: "", clocks: { ...FIRST.clocks, ...kept.clocks } };
  const find = (id: string | null) => games.find((game) => game.id === id);
  const game = find(wanted.variant);
  // A FEN makes no sense for an unknown game.
  const lost = wanted.variant !== null && !game;
  const fen = lost ? "" : wanted.fen;
  const named = game && game.starts > 1 && fen === "" ? wanted.start : null;
  const start = game && named !== null && named < game.starts ? named : null;
  // The lobby has no choice of the starting position.
  const against = (fen !== "" || start !== null) && choice.against === "anybody" ? "engine" : choice.against;
  if (game) return { ...choice, against, variant: game.id, start, fen };
  const variant = find(choice.variant)?.id ?? games[0]?.id ?? FIRST.variant;
  return { ...choice, against, variant, start: variant === choice.variant && fen === "" ? choice.start : null, fen };
}

/** The address of the picture of the starting position; that of the usual one if it is random. */
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

/** The FEN is not stored. */
export function keepChoice(choice: Choice): void {
  store(KEY, JSON.stringify({ ...choice, fen: "" }));
}

export function clockName(choice: Choice): ClockName {
  return choice.clocks[choice.against];
}

/** The chosen time control; `undefined` if the input is invalid. */
export function clockOf(choice: Choice): Clock | null | undefined {
  const name = clockName(choice);
  if (name === "none") return null;
  if (name === "days") return correspondence(choice.days);
  const clock = name === "own" ? live(choice.minutes, choice.gain) : preset(name);
  return clock ?? undefined;
}

/** Whether the game can be rated. */
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

/** Whether the minimum rating is above the maximum. */
export function isEmptyRange({ ratingMin, ratingMax }: Choice): boolean {
  return ratingMin !== null && ratingMax !== null && ratingMin > ratingMax;
}

export function newSeek(choice: Choice, clock: Clock | null, signedIn: boolean): NewSeek {
  // The form has a range only for the lobby.
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
