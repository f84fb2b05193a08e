/** The piece under the pointer while it is dragged. Not here: where it may be dropped. */
import { MIDDLE } from "./piece_size.ts";
import { html, svg } from "./svg.ts";
import type { Point } from "./types.ts";

const MOUSE_SCALE = 1.08;
/** Under a finger the piece is larger and above it, to stay visible. */
const TOUCH_SCALE = 1.7;
const TOUCH_RISE = 0.75;

export class DragGhost {
  readonly element = html("div", { class: "drag-ghost", "aria-hidden": "true" });
  readonly #picture = svg("svg", { viewBox: "0 0 100 100" });
  #size = 0;
  #rise = 0;

  constructor() {
    this.element.append(this.#picture);
    this.element.hidden = true;
  }

  /** Shows the picture; `pixels` is the size of a piece on the board. */
  show(href: string, pixels: number, touch: boolean): void {
    this.#picture.replaceChildren(svg("use", { href, width: 100, height: 100 }));
    this.#size = pixels * (touch ? TOUCH_SCALE : MOUSE_SCALE);
    this.#rise = touch ? this.#size * TOUCH_RISE : 0;
    this.element.style.width = `${this.#size}px`;
    this.element.style.height = `${this.#size}px`;
    this.element.hidden = false;
  }

  /** Moves it to a point of the frame, in pixels. */
  move([x, y]: Point): void {
    const left = x - this.#size * MIDDLE[0];
    const top = y - this.#size * MIDDLE[1] - this.#rise;
    this.element.style.transform = `translate3d(${left}px, ${top}px, 0)`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
