/** The role that a premove promotes to, shown pale on the target square. Not here: when. */
import type { Plane } from "./geometry.ts";
import { MIDDLE, pieceSize } from "./piece_size.ts";
import { svg, UNIT, units } from "./svg.ts";

/** Relative to a piece's full size, so that the piece now on the square stays visible. */
const SCALE = 0.62;

export interface GhostPiece {
  square: number;
  /** The reference to the picture. */
  href: string;
}

export class PremoveGhost {
  readonly group = svg("g", { class: "premove-ghost" });
  /** The content drawn last, to skip equal redraws. */
  #drawn = "";

  draw(plane: Plane, ghost: GhostPiece | null): void {
    if (!ghost && this.#drawn === "") return;
    const places = ghost ? plane.copies(ghost.square, plane.margin) : [];
    const { size, lift } = pieceSize(plane.corners);
    const boxes = places.map((place) => {
      const [x, y] = plane.center(place);
      const part = size * SCALE;
      return { x: units(x - part * MIDDLE[0]), y: units(y - part * MIDDLE[1] - lift), size: part * UNIT };
    });
    const drawn = ghost ? JSON.stringify([ghost.href, boxes]) : "";
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.group.replaceChildren(
      ...boxes.map(({ x, y, size }) => svg("use", { href: ghost?.href ?? "", x, y, width: size, height: size })),
    );
  }
}
