/**
 * The state of the analysis board: the tree, the position on the board, the engine. Notifies its subscribers of every
 * change. Not here: the screen.
 */
import { isMulti } from "../board/colors.ts";
import type { Board, DrawnShape } from "../board/types.ts";
import { load, store } from "../board/storage.ts";
import { ApiError, type Schemas } from "../common/api.ts";
import { EnteredMove } from "../common/entered_move.ts";
import { errorText } from "../common/errors.ts";
import { withoutSigns } from "../common/moves.ts";
import { ChosenEngine, type EngineLocation } from "./engine.ts";
import type { Info } from "./search_events.ts";
import { livingOf, turnOf } from "../common/fen.ts";
import { type Position, Positions } from "./positions.ts";
import { deleteTree, saveTree, loadTree } from "./store.ts";
import { t } from "./texts.ts";
import {
  add,
  depthOf,
  follow,
  fromWire,
  isMain,
  lastOf,
  lineTo,
  merge,
  pathOf,
  promote,
  remove,
  type Step,
  toWire,
  type TreeNode,
  type WireTree,
} from "./tree.ts";

export type Start = Schemas["AnalysisStart"];

/** Stores changes on the board outside this browser. */
export interface Recorder {
  record(edit: Schemas["TreeEdit"], steps?: readonly Step[]): void;
  /** Number of the last edit of others that is on the board. */
  readonly seq: number;
  /** Whether changes stay on the board. */
  readonly isReadOnly: boolean;
}
const LINES_KEY = "lozenge.analysis.lines";
const ENGINE_KEY = "lozenge.analysis.engine";
const TIME_KEY = "lozenge.analysis.time";

/** The times that a search can be given, in milliseconds; without a limit it goes on, on a server for half a minute. */
export const SEARCH_TIMES = [4_000, 8_000, 15_000, 30_000, null] as const;
const DEFAULT_TIME = 8_000;

/** Delay before a search, so that stepping through a game starts few. */
const DEBOUNCE_MS = 120;

export class Analysis {
  readonly start: Start;
  readonly board: Board;
  root: TreeNode;
  node: TreeNode;
  /** The PGN tags of the game. */
  tags: NonNullable<WireTree["tags"]>;
  /** Legal moves by node. */
  readonly #positions = new Map<TreeNode, Position>();
  readonly #loading = new Map<TreeNode, Promise<Position | null>>();
  readonly #infos = new Map<TreeNode, Info>();
  readonly #engine: ChosenEngine;
  readonly #positionSource: Positions;
  readonly #subscribers = new Set<() => void>();
  readonly entered = new EnteredMove();
  isEngineOn = load(ENGINE_KEY) === "on";
  lines = Math.min(5, Math.max(1, Number(load(LINES_KEY) ?? 1) || 1));
  isSearching = false;
  isQueued = false;
  showsThreat = false;
  threatInfo: Info | null = null;
  engineFault: string | null = null;
  fault: string | null = null;
  announcement = "";
  /** Whether the user has navigated, so that no move led to the position on the board. */
  isBrowsing = false;
  /** The engine is hidden while the user has to find a move. */
  isEngineHidden = false;
  #engineTimer: ReturnType<typeof setTimeout> | undefined;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;

  /** Null where the tree is stored in this browser. */
  readonly recorder: Recorder | null;

  constructor(start: Start, board: Board, recorder: Recorder | null = null) {
    this.recorder = recorder;
    this.start = start;
    this.board = board;
    this.#engine = new ChosenEngine(start.playing, () => this.#restartSearch());
    this.#positionSource = new Positions(this.rules);
    this.root = fromWire(start.tree);
    this.node = follow(this.root, start.at);
    this.tags = start.tree.tags ?? [];
    addEventListener("pagehide", () => this.#save());
    document.addEventListener("visibilitychange", () => this.#search());
  }

  /** Whether the game has more than two players. */
  get isMulti(): boolean {
    return isMulti(this.board.players);
  }

  get rules(): string {
    const { variant, digest } = this.start.tree;
    // The games of users are known by the digests of their versions.
    return variant.startsWith("~") ? digest : variant;
  }

  /** Where the tree is stored: by game, or by rules and start. */
  get #key(): string {
    const { game, tree } = this.start;
    return game ? `game ${game.id}` : `${tree.digest} ${tree.fen}`;
  }

  async open(): Promise<void> {
    const stored = this.recorder ? null : await loadTree(this.#key);
    const isNewAnalysis = !this.start.game && this.start.at.length === 0;
    if (stored && stored.tree.fen === this.root.fen) {
      this.#merge(stored.tree);
      if (isNewAnalysis || (this.start.game && !location.hash)) this.node = follow(this.root, stored.path);
    }
    const [, ply] = /^#(\d{1,6})$/.exec(location.hash) ?? [];
    if (ply !== undefined) this.node = follow(this.root, pathOf(lastOf(this.root)).slice(0, Number(ply)));
    this.#onNodeChanged();
  }

  /** Makes the board ready for moves without a connection. */
  prepareOffline(): Promise<void> {
    return this.#positionSource.prepare();
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

  // Positions.

  /** The position on the board with its legal moves; null until the server has sent them. */
  get position(): Position | null {
    return this.#positions.get(this.node) ?? null;
  }

  #load(node: TreeNode): Promise<Position | null> {
    const cached = this.#positions.get(node);
    if (cached) return Promise.resolve(cached);
    const loading = this.#loading.get(node) ?? this.#fetch(node);
    this.#loading.set(node, loading);
    return loading;
  }

  async #fetch(node: TreeNode): Promise<Position | null> {
    try {
      const moves = pathOf(node);
      const position = await this.#positionSource.fetch({ fen: this.root.fen, moves, known: moves.length });
      this.#positions.set(node, position);
      return position;
    } catch (error) {
      this.fault = errorText(error);
      return null;
    } finally {
      this.#loading.delete(node);
      this.notify();
    }
  }

  // Moves.

  /** Goes to a node. */
  view(node: TreeNode): void {
    if (node === this.node) return;
    this.node = node;
    this.isBrowsing = true;
    this.fault = null;
    this.announce(node.parent ? t("at_move", { move: this.moveText(node) }) : t("at_start"));
    this.#onNodeChanged();
  }

  #onNodeChanged(): void {
    this.showsThreat = false;
    this.threatInfo = null;
    void this.#load(this.node);
    this.#search();
    this.#onTreeChanged();
  }

  /** Plays a move of the board, or one that was typed. */
  async play(move: string): Promise<boolean> {
    const from = this.node;
    const position = await this.#load(from);
    if (!position || from !== this.node) return false;
    const legalMove = position.legal.find(({ uci, san }) => uci === move || san === move || withoutSigns(san) === withoutSigns(move));
    try {
      const steps = await this.#steps(from, [legalMove?.uci ?? move]);
      const next = steps.at(-1);
      if (!next) return false;
      this.fault = null;
      if (from !== this.node) return true;
      this.node = next;
      this.isBrowsing = false;
      this.#onNodeChanged();
      return true;
    } catch (error) {
      // A recorder adds the move as soon as the server can be reached again.
      const isRecorded = legalMove !== undefined && this.recorder !== null && !this.recorder.isReadOnly && !(error instanceof ApiError);
      if (isRecorded) this.recorder?.record({ type: "add", path: [...pathOf(from), legalMove.uci] });
      this.fault = isRecorded ? t("move_kept", { move: legalMove.san }) : legalMove ? errorText(error) : t("no_move", { move, example: position.legal[0]?.san ?? "" });
      this.entered.refuse();
      this.notify();
      return false;
    }
  }

  /** Clears the error after a refused move. */
  clearFault(): void {
    this.fault = null;
    this.notify();
  }

  /** Clears the fault from the time without a connection, and loads the position that could not be loaded. */
  onReconnected(): void {
    this.fault = null;
    void this.#load(this.node);
  }

  /** Adds moves after a node, in either notation; returns their nodes. */
  async #steps(from: TreeNode, moves: readonly string[]): Promise<TreeNode[]> {
    const before = pathOf(from);
    const position = await this.#positionSource.fetch({ fen: this.root.fen, moves: [...before, ...moves], known: before.length });
    const nodes: TreeNode[] = [];
    let at = from;
    let isNew = false;
    for (const step of position.steps) {
      isNew ||= !at.children.some(({ uci }) => uci === step.uci);
      nodes.push((at = add(at, step)));
    }
    if (isNew) this.recorder?.record({ type: "add", path: pathOf(at) }, position.steps);
    this.#positions.set(at, position);
    this.#onTreeChanged();
    return nodes;
  }

  /** Adds a line of the engine as a variation, and goes to its first move. */
  async addLine(moves: readonly string[], from = this.node): Promise<void> {
    try {
      const [first] = await this.#steps(from, moves);
      if (first) this.view(first);
    } catch (error) {
      this.fault = errorText(error);
    }
    this.notify();
  }

  promote(node: TreeNode, toMain: boolean): void {
    this.recorder?.record({ type: "promote", path: pathOf(node), to_main: toMain });
    promote(node, toMain);
    this.announce(t(isMain(node) ? "is_main" : "promoted"));
    this.#onTreeChanged();
  }

  remove(node: TreeNode): void {
    this.recorder?.record({ type: "remove", path: pathOf(node), base: this.recorder.seq });
    const isOnBranch = this.#isOnBranch(node);
    const parent = remove(node);
    this.announce(t("removed", { move: this.moveText(node) }));
    if (isOnBranch) this.view(parent);
    this.#onTreeChanged();
  }

  #isOnBranch(ancestor: TreeNode): boolean {
    for (let at: TreeNode | null = this.node; at; at = at.parent) if (at === ancestor) return true;
    return false;
  }

  /** Deletes all variations and notes: the game as it was played, or the start, remains. */
  async reset(): Promise<void> {
    await deleteTree(this.#key);
    this.#positions.clear();
    this.root = fromWire(this.start.tree);
    this.node = follow(this.root, this.start.at);
    this.tags = this.start.tree.tags ?? [];
    this.#onNodeChanged();
  }

  /**
   * Imports a game with the same starting position. It replaces the tree, and the board shows its start; on the board of a
   * game of the site it is added as variations to the main line.
   */
  importTree(tree: WireTree): void {
    if (this.start.game) {
      this.#merge(tree);
      this.#onTreeChanged();
      return;
    }
    this.#positions.clear();
    this.root = fromWire(tree);
    this.tags = tree.tags ?? [];
    this.node = this.root;
    this.isBrowsing = true;
    this.fault = null;
    this.announce(t("at_start"));
    this.#onNodeChanged();
  }

  /** Unites a tree with that of the board; who played is known of a game of the site, else from the tree's tags. */
  #merge(tree: WireTree): void {
    merge(this.root, fromWire(tree));
    if (!this.start.game && tree.tags && tree.tags.length > 0) this.tags = tree.tags;
  }

  /** Changes the tree otherwise than by this board. If the position on the board is gone, the last before it is shown. */
  change(work: () => void): void {
    work();
    const line = lineTo(this.node);
    const removed = line.find((step) => !step.parent?.children.includes(step));
    if (removed?.parent) this.view(removed.parent);
    this.notify();
  }

  // Notes.

  /** Replaces the `replaced` comments by a text; returns the new comments. */
  setComment(text: string, replaced: readonly string[]): string[] {
    const path = pathOf(this.node);
    const trimmed = text.trim();
    const [old = "", ...others] = replaced;
    for (const other of others) this.recorder?.record({ type: "set_comment", path, was: other, text: "" });
    if (old !== trimmed) this.recorder?.record({ type: "set_comment", path, was: old, text: trimmed });
    const rest = this.node.comments.filter((comment) => !replaced.includes(comment) && comment !== trimmed);
    this.node.comments = trimmed === "" ? rest : [trimmed, ...rest];
    this.#onTreeChanged();
    return trimmed === "" ? [] : [trimmed];
  }

  /** Sets or removes a glyph; of those that judge the move, and of those that judge the position, one stays. */
  toggleNag(nag: number, exclusive: readonly number[]): void {
    const { nags } = this.node;
    const remaining = nags.filter((other) => other !== nag && !exclusive.includes(other));
    const path = pathOf(this.node);
    for (const removed of nags.filter((other) => !remaining.includes(other))) {
      this.recorder?.record({ type: "unset_nag", path, nag: removed });
    }
    if (!nags.includes(nag)) this.recorder?.record({ type: "set_nag", path, nag });
    this.node.nags = nags.includes(nag) ? remaining : [...remaining, nag];
    this.#onTreeChanged();
  }

  setShapes(shapes: DrawnShape[]): void {
    const path = pathOf(this.node);
    const contains = (list: readonly DrawnShape[], shape: DrawnShape): boolean =>
      list.some(({ from, to, brush }) => from === shape.from && to === shape.to && brush === shape.brush);
    for (const shape of this.node.shapes) {
      if (!contains(shapes, shape)) this.recorder?.record({ type: "remove_shape", path, shape });
    }
    for (const shape of shapes) if (!contains(this.node.shapes, shape)) this.recorder?.record({ type: "add_shape", path, shape });
    this.node.shapes = shapes.slice(0, 32);
    this.#onTreeChanged();
  }

  /** After a change of the tree: shows it, and stores it soon. */
  #onTreeChanged(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => this.#save(), 500);
    this.notify();
  }

  #save(): void {
    clearTimeout(this.#saveTimer);
    if (this.recorder) return;
    void saveTree(this.#key, this.serialize(), pathOf(this.node));
  }

  /** The tree as it is sent. */
  serialize(): WireTree {
    const { variant, digest } = this.start.tree;
    return toWire(this.root, { variant, digest, tags: this.tags });
  }

  // The engine.

  /** The engine's evaluation of the position on the board. */
  get info(): Info | null {
    return this.#infos.get(this.node) ?? null;
  }

  infoOf(node: TreeNode): Info | null {
    return this.#infos.get(node) ?? null;
  }

  setEngine(on: boolean): void {
    this.isEngineOn = on;
    store(ENGINE_KEY, on ? "on" : "off");
    this.announce(t(on ? "engine_on" : "engine_off"));
    this.#search();
    this.notify();
  }

  /** Where the engine runs. */
  get engineLocation(): EngineLocation {
    return this.#engine.location;
  }

  /** Whether the user can choose where the engine runs. */
  get hasEngineChoice(): boolean {
    return this.#engine.hasChoice;
  }

  setEngineLocation(engineLocation: EngineLocation): void {
    this.#engine.setLocation(engineLocation);
    this.#restartSearch();
  }

  setLines(lines: number): void {
    this.lines = lines;
    store(LINES_KEY, String(lines));
    this.#restartSearch();
  }

  /** Drops all results, and searches the position on the board again. */
  #restartSearch(): void {
    this.#infos.clear();
    [this.showsThreat, this.threatInfo] = [false, null];
    this.#search();
    this.notify();
  }

  /** Hides the engine's lines and stops it, or shows them again. */
  hideEngine(hidden: boolean): void {
    this.isEngineHidden = hidden;
    this.#search();
    this.notify();
  }

  /** The time of a search in milliseconds; null without a limit. */
  get time(): number | null {
    const stored = load(TIME_KEY);
    return SEARCH_TIMES.find((time) => String(time) === stored) ?? (stored === "null" ? null : DEFAULT_TIME);
  }

  setTime(time: number | null): void {
    store(TIME_KEY, String(time));
    this.#search();
    this.notify();
  }

  /** Memory of the browser's engine for positions, in MiB. */
  get memory(): number {
    return this.#engine.memory;
  }

  setMemory(memory: number): void {
    this.#engine.setMemory(memory);
    this.#search();
    this.notify();
  }

  goDeeper(): void {
    this.#startSearch(null);
  }

  /** Shows what the other side threatens, or hides it. */
  toggleThreat(): void {
    if (this.isMulti) return;
    // Out of check there is no time for a threat, and none when the game is over.
    if (!this.showsThreat && (this.position === null || this.position.check != null || this.position.result !== "*")) return;
    this.showsThreat = !this.showsThreat;
    this.threatInfo = null;
    if (this.showsThreat) this.#startSearch(this.time);
    else this.#search();
    this.notify();
  }

  #search(): void {
    clearTimeout(this.#engineTimer);
    this.#engine.stop();
    [this.isSearching, this.isQueued, this.engineFault] = [false, false, null];
    if (!this.isEngineOn || this.isEngineHidden || document.hidden) return this.notify();
    const { time } = this;
    const cached = this.#infos.get(this.node);
    if (cached && time !== null && cached.time_ms >= time - 500) return void this.#engine.pollPlaying();
    this.#engineTimer = setTimeout(() => this.#startSearch(time), DEBOUNCE_MS);
  }

  #startSearch(time_ms: number | null): void {
    clearTimeout(this.#engineTimer);
    const { node } = this;
    const threat = this.showsThreat;
    [this.isSearching, this.engineFault] = [true, null];
    const request = { variant: this.rules, fen: this.root.fen, moves: pathOf(node), lines: this.lines, time_ms, threat };
    this.#engine.start(request, {
      queued: () => {
        this.isQueued = true;
        this.notify();
      },
      info: (info, isLast) => {
        this.isQueued = false;
        if (threat) this.threatInfo = info;
        // The result of a deeper search is shown until this one is as deep.
        else if (info.depth >= (this.#infos.get(node)?.depth ?? 0)) this.#infos.set(node, info);
        if (isLast) this.isSearching = false;
        this.notify();
      },
      failed: (fault) => {
        [this.isSearching, this.isQueued, this.showsThreat] = [false, false, false];
        this.engineFault = errorText(fault);
        this.notify();
      },
    });
    this.notify();
  }

  // Texts.

  /** A move with its number: `3… Nf6`. */
  moveText(node: TreeNode): string {
    const { number, isBlack } = numberOf(this.root, node);
    return `${number}${isBlack ? "…" : "."} ${node.san}`;
  }
}

/** The number of the move in a FEN. */
const fullmoveOf = (fen: string): number => Number.parseInt(fen.split(/\s+/)[5] ?? "1", 10) || 1;

/** The number of the move that led to a node, and whether it is not the first with this number. */
export function numberOf(root: TreeNode, node: TreeNode): { number: number; isBlack: boolean } {
  if (livingOf(root.fen) !== null) {
    // Players of four pass and go out, so that only the positions tell the numbers.
    const before = node.parent ?? node;
    const number = fullmoveOf(before.fen);
    const isFirst = before.parent ? fullmoveOf(before.parent.fen) < number : livingOf(before.fen)?.[0] === turnOf(before.fen);
    return { number, isBlack: !isFirst };
  }
  const first = Number.parseInt(root.fen.split(/\s+/)[5] ?? "1", 10) || 1;
  const half = depthOf(node) - 1 + (turnOf(root.fen) === "black" ? 1 : 0);
  return { number: first + Math.floor(half / 2), isBlack: half % 2 === 1 };
}

/** A step of the API from a node. */
export const stepOf = ({ uci, san, fen, last, check }: TreeNode): Step => ({ uci, san, fen, last: [...last], check });
