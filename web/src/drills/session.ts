/**
 * The state of the page: the classes, the ending that is being won, its moves. The defense plays by the endgame table.
 * Notifies its subscribers of every change. Not here: the screen.
 */
import type { Board, ByColor } from "../board/types.ts";
import { type Schemas, send } from "../common/api.ts";
import { EnteredMove } from "../common/entered_move.ts";
import { errorText } from "../common/errors.ts";
import { withoutSigns } from "../common/moves.ts";
import { loadRecords, type Records, storeRecords, withWin } from "./progress.ts";
import { type Text, t } from "./texts.ts";

export type DrillClass = Schemas["DrillClass"];
type Drill = Schemas["DrillPosition"];
type Position = Schemas["Position"];
type Table = Schemas["TablePosition"];
type Step = Schemas["Step"];

/** A position is being drawn, the user may move, the move is checked and answered, the win is lost, or the ending is won. */
export type Phase = "preparing" | "find" | "checking" | "thrown" | "won";

/** Before the defense moves, in milliseconds. */
const REPLY_DELAY_MS = 350;

/** The requests to the site, and chance: replaced in tests. */
export interface Services {
  classes(): Promise<DrillClass[]>;
  draw(name: string): Promise<Drill>;
  position(fen: string, moves: readonly string[], known: number): Promise<Position>;
  table(fen: string): Promise<Table>;
  delay(ms: number): Promise<void>;
  /** A number from 0 to 1, without 1. */
  random(): number;
}

export function siteServices(variant: string): Services {
  const path = `/api/drills/${encodeURIComponent(variant)}`;
  return {
    classes: async () => (await send<Schemas["Drills"]>("GET", path)).classes,
    draw: (name) => send<Drill>("GET", `${path}/${encodeURIComponent(name)}`),
    position: (fen, moves, known) => send<Position>("POST", "/api/positions", { variant, fen, moves, known }),
    table: (fen) => send<Table>("GET", `/api/tables/${encodeURIComponent(variant)}?${new URLSearchParams({ fen })}`),
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    random: Math.random,
  };
}

export class Session {
  readonly board: Board;
  classes: readonly DrillClass[] | null = null;
  records: Records;
  /** The open class; null for the overview. */
  open: DrillClass | null = null;
  phase: Phase = "preparing";
  drill: Drill | null = null;
  /** The moves of both sides. */
  steps: readonly Step[] = [];
  /** Own moves, those included that were taken back. */
  moves = 0;
  isHinted = false;
  /** Whether the arrow of a hint is shown now. */
  isArrowShown = false;
  message = "";
  announcement = "";
  fault: string | null = null;
  readonly entered = new EnteredMove();
  /** The position in which the player moves, and its table. */
  #position: Position | null = null;
  #table: Table | null = null;
  /** The class that the address of the page names. */
  #address = "";
  readonly #services: Services;
  /** Counts the positions, so that answers for an earlier one are ignored. */
  #generation = 0;
  #retry: (() => Promise<void>) | null = null;
  readonly #subscribers = new Set<() => void>();

  constructor(board: Board, services: Services) {
    this.board = board;
    this.#services = services;
    this.records = loadRecords(board.digest ?? board.variant);
  }

  subscribe(callback: () => void): () => void {
    this.#subscribers.add(callback);
    return () => this.#subscribers.delete(callback);
  }

  notify(): void {
    for (const subscriber of this.#subscribers) subscriber();
  }

  /** Shows a message, and reads it out. */
  #say(...texts: string[]): void {
    this.message = texts.filter(Boolean).join(" ");
    this.announcement = this.message;
  }

  // The classes.

  async load(): Promise<void> {
    await this.#try(async () => {
      this.classes = await this.#services.classes();
    });
    this.follow(this.#address);
  }

  /** Opens the class that the address of the page names, or the overview. */
  follow(address: string): void {
    this.#address = address;
    const named = this.classes?.find(({ name }) => name === address) ?? null;
    if (named && named === this.open) return;
    this.open = named;
    this.#generation += 1;
    if (named) void this.next();
    else this.notify();
  }

  /** Whether the class that the address names waits for the list. */
  get isAwaited(): boolean {
    return this.classes === null && this.#address !== "" && this.fault === null;
  }

  /** The pieces of a class, such as King and rook against King. */
  nameOf(name: string): string {
    const list = new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" });
    const { white, black } = this.piecesOf(name);
    const names = (roles: Board["roles"]): string => list.format(roles.map((role) => role.name));
    return t("against", { white: names(white), black: names(black) });
  }

  /** The kinds of pieces of a class. */
  piecesOf(name: string): ByColor<Board["roles"]> {
    const [white = "", black = ""] = name.split("v");
    const roles = (letters: string): Board["roles"] => [...letters].flatMap((letter) => this.board.roles.find((role) => role.letter === letter) ?? []);
    return { white: roles(white), black: roles(black) };
  }

  /** Runs something that may fail; a failure is shown, and can be tried again. */
  async #try(work: () => Promise<void>): Promise<void> {
    try {
      [this.fault, this.#retry] = [null, null];
      await work();
    } catch (error) {
      this.fault = errorText(error);
      this.announcement = this.fault;
      this.#retry = () => this.#try(work);
    }
    this.notify();
  }

  get canRetry(): boolean {
    return this.#retry !== null;
  }

  retry(): Promise<void> {
    return this.classes ? (this.#retry?.() ?? Promise.resolve()) : this.load();
  }

  // The ending.

  /** Draws the next position of the class. */
  async next(): Promise<void> {
    const { open } = this;
    if (!open) return;
    const generation = ++this.#generation;
    [this.phase, this.drill] = ["preparing", null];
    this.#begin();
    this.#say(t("preparing"));
    this.notify();
    await this.#try(async () => {
      const drill = await this.#services.draw(open.name);
      if (generation !== this.#generation) return;
      this.drill = drill;
      await this.#setUp(generation);
    });
  }

  /** The same position once more. */
  async again(): Promise<void> {
    if (!this.drill || this.phase === "checking") return;
    const generation = ++this.#generation;
    this.phase = "preparing";
    this.#begin();
    this.notify();
    await this.#try(() => this.#setUp(generation));
  }

  #begin(): void {
    [this.steps, this.moves, this.isHinted, this.isArrowShown] = [[], 0, false, false];
    [this.#position, this.#table] = [null, null];
  }

  async #setUp(generation: number): Promise<void> {
    const { drill } = this;
    if (!drill) return;
    const [position, table] = await Promise.all([this.#services.position(drill.fen, [], 0), this.#services.table(drill.fen)]);
    if (generation !== this.#generation) return;
    [this.#position, this.#table, this.phase] = [position, table, "find"];
    this.#say(t("task"));
  }

  get step(): Step | null {
    return this.steps.at(-1) ?? null;
  }

  get fen(): string {
    return this.step?.fen ?? this.drill?.fen ?? "";
  }

  get canMove(): boolean {
    return this.phase === "find" && this.#position !== null;
  }

  get position(): Position | null {
    return this.canMove ? this.#position : null;
  }

  /** The moves of the fastest win. */
  get par(): number {
    return Math.ceil((this.drill?.distance ?? 0) / 2);
  }

  /** The fastest win, where it is shown. */
  get arrow(): string | null {
    return this.isArrowShown && this.canMove ? (this.#table?.moves[0]?.uci ?? null) : null;
  }

  /** Shows the fastest win by an arrow. */
  hint(): void {
    if (!this.canMove) return;
    [this.isHinted, this.isArrowShown] = [true, true];
    this.#say(t("hint_is"));
    this.notify();
  }

  /** Plays a move of the board, or one that was typed in either notation. */
  async play(text: string): Promise<void> {
    const { position, drill } = this;
    if (!position || !drill) return;
    const legal = position.legal.find(({ uci, san }) => uci === text || withoutSigns(san) === withoutSigns(text));
    if (!legal) {
      this.#say(t("no_move", { move: text }));
      this.entered.refuse();
      return this.notify();
    }
    const value = this.#table?.moves.find(({ uci }) => uci === legal.uci)?.category;
    const generation = this.#generation;
    [this.phase, this.isArrowShown] = ["checking", false];
    this.moves += 1;
    this.#say(t("checking"));
    this.notify();
    const before = this.steps;
    await this.#try(async () => {
      const after = await this.#services.position(drill.fen, [...before.map(({ uci }) => uci), legal.uci], before.length);
      if (generation !== this.#generation) return;
      this.steps = [...before, ...after.steps];
      if (after.result === "1-0") return this.#win();
      if (after.result !== "*") return this.#throwAway("over", legal.san);
      this.notify();
      const table = await this.#services.table(after.fen);
      if (generation !== this.#generation) return;
      const [best] = table.moves;
      if (value !== "win") return this.#throwAway(value === "loss" ? "loss" : "draw", legal.san, best?.san);
      await this.#reply(table, generation);
    });
  }

  /** The defense plays one of the moves that hold out longest. */
  async #reply(table: Table, generation: number): Promise<void> {
    const longest = table.moves.filter(({ distance }) => distance === table.moves[0]?.distance);
    const reply = longest[Math.floor(this.#services.random() * longest.length)];
    if (!reply || !this.drill) return;
    const moves = [...this.steps.map(({ uci }) => uci), reply.uci];
    const [next] = await Promise.all([this.#services.position(this.drill.fen, moves, this.steps.length), this.#services.delay(REPLY_DELAY_MS)]);
    const nextTable = next.result === "*" ? await this.#services.table(next.fen) : null;
    if (generation !== this.#generation) return;
    this.steps = [...this.steps, ...next.steps];
    if (!nextTable) return this.#throwAway("over", reply.san);
    [this.#position, this.#table, this.phase] = [next, nextTable, "find"];
    this.#say(t("go_on", { move: reply.san }));
  }

  #throwAway(how: Extract<Text, "draw" | "loss" | "over">, move: string, refutation?: string): void {
    this.phase = "thrown";
    this.#say(t(how, { move }), refutation ? t("refuted", { move: refutation }) : "");
  }

  /** Takes the move back that threw the win away. */
  takeBack(): void {
    if (this.phase !== "thrown" || !this.#position) return;
    const { fen } = this.#position;
    const at = this.steps.findLastIndex((step) => step.fen === fen);
    this.steps = this.steps.slice(0, at + 1);
    this.phase = "find";
    this.#say(t("task"));
    this.notify();
  }

  #win(): void {
    const over = Math.max(0, this.moves - this.par);
    if (this.open) {
      this.records = withWin(this.records, this.open.name, this.isHinted ? null : over);
      storeRecords(this.board.digest ?? this.board.variant, this.records);
    }
    this.phase = "won";
    const comparison = over === 0 ? t("won_par") : t("won_over", { par: this.par });
    this.#say(t("won", { moves: this.moves }), comparison, this.isHinted ? t("won_hint") : "");
  }

  /** The address of the analysis of what is on the board. */
  get analysisAddress(): string {
    const moves = this.steps.map(({ uci }) => uci).join(",");
    return `/analysis?${new URLSearchParams({ variant: this.board.variant, fen: this.drill?.fen ?? "", moves })}`;
  }
}
