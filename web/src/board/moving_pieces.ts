/**
 * Pieces in motion, each in a layer of its own above the others: the browser animates layers without the
 * page's help and does not redraw the rest. Not here: which pieces move, and where to.
 */
import { html, svg } from "./svg.ts";
import type { Point } from "./types.ts";

export interface Movement {
  /** The reference to the picture, and its size in pixels. */
  href: string;
  size: number;
  /** Corners of the picture's box, in pixels. Without `from` the piece fades in, without `to` it fades out. */
  from: Point | null;
  to: Point | null;
  /** The name of the target square; of the square left, if the piece fades out. */
  square: string;
}

export class MovingPieces {
  readonly element = html("div", { class: "moving-pieces", "aria-hidden": "true" });
  readonly #running = new Map<HTMLElement, { square: string; end: () => void }>();

  /** Starts a movement; `onEnd` is called when it ends or is cut short. */
  start({ href, size, from, to, square }: Movement, milliseconds: number, onEnd: () => void): void {
    const picture = svg("svg", { viewBox: "0 0 100 100" }, [svg("use", { href, width: 100, height: 100 })]);
    const kind = from && to ? "moving" : to ? "fading-in" : "fading-out";
    const node = html("div", { class: `piece ${kind}`, "data-square": square }, [picture]);
    const translate = (point: Point | null): string =>
      point ? `translate(${point[0].toFixed(2)}px, ${point[1].toFixed(2)}px)` : "";
    Object.assign(node.style, { width: `${size}px`, height: `${size}px`, transform: translate(to ?? from) });
    this.element.append(node);
    const frames =
      from && to
        ? [{ transform: translate(from) }, { transform: translate(to) }]
        : [{ opacity: to ? 0 : 1 }, { opacity: to ? 1 : 0 }];
    const animation = node.animate(frames, {
      duration: milliseconds,
      easing: "cubic-bezier(.3,0,.2,1)",
      fill: "forwards",
    });
    const end = (): void => {
      if (!this.#running.delete(node)) return;
      onEnd();
      node.remove();
    };
    this.#running.set(node, { square, end });
    animation.onfinish = end;
  }

  /** Ends the movements to this square, or all of them, at once. */
  finish(square?: string): void {
    for (const running of [...this.#running.values()]) {
      if (square === undefined || running.square === square) running.end();
    }
  }
}
