/**
 * What somebody wants to play: chosen on the first page, remembered by the browser, and sent to the server as
 * a new game or a wish. Not here: how it is chosen.
 */
import { remember, remembered } from "../board/sounds.ts";
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
  start: number;
  fen: string;
  rated: boolean;
  hidden: boolean;
}

/** A wish as the lobby takes it. */
export interface NewSeek {
  variant: string;
  clock: Clock | null;
  side: Schemas["Side"];
  rated: boolean;
}

const KEY = "lozenge.choice";

const FIRST: Choice = {
  variant: "diamondback",
  against: "engine",
  level: 3,
  side: "random",
  clocks: { engine: "none", friend: "10+5", anybody: "5+3" },
  minutes: 15,
  gain: 10,
  days: 3,
  start: 1,
  fen: "",
  rated: false,
  hidden: false,
};

/** The last choice, as far as it still makes sense; `asked` is the game in the page's address. */
export function lastChoice(games: readonly Schemas["VariantSummary"][], asked: string | null): Choice {
  const kept = parse(remembered(KEY));
  const choice: Choice = { ...FIRST, ...kept, clocks: { ...FIRST.clocks, ...kept.clocks } };
  const known = (id: string | null): id is string => games.some((game) => game.id === id);
  if (known(asked)) return { ...choice, variant: asked, start: 1 };
  return known(choice.variant) ? choice : { ...choice, variant: games[0]?.id ?? FIRST.variant, start: 1 };
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
  remember(KEY, JSON.stringify({ ...choice, fen: "" }));
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
    start: fen === "" && choice.start > 1 ? choice.start : null,
    visibility: choice.hidden ? "private" : "public",
  };
}

export function newSeek(choice: Choice, clock: Clock | null, signedIn: boolean): NewSeek {
  return {
    variant: choice.variant,
    clock,
    side: choice.side,
    rated: signedIn && choice.rated && clock !== null,
  };
}
