/**
 * What a page sets on `<loz-board>`, and the attributes that stand for some of it. A change is gathered with
 * the others of the same moment and brought to the screen once. Not here: what is done with it.
 */
import { DURATION_MS } from "./animation.ts";
import { ENGLISH, type Texts } from "./texts.ts";
import type { Board, Castling, Color, Drawn, Piece, Mark, Movable, ViewName } from "./types.ts";

const ATTRIBUTES = [
  "view",
  "flipped",
  "movable",
  "premove",
  "placing",
  "static",
  "sprite",
  "sound",
  "coordinates",
  "ring",
  "hover-reach",
  "show-destinations",
] as const;

interface Values {
  board: Board | null;
  pieces: readonly Piece[];
  last: readonly number[];
  check: number | null;
  destinations: readonly string[];
  castlings: readonly Castling[];
  reach: readonly (readonly number[])[] | null;
  turn: Color | null;
  marks: readonly Mark[];
  drawings: Drawn[];
  hints: readonly Drawn[];
  animation: number;
  texts: Texts;
  narrated: boolean;
  start: readonly Piece[];
}

export abstract class Properties extends HTMLElement {
  static readonly observedAttributes = ATTRIBUTES;
  readonly #values: Values = {
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
    narrated: true,
    start: [],
  };
  readonly #tasks = new Set<string>();
  #done: Promise<void> = Promise.resolve();

  /** Settled when everything set so far is on the screen. */
  get updated(): Promise<void> {
    return this.#done;
  }

  /** Brings the screen up to date; `tasks` are the names of what was set. */
  protected abstract refresh(tasks: ReadonlySet<string>): void;

  protected invalidate(task: string): void {
    const first = this.#tasks.size === 0;
    this.#tasks.add(task);
    if (!first) return;
    this.#done = Promise.resolve().then(() => {
      const tasks = new Set(this.#tasks);
      this.#tasks.clear();
      this.refresh(tasks);
    });
  }

  #set<K extends keyof Values>(name: K, value: Values[K]): void {
    if (this.#values[name] === value) return;
    this.#values[name] = value;
    this.invalidate(name === "start" ? "plane" : name);
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    const lays = ["view", "flipped", "static", "coordinates", "ring"].includes(name);
    this.invalidate(lays ? "plane" : name);
  }

  /** Cells, roles and views of the game. */
  get board(): Board | null {
    return this.#values.board;
  }
  set board(value: Board | null) {
    this.#set("board", value);
  }

  /** The position. A new array is the truth, whatever the user has just done. */
  get pieces(): readonly Piece[] {
    return this.#values.pieces;
  }
  set pieces(value: readonly Piece[]) {
    this.#set("pieces", value);
  }

  /** The squares that the last move left and reached. */
  get last(): readonly number[] {
    return this.#values.last;
  }
  set last(value: readonly number[]) {
    this.#set("last", value);
  }

  /** The square of the King in check. */
  get check(): number | null {
    return this.#values.check;
  }
  set check(value: number | null) {
    this.#set("check", value);
  }

  /** The legal moves, in the form of UCI. */
  get destinations(): readonly string[] {
    return this.#values.destinations;
  }
  set destinations(value: readonly string[]) {
    this.#set("destinations", value);
  }

  /** Which of the moves are castlings, and by which rook. */
  get castlings(): readonly Castling[] {
    return this.#values.castlings;
  }
  set castlings(value: readonly Castling[]) {
    this.#set("castlings", value);
  }

  /** By square, where the piece there could go if it were its turn. */
  get reach(): readonly (readonly number[])[] | null {
    return this.#values.reach;
  }
  set reach(value: readonly (readonly number[])[] | null) {
    this.#set("reach", value);
  }

  /** Whose turn it is; without it, the side that has moves. */
  get turn(): Color | null {
    return this.#values.turn;
  }
  set turn(value: Color | null) {
    this.#set("turn", value);
  }

  /** Marks of rules diagrams. */
  get marks(): readonly Mark[] {
    return this.#values.marks;
  }
  set marks(value: readonly Mark[]) {
    this.#set("marks", value);
  }

  /** The user's arrows and circles. */
  get drawings(): Drawn[] {
    return this.#values.drawings;
  }
  set drawings(value: Drawn[]) {
    this.#set("drawings", value);
  }

  /** Arrows and circles of the page, which a click does not clear. */
  get hints(): readonly Drawn[] {
    return this.#values.hints;
  }
  set hints(value: readonly Drawn[]) {
    this.#set("hints", value);
  }

  /** How long a piece travels, in milliseconds. */
  get animation(): number {
    return this.#values.animation;
  }
  set animation(value: number) {
    this.#set("animation", value);
  }

  /** The pieces at the start of this game, where it is not the game's first start. */
  get start(): readonly Piece[] {
    const { start, board } = this.#values;
    return start.length > 0 ? start : (board?.start ?? []);
  }
  set start(value: readonly Piece[]) {
    this.#set("start", value);
  }

  /** Whether changes of the pieces are told to those who do not see them; not where the page tells them itself. */
  get narrated(): boolean {
    return this.#values.narrated;
  }
  set narrated(value: boolean) {
    this.#set("narrated", value);
  }

  /** What the board says. */
  get texts(): Texts {
    return this.#values.texts;
  }
  set texts(value: Texts) {
    this.#set("texts", value);
  }

  /** Without it the board is shown as the game is usually shown. */
  get view(): ViewName | null {
    const view = this.getAttribute("view");
    return view === "diamond" || view === "square" ? view : null;
  }
  set view(value: ViewName | null) {
    if (value === null) this.removeAttribute("view");
    else this.setAttribute("view", value);
  }

  get movable(): Movable {
    const movable = this.getAttribute("movable");
    return movable === "white" || movable === "black" || movable === "both" ? movable : "none";
  }
  set movable(value: Movable) {
    this.setAttribute("movable", value);
  }

  /** How many repeated squares are shown beyond a joined edge: one, and in a mere picture only where a camp needs it. */
  get ring(): number {
    const { wraps } = this.#values.board ?? {};
    const usual = this.static && !(wraps?.files && wraps.ranks) ? 0 : 1;
    const ring = Number.parseInt(this.getAttribute("ring") ?? "", 10);
    return Number.isFinite(ring) ? Math.max(0, Math.min(ring, 4)) : usual;
  }
  set ring(value: number) {
    this.setAttribute("ring", String(value));
  }

  /** The address of the pieces' pictures. */
  get sprite(): string {
    return this.getAttribute("sprite") ?? "/men.svg";
  }
  set sprite(value: string) {
    this.setAttribute("sprite", value);
  }

  get flipped(): boolean {
    return this.hasAttribute("flipped");
  }
  set flipped(value: boolean) {
    this.toggleAttribute("flipped", value);
  }

  /** Whether a press anywhere puts the only piece there: a diagram of its moves, which are its `reach`. */
  get placing(): boolean {
    return this.hasAttribute("placing");
  }
  set placing(value: boolean) {
    this.toggleAttribute("placing", value);
  }

  get premove(): boolean {
    return this.hasAttribute("premove");
  }
  set premove(value: boolean) {
    this.toggleAttribute("premove", value);
  }

  /** A picture only: no input, no coordinates. */
  get static(): boolean {
    return this.hasAttribute("static");
  }
  set static(value: boolean) {
    this.toggleAttribute("static", value);
  }

  /** Whether moves are heard, where the site's switch is on. */
  get sound(): boolean {
    return this.hasAttribute("sound");
  }
  set sound(value: boolean) {
    this.toggleAttribute("sound", value);
  }

  /** On unless `off`. */
  get coordinates(): boolean {
    return this.getAttribute("coordinates") !== "off";
  }
  set coordinates(value: boolean) {
    this.setAttribute("coordinates", value ? "on" : "off");
  }

  get hoverReach(): boolean {
    return this.getAttribute("hover-reach") !== "off";
  }
  set hoverReach(value: boolean) {
    this.setAttribute("hover-reach", value ? "on" : "off");
  }

  get showDestinations(): boolean {
    return this.getAttribute("show-destinations") !== "off";
  }
  set showDestinations(value: boolean) {
    this.setAttribute("show-destinations", value ? "on" : "off");
  }
}
