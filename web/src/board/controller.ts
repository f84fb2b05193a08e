/**
 * The state of a board: the page's options, the selection, and moves that the page has not answered yet. Every change
 * is drawn by the view and reported to the page. Not here: pointers and keys (`gestures`), drawing (`view`).
 */
import { movePiece } from "./animation.ts";
import { toggleShape } from "./arrows.ts";
import { suffixesOf } from "./chooser.ts";
import { isMulti } from "./colors.ts";
import { Destinations, type MoveOption } from "./destinations.ts";
import { marksModel } from "./marks_model.ts";
import type { GhostPiece } from "./ghosts.ts";
import { type BoardOptions, LAYOUT } from "./properties.ts";
import { type BoardState, type Intent, Selection } from "./selection.ts";
import { play } from "./sounds.ts";
import type { BoardEvents, DrawnShape, InspectTrigger, Piece, Point, Role } from "./types.ts";
import type { BoardView } from "./view.ts";

/** Reports to the page: `detail` has the shape that `BoardEvents` gives the event. */
export type Emit = <K extends keyof BoardEvents>(name: K, detail: BoardEvents[K]) => void;

const NO_MOVES = new Destinations({ squares: [] }, []);

export class BoardController {
  readonly selection: Selection;
  readonly #options: BoardOptions;
  readonly #view: BoardView;
  readonly #emit: Emit;
  /** The pieces on the screen, which are ahead of the page's after a move of the user. */
  #pieces: readonly Piece[] = [];
  #last: readonly number[] = [];
  /** The user has moved and the page has not answered yet. */
  #isAhead = false;
  #hovered: number | null = null;
  #dropTarget: number | null = null;
  #isInspecting = false;
  /** The shape that is being drawn. */
  #sketch: DrawnShape | null = null;

  constructor(options: BoardOptions, view: BoardView, emit: Emit) {
    this.#options = options;
    this.#view = view;
    this.#emit = emit;
    this.selection = new Selection(this.#state());
  }

  // Set by the page.

  /** Brings everything that the page has set to the screen. */
  update(changed: ReadonlySet<string>): void {
    const { board, sprite, texts } = this.#options;
    if (!board) return;
    this.#view.loadPictures(sprite);
    if (changed.has("board")) {
      this.#view.setBoard(board);
      this.selection.selected = null;
      this.selection.premove = null;
      this.#pieces = [];
    }
    if (changed.has("pieces") || LAYOUT.some((name) => changed.has(name))) this.endInspection();
    if (changed.has("board") || changed.has("texts")) this.#view.setTexts(board, texts);
    this.#updatePosition(changed);
    this.selection.update(this.#state());
    this.#drawState();
    this.#view.drawShapes(this.#shapes());
    this.#playPremove();
  }

  #updatePosition(changed: ReadonlySet<string>): void {
    const isAnswer = this.#isAhead;
    const before = this.#pieces;
    if (changed.has("pieces") || changed.has("destinations")) this.#isAhead = false;
    if (!this.#isAhead) [this.#pieces, this.#last] = [this.#options.pieces, this.#options.last];
    if (!this.#view.plane || LAYOUT.some((name) => changed.has(name))) {
      this.#view.layOut(this.#pieces);
    } else if (changed.has("pieces")) {
      this.#view.showPieces(this.#pieces, this.#last, this.#options.static ? 0 : this.#options.animation);
      if (!this.#options.static) this.#announceChange(before, isAnswer);
    }
  }

  /** `isAnswer`: the page answers a move of the user, which was announced and played with its sound before. */
  #announceChange(before: readonly Piece[], isAnswer: boolean): void {
    const { check, announcesMoves, sound } = this.#options;
    const highlights = { last: this.#last, check };
    const options = { isAnswer, isAnnounced: announcesMoves };
    const isMove = this.#view.announcer?.announceChange(before, this.#pieces, highlights, options);
    if (!sound || (!isMove && !isAnswer)) return;
    if (check !== null) play("check");
    else if (!isAnswer) play(this.#pieces.length < before.length ? "capture" : "move");
  }

  #state(): BoardState {
    const { board, castlings, destinations, movable, pieces, placing, premove, reach, turn } = this.#options;
    return {
      pieces: new Map((this.#isAhead ? this.#pieces : pieces).map((piece) => [piece.square, piece])),
      destinations: board && !this.#isAhead ? new Destinations(board, destinations, castlings) : NO_MOVES,
      reach,
      movable,
      // Another player's, who has no moves yet.
      turn: this.#isAhead ? null : turn,
      premove,
      placing,
      promotions: board?.promotions,
    };
  }

  /** Takes back the move of the user that the page refused. */
  reset(): void {
    this.#isAhead = false;
  }

  // Drawing.

  get #check(): number | null {
    return this.#isAhead ? null : this.#options.check;
  }

  /** Draws the marks and labels the cells. */
  #drawState(): void {
    this.#drawMarks();
    // Between two players the strips beside the board suffice.
    this.#view.layers.cells.setTurn(isMulti(this.#options.board?.players) ? this.selection.state.turn : null);
    const highlights = { last: this.#last, check: this.#check };
    if (this.#view.plane && !this.#options.static) this.#view.announcer?.labelCells(this.selection, highlights);
  }

  #drawMarks(): void {
    const { marks, showDestinations } = this.#options;
    const model = marksModel(this.selection, {
      last: this.#last,
      check: this.#check,
      hovered: this.#hovered,
      dropTarget: this.#dropTarget,
      marks,
      showDestinations,
    });
    this.#view.drawMarks(model);
    this.#view.drawPremoveGhost(model.premove.length > 0 ? this.#premoveGhost() : null);
  }

  /** The role that the premove promotes to, if it was chosen. */
  #premoveGhost(): GhostPiece | null {
    const { premove, state } = this.selection;
    const role = this.#roleOf(premove?.suffix ?? null);
    const color = premove && state.pieces.get(premove.from)?.color;
    if (!premove || !role || !color) return null;
    return { square: premove.to, href: this.#view.pictureOf({ role: role.id, color }) };
  }

  #roleOf(suffix: string | null): Role | undefined {
    return suffix ? this.#options.board?.roles.find((role) => role.letter.toLowerCase() === suffix) : undefined;
  }

  // Selecting and moving.

  select(square: number | null): void {
    if (square === this.selection.selected) return;
    this.selection.selected = square;
    if (square !== null) this.#requestReach(square);
    this.#drawState();
    this.#emit("select", { square });
    this.#view.announcer?.announceSelection(square, this.selection);
  }

  /** Selects, moves or premoves. A dragged piece is already at its target and is not animated. */
  perform(intent: Intent, isDragged: boolean): void {
    if (intent.kind === "select") this.select(intent.square);
    else if (intent.kind === "premove") void this.#choosePremove(intent.from, intent.to);
    else void this.#chooseMove(intent.from, intent.to, intent.options, { isDragged, isPremove: false });
  }

  async #chooseMove(from: number, to: number, options: MoveOption[], kind: MoveKind): Promise<void> {
    const [only] = options;
    if (!only) return;
    if (options.length === 1) return this.#move(from, only, kind);
    const piece = this.selection.state.pieces.get(from);
    if (!piece) return;
    // The piece waits on its target while the user chooses.
    const before = this.#pieces;
    const { animation } = this.#options;
    this.#view.showPieces(movePiece(before, from, to), [from, to], kind.isDragged ? 0 : animation);
    const suffix = await this.#view.chooseSuffix(piece, to, suffixesOf(options));
    // Meanwhile the page may have set another position.
    const intent = this.selection.intent(from, to);
    const option = intent?.kind === "move" && intent.options.find((candidate) => candidate.suffix === suffix);
    if (option) return this.#move(from, option, { ...kind, isDragged: true });
    if (this.#pieces === before) this.#view.showPieces(before, [to, from], animation);
    this.select(null);
  }

  /** Shows the move at once; `#isAhead` until the page answers. */
  #move(from: number, option: MoveOption, { isDragged, isPremove }: MoveKind): void {
    const piece = this.selection.state.pieces.get(from);
    const before = this.#pieces;
    const last = [from, option.to] as const;
    this.#pieces = movePiece(before, from, option.to);
    this.#last = last;
    this.#isAhead = true;
    this.#view.showPieces(this.#pieces, last, isDragged ? 0 : this.#options.animation);
    if (this.#options.sound) play(this.#pieces.length < before.length ? "capture" : "move");
    if (piece) this.#view.announcer?.announceOwnMove(piece, before, this.#pieces, last);
    this.selection.selected = null;
    this.selection.update({ ...this.#state(), reach: null });
    this.#drawState();
    this.#emit("move", { move: option.move, from, to: option.to, premove: isPremove });
  }

  /** Drops the premove, the selection and the user's drawings. */
  cancelAll(): void {
    this.cancelPremove();
    this.select(null);
    this.clearDrawings();
  }

  /** Returns whether a choice was open. */
  cancelChoice(): boolean {
    return this.#view.closeChooser();
  }

  // Premoves.

  async #choosePremove(from: number, to: number): Promise<void> {
    const piece = this.selection.state.pieces.get(from);
    const letters = this.selection.promotionLetters(from, to);
    if (!piece || letters.length === 0) return this.setPremove(from, to, null);
    const suffix = await this.#view.chooseSuffix(piece, to, letters);
    // Meanwhile the piece may have been captured.
    const isPresent = this.selection.state.pieces.get(from)?.role === piece.role;
    if (suffix === null || !isPresent) return this.select(null);
    this.setPremove(from, to, suffix);
  }

  /** Replaces the premove. `selection.intent` returns what can be premoved. */
  setPremove(from: number, to: number, suffix: string | null): void {
    const premove = { from, to, suffix };
    this.selection.premove = premove;
    this.selection.selected = null;
    this.#drawState();
    this.#emit("premove", premove);
    this.#view.announcer?.announcePremove(premove, this.#roleOf(suffix)?.id ?? null);
    // The turn may have come while the user was choosing.
    this.#playPremove();
  }

  #playPremove(): void {
    const options = this.selection.playablePremove();
    const { premove } = this.selection;
    if (options === null || !premove) return;
    this.selection.premove = null;
    if (options.length > 0) {
      return void this.#chooseMove(premove.from, premove.to, options, { isDragged: false, isPremove: true });
    }
    this.#drawState();
    this.#emit("premove-cancelled", { reason: "illegal" });
  }

  /** Drops the premove, or the choice of the piece that it promotes to. */
  cancelPremove(): void {
    this.cancelChoice();
    if (!this.selection.premove) return;
    this.selection.premove = null;
    this.#drawState();
    this.#view.announcer?.announcePremoveCancelled();
    this.#emit("premove-cancelled", { reason: "user" });
  }

  // Reach, under the mouse and for pieces that cannot be moved now.

  setHovered(square: number | null): void {
    if (square === null && this.#hovered === null) return;
    const isPiece = square !== null && this.selection.state.pieces.has(square);
    this.#hovered = isPiece && this.#options.hoverReach && this.selection.selected === null ? square : null;
    // The moves of a movable piece are known.
    if (this.#hovered !== null && this.selection.movability(this.#hovered) !== "move") {
      this.#requestReach(this.#hovered);
    }
    this.#drawMarks();
  }

  #requestReach(square: number): void {
    if (this.#options.reach === null) this.#emit("reach-wanted", { square });
  }

  // Explanations of pieces, by the page.

  /** Asks the page to explain the piece on a square; `at` is a point of that square, in cell sides. False if there is none. */
  inspect(square: number, trigger: InspectTrigger, at?: Point): boolean {
    const piece = this.selection.state.pieces.get(square);
    const place = this.#view.windowPlace(square, at);
    // A dead piece has no moves to explain.
    if (!this.#options.inspectable || !piece || piece.color === "dead" || !place) return false;
    this.#isInspecting = true;
    const { role, color } = piece;
    this.#emit("inspect", { inspection: { piece: { square, role, color }, trigger, ...place } });
    return true;
  }

  /** Returns whether a piece was being explained. */
  endInspection(): boolean {
    const wasInspecting = this.#isInspecting;
    this.#isInspecting = false;
    if (wasInspecting) this.#emit("inspect", { inspection: null });
    return wasInspecting;
  }

  /** Marks the square under a dragged piece. */
  setDropTarget(square: number | null): void {
    if (square === this.#dropTarget) return;
    this.#dropTarget = square;
    this.#drawMarks();
  }

  // Drawings.

  #shapes(): DrawnShape[] {
    const { drawings, hints } = this.#options;
    return [...hints, ...drawings, ...(this.#sketch ? [this.#sketch] : [])];
  }

  setSketch(shape: DrawnShape | null): void {
    this.#sketch = shape;
    this.#view.drawShapes(this.#shapes());
  }

  toggleDrawing(shape: DrawnShape): void {
    this.#setDrawings(toggleShape(this.#options.drawings, shape));
  }

  clearDrawings(): void {
    if (this.#options.drawings.length > 0) this.#setDrawings([]);
  }

  #setDrawings(shapes: DrawnShape[]): void {
    this.#options.drawings = shapes;
    this.#emit("drawn", { shapes });
  }
}

interface MoveKind {
  isDragged: boolean;
  isPremove: boolean;
}
