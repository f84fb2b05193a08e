/**
 * The meaning of gestures and keys: each becomes commands to the controller. Not here: how gestures are recognized
 * (`pointer_input`).
 */
import { brushFor } from "./arrows.ts";
import type { BoardController } from "./controller.ts";
import { directionOf, keyStep, squareByKey } from "./keyboard.ts";
import type { GestureHandler } from "./pointer_input.ts";
import type { Intent } from "./selection.ts";
import type { DrawnShape, Point } from "./types.ts";
import type { BoardView } from "./view.ts";

/** How long the mouse rests on a piece before the board shows its reach. */
const HOVER_MS = 280;
/** How long the mouse rests on a piece before the page explains it, and how long a finger is held on it. */
const INSPECT_HOVER_MS = 900;
const INSPECT_HOLD_MS = 500;
/** How long a finger is held on a board of small squares before it gets a loupe. */
const LOUPE_MS = 160;

export class Gestures implements GestureHandler {
  readonly #controller: BoardController;
  readonly #view: BoardView;
  /** The action of a tap; null if it is already done. */
  #tapIntent: Intent | null = null;
  #pressed: number | null = null;
  #selectedBefore: number | null = null;
  /** A press clears drawings and premove; that of a finger later, since it may become a scroll with two fingers. */
  #mustClear = false;
  #isTouchDrag = false;
  #hovered: number | null = null;
  #hoverTimer: ReturnType<typeof setTimeout> | undefined;
  #inspectTimer: ReturnType<typeof setTimeout> | undefined;
  #loupeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(controller: BoardController, view: BoardView) {
    this.#controller = controller;
    this.#view = view;
  }

  // Select, move, drag.

  press(at: Point, event: PointerEvent): boolean {
    const { selection } = this.#controller;
    this.hover(null);
    this.#controller.endInspection();
    this.#tapIntent = null;
    this.#mustClear = false;
    this.#selectedBefore = selection.selected;
    if (this.#controller.cancelChoice()) return false;
    this.#mustClear = true;
    if (event.pointerType !== "touch") this.#clear();
    const square = this.#view.squareAt(at);
    this.#pressed = square;
    if (square === null) {
      this.#tapIntent = { kind: "select", square: null };
      return false;
    }
    this.#view.grid.setTabStop(square);
    const intent = selection.clickIntent(square);
    if (intent.kind === "select" && intent.square !== null) this.#controller.select(intent.square);
    else this.#tapIntent = intent;
    if (event.pointerType === "touch") this.#hold(square, at);
    const canDrag = selection.movability(square) !== "none";
    if (canDrag && event.pointerType === "mouse") this.#view.setCursor("grabbing");
    return canDrag;
  }

  /** A finger that is held gets a loupe, and asks about the piece under it, unless it moves the selected piece there. */
  #hold(square: number, at: Point): void {
    if (this.#view.needsLoupe) this.#loupeTimer = setTimeout(() => this.#view.showLoupe(at), LOUPE_MS);
    if (this.#tapIntent !== null && this.#tapIntent.kind !== "select") return;
    this.#inspectTimer = setTimeout(() => {
      if (!this.#controller.inspect(square, "finger", at)) return;
      this.#view.hideLoupe();
      // The tap is done: a selected piece stays selected.
      this.#tapIntent = null;
    }, INSPECT_HOLD_MS);
  }

  #endHold(): void {
    clearTimeout(this.#inspectTimer);
    clearTimeout(this.#loupeTimer);
    this.#view.hideLoupe();
  }

  /** Under the loupe the finger chooses another square. */
  pressMove(at: Point): void {
    if (!this.isAiming()) return this.#endHold();
    clearTimeout(this.#inspectTimer);
    this.#view.showLoupe(at);
    const square = this.#view.squareAt(at);
    if (square === this.#pressed) return;
    this.#pressed = square;
    const { selection } = this.#controller;
    this.#tapIntent = square === null ? null : selection.clickIntent(square);
    this.#controller.setDropTarget(this.#tapIntent && this.#tapIntent.kind !== "select" ? square : null);
  }

  isAiming(): boolean {
    return this.#view.isLoupeOpen;
  }

  #clear(): void {
    if (!this.#mustClear) return;
    this.#mustClear = false;
    this.#controller.clearDrawings();
    this.#controller.cancelPremove();
  }

  undoPress(): void {
    this.#endHold();
    this.#controller.setDropTarget(null);
    this.#controller.endInspection();
    this.#tapIntent = null;
    this.#mustClear = false;
    const before = this.#selectedBefore;
    const isPresent = before !== null && this.#controller.selection.state.pieces.has(before);
    this.#controller.select(isPresent ? before : null);
  }

  tap(): void {
    this.#endHold();
    this.#controller.setDropTarget(null);
    this.#clear();
    if (this.#tapIntent) this.#controller.perform(this.#tapIntent, false);
    this.#tapIntent = null;
    this.#setCursor(null);
  }

  dragStart(event: PointerEvent): void {
    const square = this.#pressed;
    if (square === null) return;
    this.#endHold();
    this.#controller.endInspection();
    this.#clear();
    this.#tapIntent = null;
    this.#controller.select(square);
    const picture = this.#view.pictureOf(this.#controller.selection.state.pieces.get(square));
    this.#isTouchDrag = event.pointerType === "touch";
    this.#view.startDrag(square, picture, this.#isTouchDrag);
  }

  dragMove(at: Point): void {
    this.#view.moveDrag(at);
    if (this.#isTouchDrag && this.#view.needsLoupe) this.#view.showLoupe(at);
    const square = this.#view.squareAt(at);
    this.#controller.setDropTarget(this.#intentTo(square) ? square : null);
  }

  dragEnd(at: Point): void {
    const intent = this.#intentTo(this.#view.squareAt(at));
    this.dragCancel();
    if (intent) this.#controller.perform(intent, true);
  }

  /** The move of the pressed piece to a square. */
  #intentTo(square: number | null): Intent | null {
    if (square === null || this.#pressed === null || square === this.#pressed) return null;
    return this.#controller.selection.intent(this.#pressed, square);
  }

  dragCancel(): void {
    this.#view.endDrag();
    this.#controller.setDropTarget(null);
    this.#pressed = null;
    this.#setCursor(null);
  }

  /** A click on a cell of the grid: screen readers click, while pointers never reach the cells. */
  click(square: number): void {
    this.#controller.perform(this.#controller.selection.clickIntent(square), false);
  }

  // Hover.

  hover(at: Point | null): void {
    const square = at ? this.#view.squareAt(at) : null;
    if (square === this.#hovered) return;
    this.#hovered = square;
    clearTimeout(this.#hoverTimer);
    clearTimeout(this.#inspectTimer);
    this.#controller.setHovered(null);
    this.#controller.endInspection();
    this.#setCursor(square);
    if (at === null || square === null) return;
    this.#hoverTimer = setTimeout(() => this.#controller.setHovered(square), HOVER_MS);
    // A user who has selected a piece is about to move it.
    if (this.#controller.selection.selected !== null) return;
    this.#inspectTimer = setTimeout(() => this.#controller.inspect(square, "mouse", at), INSPECT_HOVER_MS);
  }

  #setCursor(square: number | null): void {
    const { selection } = this.#controller;
    if (square === null) return this.#view.setCursor("");
    const isTarget = selection.selected !== null && selection.intent(selection.selected, square) !== null;
    this.#view.setCursor(isTarget ? "pointer" : selection.movability(square) !== "none" ? "grab" : "");
  }

  // Draw.

  drawMove(from: Point, to: Point, event: PointerEvent): void {
    this.#controller.setSketch(this.#shape(from, to, event));
  }

  drawEnd(from: Point, to: Point, event: PointerEvent): void {
    this.#controller.setSketch(null);
    if (this.#controller.cancelChoice()) return;
    const shape = this.#shape(from, to, event);
    if (this.#controller.selection.premove) this.#controller.cancelPremove();
    else if (shape) this.#controller.toggleDrawing(shape);
  }

  drawCancel(): void {
    this.#controller.setSketch(null);
  }

  #shape(from: Point, to: Point, event: PointerEvent): DrawnShape | null {
    const [start, end] = [this.#view.squareAt(from), this.#view.squareAt(to)];
    return start === null || end === null ? null : { from: start, to: end, brush: brushFor(event) };
  }

  // Scroll.

  canPan(): boolean {
    return this.#view.plane?.wrapped ?? false;
  }

  panMove(step: Point): void {
    const { plane, scroller } = this.#view;
    if (plane) scroller?.scrollBy(plane.lattice(step));
  }

  panEnd(): void {
    this.#view.scroller?.end();
  }

  // Keys.

  /** A key on a cell of the grid. */
  key(square: number, event: KeyboardEvent): void {
    const { plane, grid, scroller } = this.#view;
    if (!plane || event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = directionOf(event.key);
    if (event.shiftKey && direction && plane.wrapped) {
      // The window moves in the direction of the key, and the picture against it.
      scroller?.glideTowards([-direction[0], -direction[1]]);
    } else if (!event.shiftKey && keyStep(plane, event.key)) {
      this.#controller.endInspection();
      grid.focus(squareByKey(plane, square, event.key));
    } else if (event.key === "Enter" || event.key === " ") {
      this.#controller.endInspection();
      this.#controller.cancelPremove();
      this.click(square);
    } else if (event.key === "?" && this.#controller.inspect(square, "key")) {
      // Done. On an empty square it is the page's key.
    } else if (event.key === "Escape") {
      if (!this.#controller.endInspection()) this.#controller.cancelAll();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
