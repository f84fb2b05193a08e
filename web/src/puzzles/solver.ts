/**
 * The state of the puzzle page: the puzzle, the moves so far, what came of them. Notifies its subscribers of every change.
 * The solution stays on the server until the attempt is over. Not here: the screen.
 */
import { load, store } from "../board/storage.ts";
import type { Board, WhiteOrBlack } from "../board/types.ts";
import { moverOf } from "../common/fen.ts";
import { type Schemas, send } from "../common/api.ts";
import { EnteredMove } from "../common/entered_move.ts";
import { errorText } from "../common/errors.ts";
import { withoutSigns } from "../common/moves.ts";
import { t } from "./texts.ts";

export type Start = Schemas["PuzzleStart"];
export type Puzzle = Schemas["Puzzle"];
export type Step = Schemas["Step"];
type Position = Schemas["Position"];
type Result = Schemas["PuzzleResult"];

/** The stage of a puzzle: the opponent's move is shown, the user may move, the move is checked, or the puzzle is over. */
export type Stage = "look" | "find" | "checking" | "wrong" | "solved" | "shown" | "streak_over";

/** Waits before the opponent's move, before a reply, and between the moves of a solution, in milliseconds. */
const LEAD_DELAY_MS = 700;
const REPLY_DELAY_MS = 400;
const MOVE_DELAY_MS = 900;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class Solver {
  readonly start: Start;
  readonly board: Board;
  puzzle: Puzzle;
  /** The opponent's move, then the moves that were played. */
  steps: Step[] = [];
  /** How many of them are on the board. */
  at = 0;
  /** The own moves that were right. */
  #ownMoves: string[] = [];
  #legal: Position | null = null;
  stage: Stage = "look";
  result: Result | null = null;
  /** How the first attempt of this visit ended; null before its end. */
  outcome: boolean | null = null;
  isHinted = false;
  hintSquare: number | null = null;
  vote: boolean | null = null;
  rating: number | null;
  change: Schemas["RatingChange"] | null = null;
  /** The puzzles that were solved or failed in this visit. */
  readonly results: { id: string; isSolved: boolean }[] = [];
  /** The index in a streak, and whether one was skipped. */
  streakIndex = 0;
  isSkipUsed = false;
  fault: string | null = null;
  announcement = "";
  isBrowsing = false;
  readonly entered = new EnteredMove();
  /** Counts the puzzles, so that answers for an earlier one are ignored. */
  #generation = 0;
  readonly #subscribers = new Set<() => void>();

  constructor(start: Start, board: Board) {
    this.start = start;
    this.board = board;
    this.puzzle = start.puzzle;
    this.rating = start.rating ? Math.round(start.rating.rating) : null;
  }

  subscribe(callback: () => void): () => void {
    this.#subscribers.add(callback);
    return () => this.#subscribers.delete(callback);
  }

  notify(): void {
    for (const subscriber of this.#subscribers) subscriber();
  }

  announce(text: string): void {
    this.announcement = text;
  }

  // The position on the board.

  /** The move that led to the position on the board; null for the position before the opponent's move. */
  get step(): Step | null {
    return this.steps[this.at - 1] ?? null;
  }

  get fen(): string {
    return this.step?.fen ?? this.puzzle.fen;
  }

  /** The side that solves. */
  get side(): WhiteOrBlack {
    return moverOf(this.puzzle.start_fen);
  }

  get isOver(): boolean {
    return this.stage === "solved" || this.stage === "shown" || this.stage === "streak_over";
  }

  /** Whether a move can be made on the board. */
  get canMove(): boolean {
    return (this.stage === "find" || this.stage === "wrong") && this.at === this.steps.length;
  }

  /** The legal moves, where one can be made. */
  get legal(): Position | null {
    return this.canMove ? this.#legal : null;
  }

  view(at: number): void {
    const to = Math.max(0, Math.min(at, this.steps.length));
    if (to === this.at) return;
    this.at = to;
    this.isBrowsing = true;
    this.announce(this.step ? t("at_move", { move: this.step.san }) : t("at_start"));
    this.notify();
  }

  // The puzzle.

  async open(puzzle: Puzzle): Promise<void> {
    const generation = ++this.#generation;
    this.puzzle = puzzle;
    [this.steps, this.at, this.#ownMoves, this.#legal] = [[], 0, [], null];
    [this.stage, this.result, this.outcome, this.change] = ["look", null, null, null];
    [this.isHinted, this.hintSquare, this.vote, this.fault, this.isBrowsing] = [false, null, null, null, false];
    this.announce(t("look"));
    this.notify();
    await this.#try(async () => {
      const [position] = await Promise.all([this.#position([puzzle.lead], 0), delay(LEAD_DELAY_MS)]);
      if (generation !== this.#generation) return;
      this.#add(position.steps);
      this.#legal = position;
      this.stage = "find";
      this.announce(t(this.side === "white" ? "find_white" : "find_black"));
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      this.fault = null;
      await work();
    } catch (error) {
      this.fault = errorText(error);
      if (this.stage === "checking") this.stage = "find";
      this.entered.refuse();
    }
    this.notify();
  }

  #position(moves: readonly string[], knownMoves: number): Promise<Position> {
    const { variant, fen } = this.puzzle;
    return send<Position>("POST", "/api/positions", { variant, fen, moves, known: knownMoves });
  }

  #attempt(moves: readonly string[]): Promise<Result> {
    const body = { moves, theme: this.start.theme ?? null, rated: !this.start.streak };
    return send<Result>("POST", `/api/puzzles/${this.puzzle.id}/attempt`, body);
  }

  #add(steps: readonly Step[]): void {
    this.steps = [...this.steps, ...steps];
    this.at = this.steps.length;
    this.isBrowsing = false;
    this.notify();
  }

  /** Plays a move of the board, or one that was typed in either notation. */
  async play(text: string): Promise<void> {
    const position = this.legal;
    if (!position) return;
    const legalMove = position.legal.find(({ uci, san }) => uci === text || san === text || withoutSigns(san) === withoutSigns(text));
    if (!legalMove) {
      // Without the sign of checkmate, which would give the solution away.
      this.fault = t("no_move", { move: text, example: withoutSigns(position.legal[0]?.san ?? "") });
      this.entered.refuse();
      return this.notify();
    }
    const generation = this.#generation;
    [this.stage, this.hintSquare] = ["checking", null];
    this.notify();
    await this.#try(async () => {
      const result = await this.#attempt([...this.#ownMoves, legalMove.uci]);
      if (generation !== this.#generation) return;
      if (!result.right) return this.#fail(result);
      this.#ownMoves.push(legalMove.uci);
      const before = [this.puzzle.lead, ...this.steps.slice(1).map(({ uci }) => uci)];
      const moves = [...before, legalMove.uci, ...(result.reply ? [result.reply] : [])];
      const next = await this.#position(moves, before.length);
      if (generation !== this.#generation) return;
      this.#add(next.steps.slice(0, 1));
      if (!result.reply) return this.#succeed(result);
      await delay(REPLY_DELAY_MS);
      if (generation !== this.#generation) return;
      this.#add(next.steps.slice(1));
      [this.#legal, this.stage] = [next, "find"];
      this.announce(t("go_on", { move: next.steps[1]?.san ?? "" }));
    });
  }

  #fail(result: Result): void {
    this.#end(result, false);
    this.entered.refuse();
    this.stage = this.start.streak ? "streak_over" : "wrong";
    this.announce(t(this.stage));
  }

  #succeed(result: Result): void {
    this.#end(result, true);
    this.stage = "solved";
    this.announce(t("solved"));
    if (this.start.streak && this.outcome) {
      const best = `lozenge.streak.${this.puzzle.variant}`;
      if (this.streak > this.bestStreak) store(best, String(this.streak));
      void this.next();
    }
  }

  /** Stores how the first attempt of this visit ended. */
  #end(result: Result, isSolved: boolean): void {
    this.result = result;
    if (this.outcome !== null) return;
    this.outcome = isSolved;
    this.results.push({ id: this.puzzle.id, isSolved });
    if (result.rating) [this.change, this.rating] = [result.rating, result.rating.after];
  }

  /** Shows which piece moves next. */
  async hint(): Promise<void> {
    if (!this.canMove || this.start.streak) return;
    await this.#try(async () => {
      const body = { moves: this.#ownMoves };
      const { square } = await send<Schemas["PuzzleHint"]>("POST", `/api/puzzles/${this.puzzle.id}/hint`, body);
      [this.hintSquare, this.isHinted] = [square, true];
      this.announce(t("hint_is", { square: this.board.squares[square]?.name ?? "" }));
    });
  }

  /** Gives up, and plays the solution out. */
  async showSolution(): Promise<void> {
    if (this.stage === "look" || this.stage === "checking" || this.stage === "shown" || this.stage === "solved") return;
    const generation = this.#generation;
    const playedCount = 1 + 2 * this.#ownMoves.length;
    this.stage = "shown";
    this.hintSquare = null;
    await this.#try(async () => {
      if (!this.result?.solution) this.#end(await this.#attempt([]), false);
      const solution = this.result?.solution ?? [];
      const { steps } = await this.#position([this.puzzle.lead, ...solution], 0);
      this.announce(`${t("shown")} ${steps.slice(1).map(({ san }) => san).join(" ")}`);
      this.steps = steps.slice(0, playedCount);
      this.at = this.steps.length;
      this.notify();
      for (const step of steps.slice(playedCount)) {
        await delay(MOVE_DELAY_MS);
        if (generation !== this.#generation) return;
        this.#add([step]);
      }
    });
  }

  /** The next puzzle: of the streak, or by the player's rating and the theme. */
  async next(): Promise<void> {
    const { streak, theme } = this.start;
    if (streak) {
      this.streakIndex += 1;
      const id = streak.puzzles[this.streakIndex];
      if (id === undefined) return;
      return this.#try(async () => this.open(await send<Puzzle>("GET", `/api/puzzles/${id}`)));
    }
    const query = new URLSearchParams({ variant: this.board.variant, ...(theme ? { theme } : {}) });
    await this.#try(async () => {
      const puzzle = await send<Puzzle>("GET", `/api/puzzles/next?${query}`);
      const address = `/puzzles/${puzzle.id}${theme ? `?${new URLSearchParams({ theme })}` : ""}`;
      history.pushState(null, "", address);
      await this.open(puzzle);
    });
  }

  /** Opens the puzzle that the browser's address names, after a step in its history. */
  async follow(address: string): Promise<void> {
    const [, id] = /^\/puzzles\/([^/]+)$/.exec(address) ?? [];
    if (id === undefined || id === this.puzzle.id || this.start.streak) return;
    await this.#try(async () => this.open(await send<Puzzle>("GET", `/api/puzzles/${id}`)));
  }

  /** How many puzzles of the streak have been solved. */
  get streak(): number {
    return this.results.filter(({ isSolved }) => isSolved).length;
  }

  get bestStreak(): number {
    return Number(load(`lozenge.streak.${this.puzzle.variant}`) ?? 0) || 0;
  }

  /** Whether all puzzles of the streak are done. */
  get isStreakDone(): boolean {
    return this.start.streak !== null && this.start.streak !== undefined && this.streakIndex >= this.start.streak.puzzles.length;
  }

  async skip(): Promise<void> {
    if (this.isSkipUsed || !this.canMove) return;
    this.isSkipUsed = true;
    await this.next();
  }

  async voteFor(isUp: boolean): Promise<void> {
    await this.#try(async () => {
      await send("POST", `/api/puzzles/${this.puzzle.id}/vote`, { up: isUp });
      this.vote = isUp;
      this.announce(t("voted"));
    });
  }

  /** The address of the analysis of what is on the board. */
  get analysisAddress(): string {
    const { variant, fen } = this.puzzle;
    const moves = this.steps.map(({ uci }) => uci).join(",");
    return `/analysis?${new URLSearchParams({ variant, fen, moves })}`;
  }
}
