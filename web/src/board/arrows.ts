/**
 * Arrows and circles: drawn by the user with the right button, or shown by a page as hints. Across joined edges an
 * arrow takes the shortest way and is repeated like the board. Not here: pointers.
 */
import { add, length, type Plane, scaled } from "./geometry.ts";
import { disc, polygon, setIfChanged, svg } from "./svg.ts";
import { shortestStep, visibleSpans } from "./torus.ts";
import type { Brush, DrawnShape, Point } from "./types.ts";

const BRUSHES: readonly Brush[] = ["green", "red", "blue", "yellow"];

/** The color for the modifier keys: red with shift or ctrl, blue with alt, yellow with both. */
export function brushFor(keys: { shiftKey: boolean; ctrlKey: boolean; altKey: boolean }): Brush {
  const red = keys.shiftKey || keys.ctrlKey;
  if (red) return keys.altKey ? "yellow" : "red";
  return keys.altKey ? "blue" : "green";
}

/** Adds a shape, or removes it if it is there in the same color. */
export function toggleShape(shapes: readonly DrawnShape[], next: DrawnShape): DrawnShape[] {
  const others = shapes.filter((shape) => shape.from !== next.from || shape.to !== next.to);
  const exists = shapes.some(
    (shape) => shape.from === next.from && shape.to === next.to && shape.brush === next.brush,
  );
  return exists ? others : [...others, next];
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

  draw(plane: Plane, shapes: readonly DrawnShape[]): void {
    for (const [brush, path] of this.#paths) {
      const shapesOfBrush = shapes.filter((shape) => shape.brush === brush);
      setIfChanged(path, "d", shapesOfBrush.map((shape) => outline(plane, shape)).join(""));
    }
  }
}

function outline(plane: Plane, { from, to }: DrawnShape): string {
  if (from === to) {
    return plane
      .copies(from)
      .map((place) => disc(plane.center(place), 0.47) + disc(plane.center(place), 0.4))
      .join("");
  }
  return visibleSpans(plane, from, shortestStep(plane, from, to))
    .map(([start, end]) => polygon(arrow(plane.center(start), plane.center(end))))
    .join("");
}

const START = 0.18;
const SHAFT = 0.085;
const HEAD = 0.24;
const HEAD_LENGTH = 0.4;

/** One closed outline, because overlapping half-transparent parts would show. */
function arrow(from: Point, to: Point): Point[] {
  const along: Point = [to[0] - from[0], to[1] - from[1]];
  const distance = length(along);
  const forward = scaled(along, 1 / distance);
  const normal: Point = [-forward[1], forward[0]];
  const at = (ahead: number, width: number): Point =>
    add(add(from, scaled(forward, ahead)), scaled(normal, width));
  const neck = Math.max(distance - HEAD_LENGTH, START);
  return [
    at(START, SHAFT),
    at(neck, SHAFT),
    at(neck, HEAD),
    at(distance, 0),
    at(neck, -HEAD),
    at(neck, -SHAFT),
    at(START, -SHAFT),
  ];
}
