/**
 * Pieces on their way, each a layer of its own above the others: the browser moves and fades layers without
 * the page's help, and what stands still is not drawn again. Not here: which pieces move, and where to.
 */
import { html, svg } from "./svg.ts";
import type { Point } from "./types.ts";

export interface Passage {
  /** The reference to the picture, and its size in pixels. */
  href: string;
  size: number;
  /** Corners of the picture's box, in pixels. One that comes from nowhere appears, one that goes nowhere fades. */
  from: Point | null;
  to: Point | null;
  /** The name of the square it goes to, or leaves for nowhere. */
  square: string;
}

export class Movers {
  readonly element = html("div", { class: "movers", "aria-hidden": "true" });
  readonly #going = new Map<HTMLElement, { square: string; end: () => void }>();

  /** Sends a piece on its way; `arrived` is called once it is there, or is made to be. */
  send({ href, size, from, to, square }: Passage, milliseconds: number, arrived: () => void): void {
    const picture = svg("svg", { viewBox: "0 0 100 100" }, [svg("use", { href, width: 100, height: 100 })]);
    const kind = from && to ? "moving" : to ? "coming" : "leaving";
    const node = html("div", { class: `piece ${kind}`, "data-square": square }, [picture]);
    const at = (point: Point | null): string =>
      point ? `translate(${point[0].toFixed(2)}px, ${point[1].toFixed(2)}px)` : "";
    Object.assign(node.style, { width: `${size}px`, height: `${size}px`, transform: at(to ?? from) });
    this.element.append(node);
    const frames =
      from && to
        ? [{ transform: at(from) }, { transform: at(to) }]
        : [{ opacity: to ? 0 : 1 }, { opacity: to ? 1 : 0 }];
    const going = node.animate(frames, {
      duration: milliseconds,
      easing: "cubic-bezier(.3,0,.2,1)",
      fill: "forwards",
    });
    const end = (): void => {
      if (!this.#going.delete(node)) return;
      arrived();
      node.remove();
    };
    this.#going.set(node, { square, end });
    going.onfinish = end;
  }

  /** Whoever goes to this square, or to any, is there at once. */
  finish(square?: string): void {
    for (const going of [...this.#going.values()]) {
      if (square === undefined || going.square === square) going.end();
    }
  }
}
