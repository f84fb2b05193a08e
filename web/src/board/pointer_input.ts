/**
 * Recognizes gestures in pointer events: tap, drag, hover, drawing with the right button, scrolling with the middle
 * button or two fingers. Not here: what a gesture does (`gestures`).
 */
import type { Point } from "./types.ts";

/** How far a pointer moves before it drags, in pixels. */
const DRAG_THRESHOLD_PX = 3;
/** A finger that is held trembles. */
const TOUCH_THRESHOLD_PX = 8;

export interface GestureHandler {
  /** The left button or a finger is pressed. Returns whether this can become a drag. */
  press(at: Point, event: PointerEvent): boolean;
  /** The pointer has left the point of the press, and drags nothing. */
  pressMove(at: Point): void;
  /** Whether a finger is choosing a square, so that it must not scroll the page. */
  isAiming(): boolean;
  /** Released without a drag. */
  tap(): void;
  dragStart(event: PointerEvent): void;
  dragMove(at: Point): void;
  dragEnd(at: Point): void;
  dragCancel(): void;
  /** The press became another gesture: undoes its effect. */
  undoPress(): void;
  hover(at: Point | null): void;
  drawMove(from: Point, to: Point, event: PointerEvent): void;
  drawEnd(from: Point, to: Point, event: PointerEvent): void;
  drawCancel(): void;
  canPan(): boolean;
  panMove(step: Point): void;
  panEnd(): void;
}

type Gesture =
  | { kind: "none" }
  | { kind: "pressed"; pointer: number; client: Point; canDrag: boolean; hasMoved: boolean }
  | { kind: "dragging"; pointer: number }
  | { kind: "drawing"; pointer: number; from: Point }
  | { kind: "panning"; pointers: Map<number, Point>; center: Point };

export class PointerInput {
  readonly #target: HTMLElement;
  readonly #toBoard: (client: Point) => Point;
  readonly #handler: GestureHandler;
  readonly #listeners = new AbortController();
  #gesture: Gesture = { kind: "none" };
  /** The requested animation frame, and the last move of each pointer since. */
  #frame = 0;
  readonly #pending = new Map<number, PointerEvent>();

  constructor(target: HTMLElement, toBoard: (client: Point) => Point, handler: GestureHandler) {
    this.#target = target;
    this.#toBoard = toBoard;
    this.#handler = handler;
    const on = <K extends keyof HTMLElementEventMap>(
      name: K,
      handler: (event: HTMLElementEventMap[K]) => void,
    ) => target.addEventListener(name, handler, { signal: this.#listeners.signal });
    on("pointerdown", (event) => {
      this.#flush();
      this.#down(event);
    });
    on("pointermove", (event) => this.#queueMove(event));
    on("pointerup", (event) => {
      this.#flush();
      this.#up(event);
    });
    on("pointercancel", () => {
      this.#pending.clear();
      this.cancel();
    });
    on("pointerleave", () => {
      this.#flush();
      this.#handler.hover(null);
    });
    on("contextmenu", (event) => event.preventDefault());
    // A finger on an empty part of the board scrolls the page.
    target.addEventListener("touchmove", (event) => this.#isOwn(event) && event.preventDefault(), {
      signal: this.#listeners.signal,
      passive: false,
    });
    // Safari zooms the page with two fingers despite `touch-action`.
    target.addEventListener("gesturestart", (event) => event.preventDefault(), { signal: this.#listeners.signal });
    // Prevent the browser's own scrolling by the middle button.
    on("mousedown", (event) => event.button === 1 && event.preventDefault());
  }

  disconnect(): void {
    this.#listeners.abort();
    this.#pending.clear();
    cancelAnimationFrame(this.#frame);
  }

  /** Handles one move of each pointer per frame. */
  #queueMove(event: PointerEvent): void {
    if (this.#frame !== 0) {
      this.#pending.set(event.pointerId, event);
      return;
    }
    this.#move(event);
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#flush();
    });
  }

  /** Handles the queued moves. */
  #flush(): void {
    const moves = [...this.#pending.values()];
    this.#pending.clear();
    for (const event of moves) this.#move(event);
  }

  /** Whether a movement of fingers is the board's and not the page's. */
  #isOwn({ touches }: TouchEvent): boolean {
    const gesture = this.#gesture;
    const canDrag = gesture.kind === "pressed" && gesture.canDrag;
    return touches.length > 1 || gesture.kind === "dragging" || gesture.kind === "panning" || canDrag || this.#handler.isAiming();
  }

  /** Cancels the gesture and undoes its effect. */
  cancel(): void {
    const { kind } = this.#gesture;
    this.#gesture = { kind: "none" };
    if (kind === "dragging") this.#handler.dragCancel();
    if (kind === "dragging" || kind === "pressed") this.#handler.undoPress();
    if (kind === "drawing") this.#handler.drawCancel();
    if (kind === "panning") this.#handler.panEnd();
  }

  #down(event: PointerEvent): void {
    const client: Point = [event.clientX, event.clientY];
    const gesture = this.#gesture;
    if (gesture.kind === "panning") {
      gesture.pointers.set(event.pointerId, client);
      gesture.center = centerOf(gesture.pointers);
      return;
    }
    if (event.pointerType === "touch" && !event.isPrimary) {
      this.#secondFinger(event, client);
      return;
    }
    if (gesture.kind !== "none") {
      // Another button cancels the gesture.
      this.cancel();
      return;
    }
    if (!this.#capture(event)) return;
    const at = this.#toBoard(client);
    if (event.button === 1 && this.#handler.canPan()) {
      this.#gesture = { kind: "panning", pointers: new Map([[event.pointerId, client]]), center: client };
    } else if (event.button === 2) {
      this.#gesture = { kind: "drawing", pointer: event.pointerId, from: at };
    } else if (event.button === 0) {
      const canDrag = this.#handler.press(at, event);
      this.#gesture = { kind: "pressed", pointer: event.pointerId, client, canDrag, hasMoved: false };
    }
  }

  #secondFinger(event: PointerEvent, client: Point): void {
    const gesture = this.#gesture;
    if (!this.#handler.canPan() || (gesture.kind !== "pressed" && gesture.kind !== "dragging")) return;
    const first = gesture.kind === "pressed" ? gesture.client : client;
    const pointer = gesture.pointer;
    this.cancel();
    const pointers = new Map([
      [pointer, first],
      [event.pointerId, client],
    ]);
    this.#capture(event);
    this.#gesture = { kind: "panning", pointers, center: centerOf(pointers) };
  }

  #capture(event: PointerEvent): boolean {
    try {
      this.#target.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is no longer active.
      return false;
    }
    return true;
  }

  #move(event: PointerEvent): void {
    const client: Point = [event.clientX, event.clientY];
    const at = this.#toBoard(client);
    const gesture = this.#gesture;
    switch (gesture.kind) {
      case "none":
        if (event.pointerType === "mouse") this.#handler.hover(at);
        break;
      case "pressed":
        if (gesture.pointer !== event.pointerId) break;
        if (!gesture.hasMoved && isNear(client, gesture.client, event.pointerType)) break;
        gesture.hasMoved = true;
        if (!gesture.canDrag) {
          this.#handler.pressMove(at);
          break;
        }
        this.#gesture = { kind: "dragging", pointer: gesture.pointer };
        this.#handler.dragStart(event);
        this.#handler.dragMove(at);
        break;
      case "dragging":
        if (gesture.pointer === event.pointerId) this.#handler.dragMove(at);
        break;
      case "drawing":
        if (gesture.pointer === event.pointerId) this.#handler.drawMove(gesture.from, at, event);
        break;
      case "panning":
        this.#pan(gesture, event.pointerId, client);
        break;
    }
  }

  #pan(gesture: Extract<Gesture, { kind: "panning" }>, pointer: number, client: Point): void {
    if (!gesture.pointers.has(pointer)) return;
    gesture.pointers.set(pointer, client);
    const now = centerOf(gesture.pointers);
    const [from, to] = [this.#toBoard(gesture.center), this.#toBoard(now)];
    gesture.center = now;
    this.#handler.panMove([to[0] - from[0], to[1] - from[1]]);
  }

  #up(event: PointerEvent): void {
    const at = this.#toBoard([event.clientX, event.clientY]);
    const gesture = this.#gesture;
    if (gesture.kind === "none") return;
    if (gesture.kind === "panning") {
      gesture.pointers.delete(event.pointerId);
      if (gesture.pointers.size > 0) {
        gesture.center = centerOf(gesture.pointers);
        return;
      }
      this.#gesture = { kind: "none" };
      this.#handler.panEnd();
      return;
    }
    if (gesture.pointer !== event.pointerId) return;
    this.#gesture = { kind: "none" };
    if (gesture.kind === "pressed") this.#handler.tap();
    if (gesture.kind === "dragging") this.#handler.dragEnd(at);
    if (gesture.kind === "drawing") this.#handler.drawEnd(gesture.from, at, event);
  }
}

/** Whether a pointer is still where it was pressed. */
function isNear([x, y]: Point, [startX, startY]: Point, pointerType: string): boolean {
  const threshold = pointerType === "touch" ? TOUCH_THRESHOLD_PX : DRAG_THRESHOLD_PX;
  return Math.hypot(x - startX, y - startY) < threshold;
}

function centerOf(pointers: ReadonlyMap<number, Point>): Point {
  const all = [...pointers.values()];
  const sum = all.reduce<Point>((total, point) => [total[0] + point[0], total[1] + point[1]], [0, 0]);
  return [sum[0] / all.length, sum[1] / all.length];
}
