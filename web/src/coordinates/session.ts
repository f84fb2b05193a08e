/** Rounds of finding or naming squares: the question, the score, the time. Notifies its subscribers of every change. */
import { load, store } from "../board/storage.ts";
import type { Board } from "../board/types.ts";
import { t } from "./texts.ts";

/** Whether squares are to be found by their names, or to be named. */
export type Mode = "find" | "name";
export type Phase = "ready" | "running" | "over";

export const ROUND_MS = 30_000;

/** Time and chance, which tests replace. */
export interface Services {
  now(): number;
  random(): number;
}

const isMode = (value: unknown): value is Mode => value === "find" || value === "name";

/** The best scores of a game by task. */
function readBest(text: string | null): Record<Mode, number> {
  try {
    const { find, name } = JSON.parse(text ?? "{}") as Partial<Record<Mode, unknown>>;
    const count = (value: unknown): number => (Number.isInteger(value) && Number(value) > 0 ? Number(value) : 0);
    return { find: count(find), name: count(name) };
  } catch {
    return { find: 0, name: 0 };
  }
}

export class Session {
  readonly board: Board;
  mode: Mode;
  phase: Phase = "ready";
  /** The squares of this question and the next, by number. */
  asked = 0;
  following = 0;
  score = 0;
  misses = 0;
  best: Record<Mode, number>;
  /** Whether the last round beat all before. */
  isRecord = false;
  /** The last answer: the square, and whether it was right. */
  last: { square: number; isRight: boolean } | null = null;
  announcement = "";
  #endsAt = 0;
  readonly #services: Services;
  readonly #subscribers = new Set<() => void>();

  constructor(board: Board, services: Services) {
    this.board = board;
    this.#services = services;
    const mode = load("lozenge.coordinates.task");
    this.mode = isMode(mode) ? mode : "find";
    this.best = readBest(load(this.#key));
  }

  /** The number changes when the stored form does. */
  get #key(): string {
    return `lozenge.coordinates.1.${this.board.variant}`;
  }

  subscribe(callback: () => void): () => void {
    this.#subscribers.add(callback);
    return () => this.#subscribers.delete(callback);
  }

  #notify(): void {
    for (const subscriber of this.#subscribers) subscriber();
  }

  nameOf(square: number): string {
    return this.board.squares[square]?.name ?? "";
  }

  choose(mode: Mode): void {
    if (this.phase === "running") return;
    [this.mode, this.phase, this.last] = [mode, "ready", null];
    store("lozenge.coordinates.task", mode);
    this.#notify();
  }

  start(): void {
    [this.phase, this.score, this.misses, this.last, this.isRecord] = ["running", 0, 0, null, false];
    this.#endsAt = this.#services.now() + ROUND_MS;
    this.asked = this.#draw(-1);
    this.following = this.#draw(this.asked);
    this.announcement = this.#question;
    this.#notify();
  }

  /** A random square, another than this one. */
  #draw(other: number): number {
    const count = this.board.squares.length;
    const drawn = Math.floor(this.#services.random() * (other < 0 ? count : count - 1));
    return other >= 0 && drawn >= other ? drawn + 1 : drawn;
  }

  get #question(): string {
    return this.mode === "find" ? t("where", { name: this.nameOf(this.asked) }) : t("what");
  }

  /** The rest of the round, in milliseconds. */
  get left(): number {
    return this.phase === "running" ? Math.max(0, this.#endsAt - this.#services.now()) : 0;
  }

  /** Ends the round when its time is over. */
  tick(): void {
    if (this.phase !== "running") return;
    if (this.left === 0) this.#end();
    else this.#notify();
  }

  /** Leaves a round before its time; it does not count. */
  stop(): void {
    if (this.phase !== "running") return;
    [this.phase, this.last] = ["ready", null];
    this.#notify();
  }

  #end(): void {
    this.phase = "over";
    this.isRecord = this.score > this.best[this.mode];
    if (this.isRecord) {
      this.best = { ...this.best, [this.mode]: this.score };
      store(this.#key, JSON.stringify(this.best));
    }
    this.announcement = t(this.isRecord ? "over_best" : "over", { score: this.score });
    this.#notify();
  }

  /** Answers with a square: the one that was tapped, or whose name was typed. */
  answer(square: number): void {
    if (this.phase !== "running") return;
    if (this.left === 0) return this.#end();
    const isRight = square === this.asked;
    this.last = { square, isRight };
    if (isRight) {
      this.score += 1;
      this.announcement = `${t("right", { name: this.nameOf(square) })} `;
      this.asked = this.following;
      this.following = this.#draw(this.asked);
    } else {
      this.misses += 1;
      this.announcement = this.mode === "find" ? `${t("was", { name: this.nameOf(square) })} ` : "";
    }
    this.announcement += this.#question;
    this.#notify();
  }

  /**
   * Takes what has been typed of a name: answers as soon as it is the name, or cannot become it. Returns whether the
   * text is done with.
   */
  type(text: string): boolean {
    const typed = text.trim().toLowerCase();
    const name = this.nameOf(this.asked);
    if (typed === "" || this.phase !== "running" || this.mode !== "name") return false;
    if (typed === name) {
      this.answer(this.asked);
      return true;
    }
    if (name.startsWith(typed)) return false;
    this.answer(this.board.squares.findIndex((square) => square.name === typed));
    return true;
  }
}
