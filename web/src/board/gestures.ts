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

export class Gestures implements GestureHandler {
  readonly #controller: BoardController;
  readonly #view: BoardView;
  /** The action of a tap; null if it is already done. */
  #tapIntent: Intent | null = null;
  #pressed: number | null = null;
  #selectedBefore: number | null = null;
  /** A press clears drawings and premove; that of a finger later, since it may become a scroll with two fingers. */
  #mustClear = false;
  #hovered: number | null = null;
  #hoverTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(controller: BoardController, view: BoardView) {
    this.#controller = controller;
    this.#view = view;
  }

  // Select, move, drag.

  press(at: Point, event: PointerEvent): boolean {
    const { selection } = this.#controller;
    this.hover(null);
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
    const canDrag = selection.movability(square) !== "none";
    if (canDrag && event.pointerType === "mouse") this.#view.setCursor("grabbing");
    return canDrag;
  }

  #clear(): void {
    if (!this.#mustClear) return;
    this.#mustClear = false;
    this.#controller.clearDrawings();
    this.#controller.cancelPremove();
  }

  undoPress(): void {
    this.#tapIntent = null;
    this.#mustClear = false;
    const before = this.#selectedBefore;
    const isPresent = before !== null && this.#controller.selection.state.pieces.has(before);
    this.#controller.select(isPresent ? before : null);
  }

  tap(): void {
    this.#clear();
    if (this.#tapIntent) this.#controller.perform(this.#tapIntent, false);
    this.#tapIntent = null;
    this.#setCursor(null);
  }

  dragStart(event: PointerEvent): void {
    const square = this.#pressed;
    if (square === null) return;
    this.#clear();
    this.#tapIntent = null;
    this.#controller.select(square);
    const picture = this.#view.pictureOf(this.#controller.selection.state.pieces.get(square));
    this.#view.startDrag(square, picture, event.pointerType === "touch");
  }

  dragMove(at: Point): void {
    this.#view.moveDrag(at);
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
    this.#controller.setHovered(null);
    this.#setCursor(square);
    if (square !== null) this.#hoverTimer = setTimeout(() => this.#controller.setHovered(square), HOVER_MS);
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
      grid.focus(squareByKey(plane, square, event.key));
    } else if (event.key === "Enter" || event.key === " ") {
      this.#controller.cancelPremove();
      this.click(square);
    } else if (event.key === "Escape") {
      this.#controller.cancelAll();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
