/**
 * Arrows and circles that the user draws with the right button, or that a page shows as hints. On joined
 * edges an arrow takes the short way round and is repeated as the board is. Not here: pointers.
 */
import { add, length, type Plane, scaled } from "./geometry.ts";
import { disc, polygon, put, svg } from "./svg.ts";
import { shortest, spans } from "./torus.ts";
import type { Brush, Drawn, Point } from "./types.ts";

const BRUSHES: readonly Brush[] = ["green", "red", "blue", "yellow"];

/** The brush for the keys held: shift or ctrl red, alt blue, both yellow. */
export function brushFor(keys: { shiftKey: boolean; ctrlKey: boolean; altKey: boolean }): Brush {
  const red = keys.shiftKey || keys.ctrlKey;
  if (red) return keys.altKey ? "yellow" : "red";
  return keys.altKey ? "blue" : "green";
}

/** Draws a shape, or takes it away when it is there in the same color. */
export function toggled(shapes: readonly Drawn[], next: Drawn): Drawn[] {
  const others = shapes.filter((shape) => shape.from !== next.from || shape.to !== next.to);
  const there = shapes.some(
    (shape) => shape.from === next.from && shape.to === next.to && shape.brush === next.brush,
  );
  return there ? others : [...others, next];
}

export class Arrows {
  readonly group = svg("g", { class: "arrows", "aria-hidden": "true" });
  readonly #paths = new Map<Brush, SVGPathElement>();

  constructor() {
    for (const brush of BRUSHES) {
      const path = svg("path", { class: `brush ${brush}`, "fill-rule": "evenodd" });
      this.#paths.set(brush, path);
      this.group.append(path);
    }
  }

  draw(plane: Plane, shapes: readonly Drawn[]): void {
    for (const [brush, path] of this.#paths) {
      const own = shapes.filter((shape) => shape.brush === brush);
      put(path, "d", own.map((shape) => outline(plane, shape)).join(""));
    }
  }
}

function outline(plane: Plane, { from, to }: Drawn): string {
  if (from === to) {
    return plane
      .copies(from)
      .map((place) => disc(plane.center(place), 0.47) + disc(plane.center(place), 0.4))
      .join("");
  }
  return spans(plane, from, shortest(plane, from, to))
    .map(([start, end]) => polygon(arrow(plane.center(start), plane.center(end))))
    .join("");
}

const START = 0.18;
const SHAFT = 0.085;
const HEAD = 0.24;
const HEAD_LENGTH = 0.4;

/** One closed shape, so that shaft and head do not cover each other half transparent. */
function arrow(from: Point, to: Point): Point[] {
  const along: Point = [to[0] - from[0], to[1] - from[1]];
  const far = length(along);
  const forward = scaled(along, 1 / far);
  const aside: Point = [-forward[1], forward[0]];
  const at = (distance: number, width: number): Point =>
    add(add(from, scaled(forward, distance)), scaled(aside, width));
  const neck = Math.max(far - HEAD_LENGTH, START);
  return [
    at(START, SHAFT),
    at(neck, SHAFT),
    at(neck, HEAD),
    at(far, 0),
    at(neck, -HEAD),
    at(neck, -SHAFT),
    at(START, -SHAFT),
  ];
}
