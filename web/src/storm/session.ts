/**
 * A storm: puzzles against the clock. The next puzzle is prepared while one is solved. Notifies its subscribers of every
 * change. Not here: the screen, the rules of time (`score`).
 */
import { load, store } from "../board/storage.ts";
import type { Board, WhiteOrBlack } from "../board/types.ts";
import { type Schemas, send } from "../common/api.ts";
import { EnteredMove } from "../common/entered_move.ts";
import { errorText } from "../common/errors.ts";
import { moverOf } from "../common/fen.ts";
import { withoutSigns } from "../common/moves.ts";
import { bonusOf, PENALTY_MS, START_MS } from "./score.ts";
import { t } from "./texts.ts";

type Puzzle = Schemas["StormPuzzle"];
type Position = Schemas["Position"];
type Step = Schemas["Step"];

export type Phase = "loading" | "ready" | "running" | "over";

/** Before the opponent replies, in milliseconds. */
const REPLY_DELAY_MS = 250;

/** The requests to the site, and the clock: replaced in tests. */
export interface Services {
  puzzles(): Promise<Puzzle[]>;
  position(fen: string, moves: readonly string[]): Promise<Position>;
  delay(ms: number): Promise<void>;
  now(): number;
}

export function siteServices(variant: string): Services {
  return {
    puzzles: async () => (await send<Schemas["PuzzleStorm"]>("GET", `/api/puzzles/storm?${new URLSearchParams({ variant })}`)).puzzles,
    position: (fen, moves) => send<Position>("POST", "/api/positions", { variant, fen, moves }),
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: Date.now,
  };
}

/** A puzzle with all its positions: those before own moves, and the steps of the whole line, the lead first. */
interface Prepared {
  puzzle: Puzzle;
  turns: Position[];
  steps: Step[];
}

export class Session {
  readonly board: Board;
  phase: Phase = "loading";
  /** The puzzles that were solved or failed. */
  results: { puzzle: Puzzle; isSolved: boolean }[] = [];
  moves = 0;
  combo = 0;
  longestCombo = 0;
  best: number;
  isRecord = false;
  /** The last change of the clock, in milliseconds, and the number of changes. */
  change = 0;
  changes = 0;
  fault: string | null = null;
  announcement = "";
  readonly entered = new EnteredMove();
  #puzzles: Puzzle[] = [];
  #index = 0;
  #current: Prepared | null = null;
  #next: Promise<Prepared> | null = null;
  /** Number of the line's moves on the board, the lead included. */
  #at = 1;
  #isBusy = false;
  #endsAt = 0;
  #generation = 0;
  readonly #services: Services;
  readonly #subscribers = new Set<() => void>();

  constructor(board: Board, services: Services) {
    this.board = board;
    this.#services = services;
    this.best = Number(load(this.#key)) || 0;
  }

  /** The number changes when the stored form does. */
  get #key(): string {
    return `lozenge.storm.1.${this.board.variant}`;
  }

  subscribe(callback: () => void): () => void {
    this.#subscribers.add(callback);
    return () => this.#subscribers.delete(callback);
  }

  #notify(): void {
    for (const subscriber of this.#subscribers) subscriber();
  }

  /** Loads puzzles, and shows the first. */
  async begin(): Promise<void> {
    const generation = ++this.#generation;
    [this.phase, this.results, this.fault] = ["loading", [], null];
    [this.moves, this.combo, this.longestCombo, this.change, this.isRecord] = [0, 0, 0, 0, false];
    [this.#current, this.#next, this.#index, this.#isBusy] = [null, null, 0, false];
    this.announcement = t("loading");
    this.#notify();
    try {
      this.#puzzles = await this.#services.puzzles();
      const [first] = this.#puzzles;
      if (generation !== this.#generation || !first) return;
      const prepared = await this.#prepare(first);
      if (generation !== this.#generation) return;
      this.#show(prepared);
      this.phase = "ready";
      this.announcement = this.task;
    } catch (error) {
      this.fault = errorText(error);
      this.announcement = this.fault;
    }
    this.#notify();
  }

  async #prepare(puzzle: Puzzle): Promise<Prepared> {
    const moves = [puzzle.lead, ...puzzle.line];
    const own = puzzle.line.filter((_, index) => index % 2 === 0).map((_, index) => moves.slice(0, 1 + 2 * index));
    const [whole, ...turns] = await Promise.all([moves, ...own].map((moves) => this.#services.position(puzzle.fen, moves)));
    return { puzzle, turns, steps: whole?.steps ?? [] };
  }

  #show(prepared: Prepared): void {
    [this.#current, this.#at] = [prepared, 1];
    const following = this.#puzzles[this.#index + 1];
    this.#next = following ? this.#prepare(following) : null;
    // A failure is reported when the puzzle is needed.
    this.#next?.catch(() => {});
  }

  get puzzle(): Puzzle | null {
    return this.#current?.puzzle ?? null;
  }

  get step(): Step | null {
    return this.#current?.steps[this.#at - 1] ?? null;
  }

  get fen(): string {
    return this.step?.fen ?? this.puzzle?.fen ?? "";
  }

  /** The side that solves. */
  get side(): WhiteOrBlack {
    const lead = this.#current?.steps[0];
    return lead ? moverOf(lead.fen) : "white";
  }

  get task(): string {
    if (this.phase === "ready") return t("ready", { side: t(this.side) });
    return t(this.side === "white" ? "find_white" : "find_black");
  }

  /** The position in which the user may move; null if there is none. */
  get position(): Position | null {
    const isPlaying = this.phase === "ready" || this.phase === "running";
    return isPlaying && !this.#isBusy && this.#at % 2 === 1 ? (this.#current?.turns[(this.#at - 1) / 2] ?? null) : null;
  }

  get score(): number {
    return this.results.filter(({ isSolved }) => isSolved).length;
  }

  /** The time left, in milliseconds. */
  get left(): number {
    if (this.phase === "running") return Math.max(0, this.#endsAt - this.#services.now());
    return this.phase === "over" ? 0 : START_MS;
  }

  /** The right moves of all, in percent. */
  get accuracy(): number {
    const failed = this.results.filter(({ isSolved }) => !isSolved).length;
    return this.moves === 0 ? 0 : Math.round((100 * (this.moves - failed)) / this.moves);
  }

  /** The rating of the hardest puzzle solved; null without one. */
  get hardest(): number | null {
    const ratings = this.results.filter(({ isSolved }) => isSolved).map(({ puzzle }) => puzzle.rating);
    return ratings.length === 0 ? null : Math.max(...ratings);
  }

  /** Ends the storm when its time is over. */
  tick(): void {
    if (this.phase !== "running") return;
    if (this.left === 0) this.end();
    else this.#notify();
  }

  end(): void {
    if (this.phase !== "running") return;
    this.#generation += 1;
    this.phase = "over";
    this.isRecord = this.score > this.best;
    if (this.isRecord) {
      this.best = this.score;
      store(this.#key, String(this.best));
    }
    const isAll = this.results.length === this.#puzzles.length;
    this.announcement = isAll ? t("over_all", { score: this.score }) : t(this.isRecord ? "over_best" : "over", { score: this.score });
    this.#notify();
  }

  /** Plays a move of the board, or one that was typed in either notation. */
  async play(text: string): Promise<void> {
    const { position } = this;
    const current = this.#current;
    if (!position || !current) return;
    const legal = position.legal.find(({ uci, san }) => uci === text || withoutSigns(san) === withoutSigns(text));
    if (!legal) {
      this.announcement = t("no_move", { move: text });
      this.entered.refuse();
      return this.#notify();
    }
    if (this.phase === "ready") {
      this.phase = "running";
      this.#endsAt = this.#services.now() + START_MS;
    }
    if (this.left === 0) return this.end();
    const generation = this.#generation;
    this.moves += 1;
    this.#isBusy = true;
    this.#notify();
    try {
      const outcome = legal.uci === current.puzzle.line[this.#at - 1] ? "right" : await this.#compare(current, legal.uci);
      if (generation !== this.#generation) return;
      if (outcome === "wrong") await this.#miss(current, generation);
      else await this.#hit(current, outcome === "wins", generation);
    } catch (error) {
      if (generation !== this.#generation) return;
      this.fault = errorText(error);
      this.#isBusy = false;
      this.entered.refuse();
    }
    this.#notify();
  }

  /** Compares another move than the line's: one that wins at once is right, and so is one that leads to the same position. */
  async #compare({ puzzle, steps }: Prepared, move: string): Promise<"right" | "wins" | "wrong"> {
    const moves = [puzzle.lead, ...puzzle.line.slice(0, this.#at - 1), move];
    const after = await this.#services.position(puzzle.fen, moves);
    if (after.result === (this.side === "white" ? "1-0" : "0-1")) return "wins";
    return after.fen === steps[this.#at]?.fen ? "right" : "wrong";
  }

  async #hit(current: Prepared, isWon: boolean, generation: number): Promise<void> {
    this.combo += 1;
    this.longestCombo = Math.max(this.longestCombo, this.combo);
    const bonus = bonusOf(this.combo);
    if (bonus > 0) this.#addTime(bonus);
    const more = bonus > 0 ? ` ${t("bonus", { seconds: bonus / 1000 })}` : "";
    this.#at += 1;
    if (isWon || this.#at > current.puzzle.line.length) {
      this.results.push({ puzzle: current.puzzle, isSolved: true });
      await this.#goOn(generation, `${t("right")}${more}`);
      return;
    }
    this.#notify();
    await this.#services.delay(REPLY_DELAY_MS);
    if (generation !== this.#generation) return;
    this.#at += 1;
    this.#isBusy = false;
    this.announcement = `${t("right")}${more} ${this.step?.san ?? ""}`;
  }

  async #miss(current: Prepared, generation: number): Promise<void> {
    this.combo = 0;
    this.#addTime(-PENALTY_MS);
    this.entered.refuse();
    this.results.push({ puzzle: current.puzzle, isSolved: false });
    if (this.left === 0) return this.end();
    await this.#goOn(generation, t("wrong"));
  }

  #addTime(ms: number): void {
    this.#endsAt += ms;
    this.change = ms;
    this.changes += 1;
  }

  /** Shows the next puzzle, or ends with the last. */
  async #goOn(generation: number, text: string): Promise<void> {
    if (!this.#next) return this.end();
    const prepared = await this.#next.catch(() => this.#prepareAgain());
    if (generation !== this.#generation) return;
    this.#index += 1;
    this.#show(prepared);
    this.#isBusy = false;
    this.announcement = `${text} ${this.task}`;
  }

  async #prepareAgain(): Promise<Prepared> {
    const following = this.#puzzles[this.#index + 1];
    if (!following) throw new Error("expected another puzzle");
    return this.#prepare(following);
  }
}
