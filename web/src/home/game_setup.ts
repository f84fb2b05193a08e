/**
 * The setup of a new game: stored by the browser and sent to the server as a new game or a seek. Not here: the form
 * (`setup_form`).
 */
import { isMulti } from "../board/colors.ts";
import { load, store } from "../board/storage.ts";
import type { Schemas } from "../common/api.ts";
import { type Clock, correspondence, liveClock, presetClock } from "../common/time_control.ts";

export type Against = "engine" | "friend" | "anybody";

/** `none`, `days`, `own`, or a preset such as `3+2`. */
export type ClockName = string;

export interface GameSetup {
  variant: string;
  against: Against;
  level: number;
  side: Schemas["Side"];
  /** Each kind of opponent has its own default time control. */
  clocks: Record<Against, ClockName>;
  minutes: number;
  increment: number;
  days: number;
  /** The number of the starting position, from 0; null for a random one. */
  start: number | null;
  fen: string;
  rated: boolean;
  hidden: boolean;
  /** The rating range of an opponent from the lobby; null for no bound. */
  ratingMin: number | null;
  ratingMax: number | null;
  /** The seats of a game of four, in the order of the turns. */
  seats: NewSeat[];
  /** Whether the seats are turned by lot, so that neighbors and partners stay the same. */
  randomSeat: boolean;
  /** After how many seconds the engine takes the free seats of a game of four; null for never. */
  fill: number | null;
}

export type NewSeat = Schemas["NewSeat"];

/** A seek as sent to the lobby. */
export type NewSeek = Schemas["NewSeek"];

/** The number changes when the stored form does. */
const SETUP_KEY = "lozenge.setup.4";

/** The first suggestion is the game of the five that ends soonest: half of the engine's games within 54 moves. */
const DEFAULT_SETUP: GameSetup = {
  variant: "diamond",
  against: "engine",
  level: 3,
  side: "random",
  clocks: { engine: "none", friend: "10+5", anybody: "5+3" },
  minutes: 15,
  increment: 10,
  days: 3,
  start: null,
  fen: "",
  rated: true,
  hidden: false,
  ratingMin: null,
  ratingMax: null,
  seats: [{ kind: "me" }, { kind: "engine", level: 3 }, { kind: "engine", level: 3 }, { kind: "engine", level: 3 }],
  randomSeat: false,
  fill: null,
};

/** Whether a place is left free for a person. */
export const hasFreeSeat = (seats: readonly NewSeat[]): boolean => seats.some(({ kind }) => kind === "link" || kind === "anybody");

/** Whether a game of four comes into the lobby. */
export const isForAnybody = (seats: readonly NewSeat[]): boolean => seats.some(({ kind }) => kind === "anybody");

/** A game of four counts as one against a friend as soon as a place is free. */
export const againstOf = (seats: readonly NewSeat[]): Against => (hasFreeSeat(seats) ? "friend" : "engine");

/** The seats after another choice for one of them. The maker sits on exactly one. */
export function seated(seats: readonly NewSeat[], index: number, chosen: NewSeat): NewSeat[] {
  const mine = seats.findIndex(({ kind }) => kind === "me");
  const before = seats[index] ?? chosen;
  // A maker who gives up their seat takes the next one.
  const next = (index + 1) % seats.length;
  return seats.map((seat, at) => {
    if (at === index) return chosen;
    if (chosen.kind === "me" && at === mine) return before;
    return chosen.kind !== "me" && index === mine && at === next ? { kind: "me" } : seat;
  });
}

type Variants = readonly Pick<Schemas["VariantSummary"], "id" | "players">[];

/** How many play a game. */
export const playersIn = (games: Variants, id: string): number => games.find((game) => game.id === id)?.players ?? 2;

/** The seats for another number of players: further ones are the engine's, and the maker keeps one. */
export function seatsFor(seats: readonly NewSeat[], players: number): NewSeat[] {
  if (!isMulti(players)) return [...seats];
  const kept = seats.slice(0, players);
  while (kept.length < players) kept.push({ kind: "engine", level: 3 });
  if (!kept.some(({ kind }) => kind === "me")) kept[players - 1] = { kind: "me" };
  return kept;
}

/** The parameters of the address: `?variant=…`, with `start=…` or `fen=…`. */
export interface AddressParameters {
  variant: string | null;
  start: number | null;
  fen: string;
}

/** Parses the query string. `game` is the former name of `variant`; the spaces of a FEN may be `_`. */
export function readAddress(search: string): AddressParameters {
  const parameters = new URLSearchParams(search);
  const start = Number(parameters.get("start") || NaN);
  return {
    variant: parameters.get("variant") ?? parameters.get("game"),
    start: Number.isInteger(start) && start >= 0 ? start : null,
    fen: (parameters.get("fen") ?? "").replaceAll("_", " ").trim(),
  };
}

/** The last setup as far as it is still valid, changed by the parameters of the address. */
export function loadSetup(games: readonly Schemas["VariantSummary"][], parameters: AddressParameters): GameSetup {
  const stored = parse(load(SETUP_KEY));
  const setup: GameSetup = { ...DEFAULT_SETUP, ...stored, fen: "", clocks: { ...DEFAULT_SETUP.clocks, ...stored.clocks } };
  const findGame = (id: string | null) => games.find((game) => game.id === id);
  const game = findGame(parameters.variant);
  // A FEN makes no sense for an unknown game.
  const isUnknownGame = parameters.variant !== null && !game;
  const fen = isUnknownGame ? "" : parameters.fen;
  const requestedStart = game && game.starts > 1 && fen === "" ? parameters.start : null;
  const start = game && requestedStart !== null && requestedStart < game.starts ? requestedStart : null;
  // The lobby has no setup of the starting position.
  const players = playersIn(games, game?.id ?? setup.variant);
  setup.seats = seatsFor(setup.seats, players);
  const isByLink = isMulti(players) ? againstOf(setup.seats) : setup.against;
  const against = (fen !== "" || start !== null) && isByLink === "anybody" ? "engine" : isByLink;
  if (game) return { ...setup, against, variant: game.id, start, fen };
  const variant = findGame(setup.variant)?.id ?? games[0]?.id ?? DEFAULT_SETUP.variant;
  return { ...setup, against, variant, start: variant === setup.variant && fen === "" ? setup.start : null, fen };
}

/** The address of the picture of the starting position; that of the usual one if it is random. */
export function startPicture(setup: GameSetup): string {
  const query = new URLSearchParams();
  const fen = setup.fen.trim();
  if (setup.against !== "anybody") {
    if (fen !== "") query.set("fen", fen);
    else if (setup.start !== null && setup.start > 0) query.set("start", String(setup.start));
  }
  return `/api/variants/${setup.variant}/picture.svg${query.size > 0 ? `?${query}` : ""}`;
}

function parse(text: string | null): Partial<GameSetup> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Partial<GameSetup>) : {};
  } catch {
    return {};
  }
}

/** The FEN is not stored. */
export function saveSetup(setup: GameSetup): void {
  store(SETUP_KEY, JSON.stringify({ ...setup, fen: "" }));
}

export function clockName(setup: GameSetup): ClockName {
  return setup.clocks[setup.against];
}

/** The chosen time control; `undefined` if the input is invalid. */
export function clockOf(setup: GameSetup): Clock | null | undefined {
  const name = clockName(setup);
  if (name === "none") return null;
  if (name === "days") return correspondence(setup.days);
  const clock = name === "own" ? liveClock(setup.minutes, setup.increment) : presetClock(name);
  return clock ?? undefined;
}

/** Whether users have made the game: its id is `~` and a name, or the digest of a version. */
const isByUsers = (variant: string): boolean => variant.startsWith("~") || variant.length === 64;

/** Whether the game can be rated. */
export function canBeRated(setup: GameSetup): boolean {
  return !isByUsers(setup.variant) && clockName(setup) !== "none" && setup.fen.trim() === "" && setup.against !== "engine";
}

/** Whether a game of four can be rated: the engine has no seat, and gets none. */
export function canMultiBeRated(setup: GameSetup): boolean {
  return !isByUsers(setup.variant) && clockName(setup) !== "none" && setup.fen.trim() === "" && setup.fill === null && setup.seats.every(({ kind }) => kind !== "engine");
}

export function newGame(setup: GameSetup, clock: Clock | null, signedIn: boolean): Schemas["NewGame"] {
  const fen = setup.fen.trim();
  return {
    variant: setup.variant,
    opponent: setup.against === "engine" ? { kind: "engine", level: setup.level } : { kind: "link" },
    side: setup.side,
    clock,
    rated: signedIn && setup.rated && canBeRated(setup),
    fen: fen === "" ? null : fen,
    start: fen === "" ? setup.start : null,
    visibility: setup.hidden ? "private" : "public",
  };
}

/** Whether no person has the seat of a player who is out in a position; the last field of its FEN is those who live and those who do not. */
function livesEverywhere(seats: readonly NewSeat[], fen: string): boolean {
  const [, out = ""] = fen.split(/\s+/)[6]?.split("/") ?? [];
  return seats.every(({ kind }, index) => kind === "engine" || !out.includes("rbyg"[index] ?? "-"));
}

/** `lot` is a random number below 1. */
export function newMultiGame(setup: GameSetup, clock: Clock | null, signedIn: boolean, lot = Math.random()): Schemas["NewGame"] {
  const { seats, fill, level, variant, hidden, randomSeat } = setup;
  const fen = setup.fen.trim();
  const turned = randomSeat ? seats.map((_, turn) => [...seats.slice(turn), ...seats.slice(0, turn)]) : [];
  const possible = turned.filter((order) => livesEverywhere(order, fen));
  return {
    variant,
    seats: possible[Math.floor(lot * possible.length)] ?? [...seats],
    clock,
    rated: signedIn && setup.rated && canMultiBeRated(setup),
    visibility: hidden && !isForAnybody(seats) ? "private" : "public",
    ...(fen !== "" && { fen }),
    ...(hasFreeSeat(seats) && fill !== null && { fill: { after_s: fill, level } }),
  };
}

/** Whether the minimum rating is above the maximum. */
export function isEmptyRange({ ratingMin, ratingMax }: GameSetup): boolean {
  return ratingMin !== null && ratingMax !== null && ratingMin > ratingMax;
}

export function newSeek(setup: GameSetup, clock: Clock | null, signedIn: boolean): NewSeek {
  // The form has a range only for the lobby.
  const hasRange = setup.against === "anybody";
  return {
    variant: setup.variant,
    clock,
    side: setup.side,
    rated: signedIn && setup.rated && clock !== null && !isByUsers(setup.variant),
    rating_min: hasRange ? setup.ratingMin : null,
    rating_max: hasRange ? setup.ratingMax : null,
  };
}
