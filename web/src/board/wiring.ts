/**
 * What gestures and keys mean on a board: they become choices, moves, drawings and scrolls of the table.
 * Not here: how gestures are told apart (`input`), or what the table does.
 */
import { brushFor } from "./arrows.ts";
import type { Ghost } from "./drag.ts";
import type { Plane } from "./geometry.ts";
import type { Grid } from "./grid.ts";
import type { Hand, Intent } from "./hand.ts";
import type { Gestures } from "./input.ts";
import { directionOf, keyStep, walk } from "./keyboard.ts";
import type { Scroller } from "./scroller.ts";
import type { Stage } from "./stage.ts";
import type { Drawn, Point } from "./types.ts";

/** How long the mouse rests on a piece before the squares of its moves are shown. */
const HOVER_MS = 280;

/** The board as gestures see it. */
export interface Table {
  readonly plane: Plane | null;
  readonly stage: Stage;
  readonly hand: Hand;
  readonly ghost: Ghost;
  readonly grid: Grid;
  readonly scroller: Scroller | null;
  /** Whether anything can be moved, looked at or drawn. */
  readonly isLive: boolean;
  select(square: number | null): void;
  carryOut(intent: Intent, dragged: boolean): void;
  cancelPremove(): void;
  /** Drops whatever was begun: a waiting move, a chosen piece, drawings. */
  letGo(): void;
  /** Closes an open question; says whether there was one. */
  turnAway(): boolean;
  hoverOver(square: number | null): void;
  dragOver(square: number | null): void;
  pictureOf(square: number): string;
  sketch(shape: Drawn | null): void;
  draw(shape: Drawn): void;
  clearDrawings(): void;
}

export class Wiring implements Gestures {
  readonly #table: Table;
  /** What the press would mean if it became a tap. */
  #pressed: Intent | null = null;
  #from: number | null = null;
  /** The piece that was chosen before the press. */
  #chosen: number | null = null;
  /** A finger may be the first of two: what it clears is cleared when it has become a tap or a drag. */
  #owing = false;
  #hover: number | null = null;
  #hoverTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(table: Table) {
    this.#table = table;
  }

  #square(at: Point): number | null {
    const plane = this.#table.plane;
    const place = plane?.placeAt(at);
    return plane && place ? plane.squareAt(place) : null;
  }

  press(at: Point, event: PointerEvent): boolean {
    const table = this.#table;
    this.hover(null);
    this.#pressed = null;
    this.#owing = false;
    this.#chosen = table.hand.selected;
    if (table.turnAway() || !table.isLive) return false;
    this.#owing = true;
    if (event.pointerType !== "touch") this.#clear();
    const square = this.#square(at);
    if (square === null) {
      this.#pressed = { kind: "select", square: null };
      return false;
    }
    table.grid.focusable(square);
    const intent = table.hand.point(square);
    this.#pressed = intent;
    if (intent.kind === "select" && intent.square !== null) {
      table.select(intent.square);
      this.#pressed = null;
    }
    this.#from = square;
    const draggable = table.hand.grip(square) !== "none";
    if (draggable && event.pointerType === "mouse") table.stage.frame.dataset.cursor = "grabbing";
    return draggable;
  }

  /** A press clears what was drawn and what waits. */
  #clear(): void {
    if (!this.#owing) return;
    this.#owing = false;
    this.#table.clearDrawings();
    if (this.#table.hand.premove) this.#table.cancelPremove();
  }

  takeBack(): void {
    this.#pressed = null;
    this.#owing = false;
    const { pieces } = this.#table.hand.situation;
    this.#table.select(this.#chosen !== null && pieces.has(this.#chosen) ? this.#chosen : null);
  }

  tap(): void {
    this.#clear();
    if (this.#pressed) this.#table.carryOut(this.#pressed, false);
    this.#pressed = null;
    this.#cursor(null);
  }

  dragStart(_from: Point, event: PointerEvent): void {
    const table = this.#table;
    if (this.#from === null) return;
    this.#clear();
    this.#pressed = null;
    if (table.hand.selected !== this.#from) table.select(this.#from);
    table.stage.pieces.lift(this.#from);
    table.ghost.show(table.pictureOf(this.#from), table.stage.pieceSize(), event.pointerType === "touch");
  }

  dragMove(at: Point): void {
    const table = this.#table;
    table.ghost.move(table.stage.toFrame(at));
    const square = this.#square(at);
    const fits = square !== null && this.#from !== null && table.hand.put(this.#from, square) !== null;
    table.dragOver(fits ? square : null);
  }

  dragEnd(at: Point): void {
    const table = this.#table;
    const [from, to] = [this.#from, this.#square(at)];
    this.dragCancel();
    const intent = from === null || to === null || from === to ? null : table.hand.put(from, to);
    if (intent) table.carryOut(intent, true);
  }

  dragCancel(): void {
    this.#table.ghost.hide();
    this.#table.stage.pieces.lift(null);
    this.#table.dragOver(null);
    this.#from = null;
    this.#cursor(null);
  }

  hover(at: Point | null): void {
    const square = at ? this.#square(at) : null;
    if (square === this.#hover) return;
    this.#hover = square;
    clearTimeout(this.#hoverTimer);
    this.#table.hoverOver(null);
    this.#cursor(square);
    if (square !== null) this.#hoverTimer = setTimeout(() => this.#table.hoverOver(square), HOVER_MS);
  }

  #cursor(square: number | null): void {
    const { hand, stage, isLive } = this.#table;
    const chosen = hand.selected;
    const fits = square !== null && chosen !== null && hand.put(chosen, square) !== null;
    const grip = square !== null && hand.grip(square) !== "none";
    stage.frame.dataset.cursor = !isLive ? "" : fits ? "pointer" : grip ? "grab" : "";
  }

  drawMove(from: Point, to: Point, event: PointerEvent): void {
    this.#table.sketch(this.#shape(from, to, event));
  }

  drawEnd(from: Point, to: Point, event: PointerEvent): void {
    const table = this.#table;
    table.sketch(null);
    if (table.turnAway()) return;
    const shape = this.#shape(from, to, event);
    if (table.hand.premove) table.cancelPremove();
    else if (shape) table.draw(shape);
  }

  drawCancel(): void {
    this.#table.sketch(null);
  }

  #shape(from: Point, to: Point, event: PointerEvent): Drawn | null {
    const [start, end] = [this.#square(from), this.#square(to)];
    return start === null || end === null ? null : { from: start, to: end, brush: brushFor(event) };
  }

  canPan(): boolean {
    return this.#table.plane?.wrapped ?? false;
  }

  panMove(step: Point): void {
    const plane = this.#table.plane;
    if (plane) this.#table.scroller?.by(plane.lattice(step));
  }

  panEnd(): void {
    this.#table.scroller?.end();
  }

  /** A key on a cell of the grid. */
  key(event: KeyboardEvent): void {
    const { plane, hand, grid } = this.#table;
    const square = grid.squareOf(event.composedPath()[0] ?? null);
    if (!plane || square === null || event.ctrlKey || event.altKey || event.metaKey) return;
    const direction = directionOf(event.key);
    if (event.shiftKey && direction && plane.wrapped) {
      // The window goes where the key points, so the picture goes the other way.
      this.#table.scroller?.go([-direction[0], -direction[1]]);
    } else if (!event.shiftKey && keyStep(plane, event.key)) {
      grid.focus(walk(plane, square, event.key));
    } else if (event.key === "Enter" || event.key === " ") {
      if (hand.premove) this.#table.cancelPremove();
      this.#table.carryOut(hand.point(square), false);
    } else if (event.key === "Escape") {
      this.#table.letGo();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
