/** Pieces shown where they do not stand: under the pointer, and as what a premove promotes to. Not here: when and which. */
import type { Plane } from "./geometry.ts";
import { MIDDLE, pieceSize } from "./piece_size.ts";
import { html, svg, UNIT, units } from "./svg.ts";
import type { Point } from "./types.ts";

const MOUSE_SCALE = 1.08;
/** Under a finger the piece is larger and above it, to stay visible. */
const TOUCH_SCALE = 1.7;
const TOUCH_RISE = 0.75;

/** The piece under the pointer while it is dragged. */
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

/** Relative to a piece's full size, so that the piece now on the square stays visible. */
const PREMOVE_SCALE = 0.62;

export interface GhostPiece {
  square: number;
  /** The reference to the picture. */
  href: string;
}

/** The role that a premove promotes to, pale on the target square. */
export class PremoveGhost {
  readonly group = svg("g", { class: "premove-ghost" });
  /** The content drawn last, to skip equal redraws. */
  #content = "";

  draw(plane: Plane, ghost: GhostPiece | null): void {
    if (!ghost && this.#content === "") return;
    const copies = ghost ? plane.copies(ghost.square, plane.margin) : [];
    const { size, lift } = pieceSize(plane.corners);
    const boxes = copies.map((place) => {
      const [x, y] = plane.center(place);
      const scaled = size * PREMOVE_SCALE;
      return { x: units(x - scaled * MIDDLE[0]), y: units(y - scaled * MIDDLE[1] - lift), size: scaled * UNIT };
    });
    const content = ghost ? JSON.stringify([ghost.href, boxes]) : "";
    if (content === this.#content) return;
    this.#content = content;
    this.group.replaceChildren(
      ...boxes.map(({ x, y, size }) => svg("use", { href: ghost?.href ?? "", x, y, width: size, height: size })),
    );
  }
}
