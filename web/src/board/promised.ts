/** What a waiting move will make of its piece, shown pale on the square where it goes. Not here: when. */
import type { Plane } from "./geometry.ts";
import { MIDDLE, stand } from "./stand.ts";
import { svg, UNIT, units } from "./svg.ts";

/** A part of a whole piece's size: what stands on the square now is still to be seen. */
const SIZE = 0.62;

export interface Promised {
  square: number;
  /** The reference to the picture. */
  href: string;
}

export class PromisedPiece {
  readonly group = svg("g", { class: "promised" });
  #shown = "";

  draw(plane: Plane, promised: Promised | null): void {
    if (!promised && this.#shown === "") return;
    const places = promised ? plane.copies(promised.square, plane.beyond) : [];
    const { size, lift } = stand(plane.corners);
    const nodes = places.map((place) => {
      const [x, y] = plane.center(place);
      const part = size * SIZE;
      return { x: units(x - part * MIDDLE[0]), y: units(y - part * MIDDLE[1] - lift), size: part * UNIT };
    });
    const shown = promised ? JSON.stringify([promised.href, nodes]) : "";
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.group.replaceChildren(
      ...nodes.map(({ x, y, size }) =>
        svg("use", { href: promised?.href ?? "", x, y, width: size, height: size }),
      ),
    );
  }
}
