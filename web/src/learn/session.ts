/**
 * The state of a course's page: the course, the level that is open, where the attempt at it stands. Notifies its
 * subscribers of every change. The rules decide elsewhere what a move leads to. Not here: the screen.
 */
import { colorsOf, isMulti } from "../board/colors.ts";
import type { Board } from "../board/types.ts";
import { type Schemas, send } from "../common/api.ts";
import { EnteredMove } from "../common/entered_move.ts";
import { errorText } from "../common/errors.ts";
import { outOf, turnOf } from "../common/fen.ts";
import { hasAccount } from "../common/page.ts";
import { withoutSigns } from "../common/moves.ts";
import { arrowsOf, type Course, levelsOf, nextUnsolved, type PlacedLevel } from "./course.ts";
import { loadProgress, type Progress, rating, storeProgress, withStars } from "./progress.ts";
import { t } from "./texts.ts";

type State = Schemas["LessonState"];
type Step = Schemas["Step"];
type Attempt = Schemas["LessonAttempt"];
type Stars = Progress["stars"];

/** The stage of a level: it is being set up, the user may move, the move is checked, a miss is shown, or it is solved. */
export type Phase = "loading" | "find" | "checking" | "missed" | "solved";

/** Misses after which an arrow shows the move. */
const MISSES_TO_ARROW = 2;

/** Waits before the punishing move, and before a missed move is taken back, in milliseconds. */
const REPLY_DELAY_MS = 600;
const TAKE_BACK_DELAY_MS = 1_100;

/** The engine's levels of the site begin with 1. */
const WEAKEST_LEVEL = 1;

/** The requests to the site: replaced in tests. */
export interface Services {
  course(): Promise<Course>;
  attempt(attempt: Attempt): Promise<State>;
  startGame(): Promise<string>;
  /** The learner's moves in a game, and whether it is over. */
  game(id: string): Promise<{ moves: number; isOver: boolean }>;
  delay(ms: number): Promise<void>;
  /** Adds solved levels to the account, and returns all that it has of this course; null without an account. */
  share(stars: Stars): Promise<Stars | null>;
}

export function siteServices({ variant, players }: Board): Services {
  const engine = { kind: "engine", level: WEAKEST_LEVEL } as const;
  const [learner = "white", ...others] = colorsOf(players);
  const opponents: Partial<Schemas["NewGame"]> = isMulti(players)
    ? { seats: [{ kind: "me" }, ...others.map(() => engine)] }
    : { opponent: engine, side: "white" };
  const path = `/api/lessons/${encodeURIComponent(variant)}`;
  return {
    course: () => send<Course>("GET", path),
    attempt: (attempt) => send<State>("POST", `${path}/attempt`, attempt),
    async startGame() {
      const body: Schemas["NewGame"] = { variant, ...opponents, visibility: "private" };
      return (await send<Schemas["Game"]>("POST", "/api/games", body)).id;
    },
    async game(id) {
      const game = await send<Schemas["Game"]>("GET", `/api/games/${id}`);
      const before = [game.start_fen, ...game.history.map(({ fen }) => fen)].slice(0, game.history.length);
      const isOut = outOf(game.state.fen).includes(learner);
      return { moves: before.filter((fen) => turnOf(fen) === learner).length, isOver: isOut || game.state.status === "finished" };
    },
    async share(stars) {
      if (!hasAccount()) return null;
      return (await send<Schemas["LessonProgress"]>("PUT", `${path}/progress`, { stars })).stars;
    },
    delay: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}

export class Session {
  readonly board: Board;
  course: Course | null = null;
  levels: PlacedLevel[] = [];
  progress: Progress = { stars: {} };
  /** The open level; null for the overview. */
  open: PlacedLevel | null = null;
  phase: Phase = "loading";
  /** From where the attempt goes on. */
  state: State | null = null;
  /** The move that is shown; null for the position itself. */
  step: Step | null = null;
  /** Moves of the attempt, those included that missed. */
  moves = 0;
  misses = 0;
  /** The moves of the attempt that led on. */
  played: string[] = [];
  isHinted = false;
  /** Stars for this attempt, once it is solved. */
  stars = 0;
  fault: string | null = null;
  announcement = "";
  message = "";
  readonly entered = new EnteredMove();
  /** The level that the address of the page names. */
  #address = "";
  readonly #services: Services;
  /** Counts the levels, so that answers for an earlier one are ignored. */
  #generation = 0;
  #retry: (() => Promise<void>) | null = null;
  readonly #subscribers = new Set<() => void>();

  constructor(board: Board, services: Services) {
    this.board = board;
    this.#services = services;
  }

  subscribe(callback: () => void): () => void {
    this.#subscribers.add(callback);
    return () => this.#subscribers.delete(callback);
  }

  notify(): void {
    for (const subscriber of this.#subscribers) subscriber();
  }

  /** Shows a message, and reads it out. */
  #say(text: string): void {
    this.message = text;
    this.announcement = text;
  }

  // The course.

  async load(): Promise<void> {
    await this.#try(async () => {
      const course = await this.#services.course();
      this.course = course;
      this.levels = levelsOf(course);
      this.progress = loadProgress(course.digest);
    });
    this.follow(this.#address);
    if (this.course) await this.#share(this.progress.stars);
    await this.#lookAtGame();
  }

  /** Adds solved levels to the account, and takes over what it has. A failure is made up for at the next visit. */
  async #share(stars: Stars): Promise<void> {
    try {
      const all = Object.entries((await this.#services.share(stars)) ?? {});
      const merged = all.reduce((progress, [level, stars]) => withStars(progress, level, stars), this.progress);
      if (JSON.stringify(merged) === JSON.stringify(this.progress)) return;
      this.progress = merged;
      this.#store();
      this.notify();
    } catch {
      // The browser has them.
    }
  }

  /** Opens the level that the address of the page names, or the overview. */
  follow(address: string): void {
    this.#address = address;
    const placed = this.levels.find(({ level }) => level.id === address);
    if (placed) void this.show(placed);
    else this.close();
  }

  /** Counts the game of the last level as solved once it has gone far enough. */
  async #lookAtGame(): Promise<void> {
    const { game } = this.progress;
    const level = this.levels.find((placed) => placed.level.id === game?.level)?.level;
    if (!game || level?.goal.kind !== "play" || level.id in this.progress.stars) return;
    const wanted = level.goal.moves;
    try {
      const { moves, isOver } = await this.#services.game(game.id);
      if (moves >= wanted || (isOver && moves > 0)) this.#solve(level.id, 3);
      this.notify();
    } catch {
      // The next visit looks again.
    }
  }

  #solve(level: string, stars: number): void {
    this.progress = withStars(this.progress, level, stars);
    this.#store();
    void this.#share({ [level]: stars });
  }

  #store(): void {
    if (this.course) storeProgress(this.course.digest, this.progress);
  }

  /** Whether the level that the address names waits for the course. */
  get isAwaited(): boolean {
    return this.course === null && this.#address !== "" && this.fault === null;
  }

  /** The level to go on with; null if all are solved. */
  get next(): PlacedLevel | null {
    return nextUnsolved(this.levels, this.progress.stars, this.open?.index);
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
      if (this.phase === "checking") this.phase = "find";
      this.entered.refuse();
    }
    this.notify();
  }

  get canRetry(): boolean {
    return this.#retry !== null;
  }

  retry(): Promise<void> {
    return this.course ? (this.#retry?.() ?? Promise.resolve()) : this.load();
  }

  // The level.

  close(): void {
    this.#generation += 1;
    this.open = null;
    // Without a course its fault remains.
    if (this.course) this.fault = null;
    this.notify();
  }

  async show(placed: PlacedLevel): Promise<void> {
    const generation = ++this.#generation;
    [this.open, this.phase, this.state, this.step] = [placed, "loading", null, null];
    [this.moves, this.misses, this.played, this.isHinted, this.stars] = [0, 0, [], false, 0];
    this.#say("");
    this.announcement = [placed.stage.title, placed.level.text, this.starsText(placed.level.stars)].filter(Boolean).join(" ");
    const { fen, goal, stars, hero } = placed.level;
    if (goal.kind === "play") {
      this.fault = null;
      this.notify();
      return;
    }
    this.notify();
    await this.#try(async () => {
      const state = await this.#services.attempt({ fen, goal, stars, hero: hero ?? null });
      if (generation !== this.#generation) return;
      [this.state, this.phase] = [state, "find"];
    });
  }

  restart(): Promise<void> {
    return this.open ? this.show(this.open) : Promise.resolve();
  }

  /** The position on the board: after a move that missed or solved the level the move's, otherwise with the learner to move. */
  get fen(): string {
    const shown = this.phase === "missed" || this.phase === "solved" ? this.step?.fen : undefined;
    return shown ?? this.state?.fen ?? this.open?.level.fen ?? "";
  }

  get canMove(): boolean {
    return this.phase === "find" && this.state !== null;
  }

  /** The stars that are left. */
  get starsLeft(): readonly string[] {
    return this.state?.stars ?? this.open?.level.stars ?? [];
  }

  starsText(squares: readonly string[]): string {
    return squares.length === 0 ? "" : t("stars_left", { squares: squares.join(", ") });
  }

  /** The arrows to be shown: on the first level of a stage from the beginning, otherwise after two misses or by a hint. */
  get arrows(): [string, string][] {
    const { open } = this;
    if (!open || !this.canMove) return [];
    if (open.level.arrows.length > 0 || this.isHinted) return arrowsOf(open.level, this.played).slice(0, this.isHinted ? 1 : undefined);
    return [];
  }

  /** Shows the next move by an arrow; an attempt that has left the solution begins again. */
  async hint(): Promise<void> {
    const { open } = this;
    if (!open || !this.canMove) return;
    if (arrowsOf(open.level, this.played).length === 0) await this.restart();
    this.isHinted = true;
    this.#say(t("arrow"));
    this.notify();
  }

  /** Plays a move of the board, or one that was typed in either notation. */
  async play(text: string): Promise<void> {
    const { open, state } = this;
    if (!open || !state || !this.canMove) return;
    const legal = state.legal.find(({ uci, san }) => uci === text || withoutSigns(san) === withoutSigns(text));
    if (!legal) {
      this.#say(t("no_move", { move: text }));
      this.entered.refuse();
      return this.notify();
    }
    const generation = this.#generation;
    this.phase = "checking";
    this.notify();
    await this.#try(async () => {
      const { goal } = open.level;
      const { fen, stars, hero } = state;
      const answer = await this.#services.attempt({ fen, goal, stars, hero: hero ?? null, move: legal.uci });
      if (generation !== this.#generation) return;
      this.moves += 1;
      if (answer.result === "missed") return this.#miss(answer, generation);
      [this.state, this.step] = [answer, answer.steps[0] ?? null];
      this.played.push(legal.uci);
      if (answer.result === "done") return this.#succeed(open);
      this.phase = "find";
      if (answer.stars.length < stars.length) this.#say(t("collected", { squares: answer.stars.join(", ") }));
    });
  }

  #succeed({ level }: PlacedLevel): void {
    this.stars = rating(this.moves, level.par);
    this.phase = "solved";
    this.#solve(level.id, this.stars);
    const slow = level.par === 1 ? t("solved_slow_one") : t("solved_slow", { par: level.par });
    this.#say([t("solved", { stars: this.stars }), this.stars < 3 ? slow : ""].filter(Boolean).join(" "));
  }

  /** Shows a move that missed and the answer to it, and takes both back. */
  async #miss(answer: State, generation: number): Promise<void> {
    const [own, reply] = answer.steps;
    this.misses += 1;
    [this.phase, this.step] = ["missed", own ?? null];
    this.#say(reply ? t("punished", { move: reply.san }) : t("missed"));
    this.notify();
    await this.#services.delay(REPLY_DELAY_MS);
    if (generation !== this.#generation) return;
    if (reply) {
      this.step = reply;
      this.notify();
      await this.#services.delay(TAKE_BACK_DELAY_MS);
      if (generation !== this.#generation) return;
    }
    [this.state, this.step, this.phase] = [answer, null, "find"];
    if (this.misses >= MISSES_TO_ARROW) await this.hint();
  }

  /** Begins the game of a level, or goes back to it; returns its address. */
  async startGame(): Promise<string | null> {
    const level = this.open?.level;
    if (level?.goal.kind !== "play") return null;
    const { game } = this.progress;
    if (game?.level === level.id) return `/game/${game.id}`;
    let address: string | null = null;
    await this.#try(async () => {
      const id = await this.#services.startGame();
      this.progress = { ...this.progress, game: { level: level.id, id } };
      this.#store();
      address = `/game/${id}`;
    });
    return address;
  }
}
