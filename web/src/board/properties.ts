/**
 * The properties and attributes of `<loz-board>`. Changes are collected and passed on together, in a microtask. Not
 * here: their effect.
 */
import { DURATION_MS } from "./animation.ts";
import { COLORS } from "./colors.ts";
import { modulo } from "./geometry.ts";
import { ENGLISH, type Texts } from "./texts.ts";
import type { Board, Castling, Color, DrawnShape, Mark, Movable, Piece, ViewName } from "./types.ts";

export interface BoardProperties {
  /** Cells, roles and views of the game. */
  board: Board | null;
  /** The position. A new array always replaces what the user has just moved. */
  pieces: readonly Piece[];
  /** The squares that the last move left and reached. */
  last: readonly number[];
  /** The square of the King in check. */
  check: number | null;
  /** The legal moves, in UCI form. */
  destinations: readonly string[];
  /** Which of the moves are castlings, and by which rook. */
  castlings: readonly Castling[];
  /** By square, where the piece there could go if it were its turn. */
  reach: readonly (readonly number[])[] | null;
  /** The side to move; if null, the side that has moves. */
  turn: Color | null;
  /** Marks of rules diagrams. */
  marks: readonly Mark[];
  /** The user's arrows and circles. */
  drawings: DrawnShape[];
  /** Arrows and circles of the page, which a click does not clear. */
  hints: readonly DrawnShape[];
  /** The time of a piece's movement, in milliseconds. */
  animation: number;
  texts: Texts;
  /** Whether moves are announced to screen readers; off if the page announces them itself. */
  announcesMoves: boolean;
  /** The pieces at the start of this game; if empty, those of the board's first start. */
  start: readonly Piece[];
  /** Whether the page explains pieces: it listens to `inspect`. */
  inspectable: boolean;
}

/** The properties that reflect attributes. */
export interface BoardAttributes {
  /** Null for the usual view of the game. */
  view: ViewName | null;
  movable: Movable;
  /** The repeated squares beyond a joined edge, 0 to 4. By default 1, in a static board only if both edges are joined. */
  ring: number;
  /** The address of the pictures of pieces. */
  sprite: string;
  /** Quarter turns to the left, 0 to 3. */
  turns: number;
  /** A press anywhere puts the only piece there: a diagram of its moves, which are its `reach`. */
  placing: boolean;
  premove: boolean;
  /** A picture: no input, no coordinates. */
  static: boolean;
  /** Whether moves have sounds, if the site's sound setting is on. */
  sound: boolean;
  coordinates: boolean;
  hoverReach: boolean;
  showDestinations: boolean;
}

export type BoardOptions = BoardProperties & BoardAttributes;

const DEFAULTS: BoardProperties = {
  board: null,
  pieces: [],
  last: [],
  check: null,
  destinations: [],
  castlings: [],
  reach: null,
  turn: null,
  marks: [],
  drawings: [],
  hints: [],
  animation: DURATION_MS,
  texts: ENGLISH,
  announcesMoves: true,
  start: [],
  inspectable: false,
};

/** How a property is read from its attribute and written to it; null removes the attribute. */
interface Attribute<T> {
  name: string;
  read(value: string | null, options: BoardOptions): T;
  write(value: T): string | null;
}

const flag = (name: string): Attribute<boolean> => ({
  name,
  read: (value) => value !== null,
  write: (on) => (on ? "" : null),
});

const enabledFlag = (name: string): Attribute<boolean> => ({
  name,
  read: (value) => value !== "off",
  write: (on) => (on ? "on" : "off"),
});

const choice = <T extends string, F extends T | null>(
  name: string,
  values: readonly T[],
  fallback: F,
): Attribute<T | F> => ({
  name,
  read: (value) => values.find((candidate) => candidate === value) ?? fallback,
  write: (value) => value,
});

const ring: Attribute<number> = {
  name: "ring",
  read(value, { board, static: isStatic }) {
    const wrapsBoth = board?.wraps.files && board.wraps.ranks;
    const ring = Number.parseInt(value ?? "", 10);
    return Number.isFinite(ring) ? Math.max(0, Math.min(ring, 4)) : isStatic && !wrapsBoth ? 0 : 1;
  },
  write: String,
};

const turns: Attribute<number> = {
  name: "turns",
  read: (value) => modulo(Number.parseInt(value ?? "", 10) || 0, 4),
  write: (count) => (modulo(count, 4) === 0 ? null : String(modulo(count, 4))),
};

const ATTRIBUTES: { readonly [K in keyof BoardAttributes]: Attribute<BoardAttributes[K]> } = {
  view: choice<ViewName, null>("view", ["diamond", "square"], null),
  movable: choice<Movable, "none">("movable", [...COLORS, "both", "none"], "none"),
  ring,
  sprite: { name: "sprite", read: (value) => value ?? "/pieces.svg", write: String },
  turns,
  placing: flag("placing"),
  premove: flag("premove"),
  static: flag("static"),
  sound: flag("sound"),
  coordinates: enabledFlag("coordinates"),
  hoverReach: enabledFlag("hover-reach"),
  showDestinations: enabledFlag("show-destinations"),
};

/** Changes of these need a new layout. */
export const LAYOUT: readonly string[] = ["board", "start", "view", "turns", "static", "coordinates", "ring"];

const Base = HTMLElement as new () => HTMLElement & BoardOptions;

/** An element with these properties and attributes as accessors. */
export abstract class BoardElement extends Base {
  static readonly observedAttributes = Object.values(ATTRIBUTES).map(({ name }) => name);
  readonly #values: BoardProperties = { ...DEFAULTS };
  readonly #changed = new Set<string>();
  #isScheduled = false;
  #updated: Promise<void> = Promise.resolve();

  static {
    for (const name of Object.keys(DEFAULTS) as (keyof BoardProperties)[]) this.#addProperty(name, name);
    for (const name of Object.keys(ATTRIBUTES) as (keyof BoardAttributes)[]) this.#addAttribute(name);
  }

  static #addProperty<K extends keyof BoardProperties>(name: string, key: K): void {
    Object.defineProperty(this.prototype, name, {
      get(this: BoardElement): BoardProperties[K] {
        return this.#values[key];
      },
      set(this: BoardElement, value: BoardProperties[K]) {
        if (this.#values[key] === value) return;
        this.#values[key] = value;
        this.invalidate(key);
      },
    });
  }

  static #addAttribute<K extends keyof BoardAttributes>(key: K): void {
    const { name, read, write } = ATTRIBUTES[key];
    Object.defineProperty(this.prototype, key, {
      get(this: BoardElement): BoardAttributes[K] {
        return read(this.getAttribute(name), this);
      },
      set(this: BoardElement, value: BoardAttributes[K]) {
        const text = write(value);
        if (text === null) this.removeAttribute(name);
        else this.setAttribute(name, text);
      },
    });
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before !== after) this.invalidate(name);
  }

  /** Settled when the screen shows everything that was set. */
  get updated(): Promise<void> {
    return this.#updated;
  }

  protected invalidate(name: string): void {
    this.#changed.add(name);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#updated = Promise.resolve().then(() => {
      this.#isScheduled = false;
      // Properties that are set before the element is on a page take effect when it is.
      if (!this.isConnected) return;
      const changed = new Set(this.#changed);
      this.#changed.clear();
      this.refresh(changed);
    });
  }

  /** Updates the screen; `changed` has the names of the properties and attributes that were set. */
  protected abstract refresh(changed: ReadonlySet<string>): void;
}
