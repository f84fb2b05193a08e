/**
 * A loupe: the squares under a finger, larger and above it, on boards whose squares are smaller than a finger. It shows the
 * board's own layers again, so it needs no drawing. Not here: when it opens (`gestures`).
 */
import { html, svg, units } from "./svg.ts";
import type { Point } from "./types.ts";

/** Pixels: the loupe's diameter, and its distance from the finger's point. */
const SIZE = 136;
const DISTANCE = 44;
const ZOOM = 2;

/**
 * The upper left corner of the loupe in the frame, for a finger there: above it, or beside it where the window ends. `above` is
 * how much of the window is above the frame, all in pixels.
 */
export function placeLoupe([x, y]: Point, width: number, above: number): Point {
  const into = (left: number): number => Math.max(0, Math.min(left, width - SIZE));
  const top = y - DISTANCE - SIZE;
  if (top + above >= 0) return [into(x - SIZE / 2), top];
  const left = x < width / 2 ? x + DISTANCE : x - DISTANCE - SIZE;
  return [into(left), Math.max(-above, y - SIZE / 2)];
}

export class Loupe {
  readonly element = html("div", { class: "loupe", "aria-hidden": "true" });
  readonly #drawing: SVGSVGElement;

  /** `groups` are the layers, lowest first. */
  constructor(groups: readonly SVGElement[]) {
    groups.forEach((group, index) => (group.id = `layer-${index}`));
    this.#drawing = svg("svg", {}, groups.map(({ id }) => svg("use", { href: `#${id}` })));
    this.element.append(this.#drawing);
    this.element.style.width = this.element.style.height = `${SIZE}px`;
    this.element.hidden = true;
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Shows what is around a point of the board, in cell sides; `finger` is the same point of the frame, in pixels. */
  show(around: Point, finger: Point, scale: number, frame: DOMRect): void {
    const radius = SIZE / (2 * ZOOM * scale);
    const [left, top, size] = [around[0] - radius, around[1] - radius, 2 * radius].map(units);
    this.#drawing.setAttribute("viewBox", `${left} ${top} ${size} ${size}`);
    const [x, y] = placeLoupe(finger, frame.width, frame.top);
    this.element.style.transform = `translate3d(${x}px, ${y}px, 0)`;
    this.element.hidden = false;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
