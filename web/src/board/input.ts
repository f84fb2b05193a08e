/**
 * From pointers to gestures: tap, drag, hover, drawing with the right button, scrolling with the middle
 * button or two fingers. Not here: what a gesture means on this board.
 */
import type { Point } from "./types.ts";

/** How far a pointer moves before it drags, in pixels. */
const DRAG_PX = 3;

export interface Gestures {
  /** A button or finger goes down on the board. Says whether what is there can be dragged. */
  press(at: Point, event: PointerEvent): boolean;
  /** It comes up where it went down. */
  tap(at: Point, event: PointerEvent): void;
  dragStart(from: Point, event: PointerEvent): void;
  dragMove(at: Point, event: PointerEvent): void;
  dragEnd(at: Point, event: PointerEvent): void;
  dragCancel(): void;
  /** The press meant something else: what it has changed is as it was. */
  takeBack(): void;
  hover(at: Point | null): void;
  drawMove(from: Point, to: Point, event: PointerEvent): void;
  drawEnd(from: Point, to: Point, event: PointerEvent): void;
  drawCancel(): void;
  canPan(): boolean;
  panMove(step: Point): void;
  panEnd(): void;
}

type Doing =
  | { kind: "nothing" }
  | { kind: "pressed"; pointer: number; at: Point; client: Point; draggable: boolean }
  | { kind: "dragging"; pointer: number }
  | { kind: "drawing"; pointer: number; from: Point }
  | { kind: "panning"; pointers: Map<number, Point>; middle: Point };

export class Input {
  readonly #target: HTMLElement;
  readonly #toBoard: (client: Point) => Point;
  readonly #gestures: Gestures;
  readonly #stop = new AbortController();
  #doing: Doing = { kind: "nothing" };
  /** The frame that is waited for, and the latest of what came before it. */
  #frame = 0;
  readonly #late = new Map<number, PointerEvent>();

  constructor(target: HTMLElement, toBoard: (client: Point) => Point, gestures: Gestures) {
    this.#target = target;
    this.#toBoard = toBoard;
    this.#gestures = gestures;
    const on = <K extends keyof HTMLElementEventMap>(
      name: K,
      handler: (event: HTMLElementEventMap[K]) => void,
    ) => target.addEventListener(name, handler, { signal: this.#stop.signal });
    on("pointerdown", (event) => {
      this.#catchUp();
      this.#down(event);
    });
    on("pointermove", (event) => this.#follow(event));
    on("pointerup", (event) => {
      this.#catchUp();
      this.#up(event);
    });
    on("pointercancel", () => {
      this.#late.clear();
      this.cancel();
    });
    on("pointerleave", () => {
      this.#catchUp();
      this.#gestures.hover(null);
    });
    on("contextmenu", (event) => event.preventDefault());
    // Safari's own name for two fingers, which it would zoom the page by whatever the style says.
    target.addEventListener("gesturestart", (event) => event.preventDefault(), { signal: this.#stop.signal });
    // The middle button would start the browser's own scrolling.
    on("mousedown", (event) => event.button === 1 && event.preventDefault());
  }

  disconnect(): void {
    this.#stop.abort();
    this.#late.clear();
    cancelAnimationFrame(this.#frame);
  }

  /** Follows a pointer once a frame: what comes more often is not seen, and only its end counts. */
  #follow(event: PointerEvent): void {
    if (this.#frame !== 0) {
      this.#late.set(event.pointerId, event);
      return;
    }
    this.#move(event);
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#catchUp();
    });
  }

  /** Goes where the pointers are by now. */
  #catchUp(): void {
    const late = [...this.#late.values()];
    this.#late.clear();
    for (const event of late) this.#move(event);
  }

  /** Lets go of everything, as if nothing had been begun. */
  cancel(): void {
    const { kind } = this.#doing;
    this.#doing = { kind: "nothing" };
    if (kind === "dragging") this.#gestures.dragCancel();
    if (kind === "dragging" || kind === "pressed") this.#gestures.takeBack();
    if (kind === "drawing") this.#gestures.drawCancel();
    if (kind === "panning") this.#gestures.panEnd();
  }

  #down(event: PointerEvent): void {
    const client: Point = [event.clientX, event.clientY];
    const doing = this.#doing;
    if (doing.kind === "panning") {
      doing.pointers.set(event.pointerId, client);
      doing.middle = middle(doing.pointers);
      return;
    }
    if (event.pointerType === "touch" && !event.isPrimary) {
      this.#secondFinger(event, client);
      return;
    }
    if (doing.kind !== "nothing") {
      // Another button while one is down takes the gesture back.
      this.cancel();
      return;
    }
    if (!this.#capture(event)) return;
    const at = this.#toBoard(client);
    if (event.button === 1 && this.#gestures.canPan()) {
      this.#doing = { kind: "panning", pointers: new Map([[event.pointerId, client]]), middle: client };
    } else if (event.button === 2) {
      this.#doing = { kind: "drawing", pointer: event.pointerId, from: at };
    } else if (event.button === 0) {
      const draggable = this.#gestures.press(at, event);
      this.#doing = { kind: "pressed", pointer: event.pointerId, at, client, draggable };
    }
  }

  #secondFinger(event: PointerEvent, client: Point): void {
    const doing = this.#doing;
    if (!this.#gestures.canPan() || (doing.kind !== "pressed" && doing.kind !== "dragging")) return;
    const first = doing.kind === "pressed" ? doing.client : client;
    const pointer = doing.pointer;
    this.cancel();
    const pointers = new Map([
      [pointer, first],
      [event.pointerId, client],
    ]);
    this.#capture(event);
    this.#doing = { kind: "panning", pointers, middle: middle(pointers) };
  }

  #capture(event: PointerEvent): boolean {
    try {
      this.#target.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is already gone again.
      return false;
    }
    return true;
  }

  #move(event: PointerEvent): void {
    const client: Point = [event.clientX, event.clientY];
    const at = this.#toBoard(client);
    const doing = this.#doing;
    switch (doing.kind) {
      case "nothing":
        if (event.pointerType === "mouse") this.#gestures.hover(at);
        break;
      case "pressed":
        if (doing.pointer !== event.pointerId || !doing.draggable) break;
        if (Math.hypot(client[0] - doing.client[0], client[1] - doing.client[1]) < DRAG_PX) break;
        this.#doing = { kind: "dragging", pointer: doing.pointer };
        this.#gestures.dragStart(doing.at, event);
        this.#gestures.dragMove(at, event);
        break;
      case "dragging":
        if (doing.pointer === event.pointerId) this.#gestures.dragMove(at, event);
        break;
      case "drawing":
        if (doing.pointer === event.pointerId) this.#gestures.drawMove(doing.from, at, event);
        break;
      case "panning":
        this.#pan(doing, event.pointerId, client);
        break;
    }
  }

  #pan(doing: Extract<Doing, { kind: "panning" }>, pointer: number, client: Point): void {
    if (!doing.pointers.has(pointer)) return;
    doing.pointers.set(pointer, client);
    const now = middle(doing.pointers);
    const [from, to] = [this.#toBoard(doing.middle), this.#toBoard(now)];
    doing.middle = now;
    this.#gestures.panMove([to[0] - from[0], to[1] - from[1]]);
  }

  #up(event: PointerEvent): void {
    const at = this.#toBoard([event.clientX, event.clientY]);
    const doing = this.#doing;
    if (doing.kind === "nothing") return;
    if (doing.kind === "panning") {
      doing.pointers.delete(event.pointerId);
      if (doing.pointers.size > 0) {
        doing.middle = middle(doing.pointers);
        return;
      }
      this.#doing = { kind: "nothing" };
      this.#gestures.panEnd();
      return;
    }
    if (doing.pointer !== event.pointerId) return;
    this.#doing = { kind: "nothing" };
    if (doing.kind === "pressed") this.#gestures.tap(doing.at, event);
    if (doing.kind === "dragging") this.#gestures.dragEnd(at, event);
    if (doing.kind === "drawing") this.#gestures.drawEnd(doing.from, at, event);
  }
}

function middle(pointers: ReadonlyMap<number, Point>): Point {
  const all = [...pointers.values()];
  const sum = all.reduce<Point>((total, point) => [total[0] + point[0], total[1] + point[1]], [0, 0]);
  return [sum[0] / all.length, sum[1] / all.length];
}
