/**
 * What does not change from move to move: cells, frame, the veil over the repeated ring, coordinates. All
 * cells of a shade are one path. Not here: pieces and marks.
 */
import { add, type Box, boxOf, length, type Place, type Plane, scaled } from "./geometry.ts";
import { polygon, put, svg, units } from "./svg.ts";
import type { Point } from "./types.ts";

/** How far the frame shows around the board, in cell sides. */
const FRAME = 0.045;
/** Room for a coordinate: a part of the whole width, so that it can be read on a phone, within these cells. */
const LABEL_PART = 0.028;
const LABEL_LEAST = 0.28;
const LABEL_MOST = 0.46;
/** The space around everything, in cell sides. */
const MARGIN = 0.09;

export interface Label {
  text: string;
  at: Point;
}

/** The height of a coordinate's letters, in cell sides. */
export function labelSize(plane: Plane): number {
  return Math.min(LABEL_MOST, Math.max(LABEL_LEAST, plane.bounds().width * LABEL_PART));
}

/** From the middle of an outer cell to its coordinate. */
const labelDistance = (plane: Plane): number => 0.58 + labelSize(plane) * 0.62;

/** Files and ranks along the lower edges, as they stand for this viewer. */
export function labels(plane: Plane): Label[] {
  const { files, ranks } = plane.board;
  const found: Label[] = [];
  for (let file = 0; file < files; file += 1) {
    const line = Array.from({ length: ranks }, (_, rank) => ({ file, rank }));
    const label = lineLabel(plane, line, plane.rank, plane.rings.ranks, fileName);
    if (label) found.push(label);
  }
  for (let rank = 0; rank < ranks; rank += 1) {
    const line = Array.from({ length: files }, (_, file) => ({ file, rank }));
    const label = lineLabel(plane, line, plane.file, plane.rings.files, rankName);
    if (label) found.push(label);
  }
  return found;
}

const fileName = (square: string): string => square.replace(/[0-9]+$/, "");
const rankName = (square: string): string => square.replace(/^[a-z]+/, "");

/** The label at the lower end of a line of places, or at its left end where it lies level. */
function lineLabel(
  plane: Plane,
  line: Place[],
  along: Point,
  ring: number,
  name: (square: string) => string,
): Label | null {
  const level = Math.abs(along[1]) < 1e-9;
  const outward = along[1] > 1e-9 || (level && along[0] < 0) ? along : scaled(along, -1);
  const shown = line.filter((place) => plane.squareAt(place) !== null);
  const far = (place: Place): number => {
    const center = plane.center(place);
    return center[0] * outward[0] + center[1] * outward[1];
  };
  const end = shown.reduce<Place | null>(
    (best, next) => (!best || far(next) > far(best) ? next : best),
    null,
  );
  if (!end) return null;
  const square = plane.board.squares[plane.squareAt(end) ?? -1];
  const center = plane.center(end);
  const at = add(center, scaled(outward, (ring + labelDistance(plane)) / length(outward)));
  const text = name(square?.name ?? "");
  // On an upright board all stand in one line, whatever the outline.
  const upright = level || Math.abs(along[0]) < 1e-9;
  if (!upright) return { text, at };
  const box = plane.bounds();
  const edge = labelDistance(plane) - 0.5;
  return { text, at: level ? [box.left - edge, at[1]] : [at[0], box.top + box.height + edge] };
}

/** The rectangle of everything that is drawn. */
export function pageBox(plane: Plane, labeled: boolean): Box {
  const box = plane.bounds();
  const half = labelSize(plane) * 0.5;
  const points: Point[] = [
    [box.left - FRAME, box.top - FRAME],
    [box.left + box.width + FRAME, box.top + box.height + FRAME],
  ];
  if (labeled) {
    for (const { at, text } of labels(plane)) {
      const wide = half * Math.max(1, text.length * 0.62);
      points.push([at[0] - wide, at[1] - half], [at[0] + wide, at[1] + half]);
    }
  }
  const all = boxOf(points);
  return {
    left: all.left - MARGIN,
    top: all.top - MARGIN,
    width: all.width + 2 * MARGIN,
    height: all.height + 2 * MARGIN,
  };
}

/** The outlines of all cells of either shade. */
interface Shades {
  light: string;
  dark: string;
}

/** The layer of the cells, and what lies still above a scrolled board: the veil and the window's outline. */
export class Cells {
  /** Scrolls with the board. */
  readonly group = svg("g", { class: "cells" });
  /** Stays: veil, outline and coordinates. */
  readonly still = svg("g", { class: "still" });
  readonly #frame = svg("path", { class: "frame" });
  /** One path for the cells of each shade: which is which turns with every step of a scroll. */
  readonly #one = svg("path", { class: "cell light" });
  readonly #other = svg("path", { class: "cell dark" });
  readonly #veil = svg("path", { class: "veil", "fill-rule": "evenodd" });
  readonly #outline = svg("path", { class: "outline" });
  readonly #edge = svg("path", { class: "edge" });
  readonly #labels = svg("g", { class: "labels", "aria-hidden": "true" });

  /** The cells' paths by pattern, and the patterns by what is at the window's corner. */
  readonly #drawn = new Map<string, Shades>();
  readonly #patterns = new Map<string, Shades>();
  #shown: Shades = { light: "", dark: "" };
  #plane: Plane | null = null;

  constructor() {
    this.group.append(this.#frame, this.#one, this.#other);
    this.still.append(this.#veil, this.#edge, this.#outline, this.#labels);
  }

  draw(plane: Plane, labeled: boolean): void {
    if (!this.#plane?.isScrolled(plane)) {
      this.#drawn.clear();
      this.#patterns.clear();
    }
    this.#plane = plane;
    this.#drawCells(this.#shades(plane));
    this.#drawStill(plane, labeled);
  }

  #drawCells({ light, dark }: Shades): void {
    const { light: one, dark: other } = this.#shown;
    // Scrolled by one square, a board shows the same cells in the other shade.
    const turned = light === other && dark === one;
    if (!turned && (light !== one || dark !== other)) {
      this.#shown = { light, dark };
      put(this.#one, "d", light);
      put(this.#other, "d", dark);
      put(this.#frame, "d", light + dark);
    }
    put(this.#one, "class", turned ? "cell dark" : "cell light");
    put(this.#other, "class", turned ? "cell light" : "cell dark");
  }

  /** The cells by shade. A scrolled board shows few patterns in turn, so their texts are kept. */
  #shades(plane: Plane): Shades {
    const { file, rank } = plane.sight.origin;
    const at = `${file} ${rank}`;
    const shades = this.#patterns.get(at) ?? this.#pattern(plane);
    this.#patterns.set(at, shades);
    return shades;
  }

  #pattern(plane: Plane): Shades {
    const places = plane.places(plane.beyond);
    const pattern = places.map((place) => {
      const square = plane.board.squares[plane.squareAt(place) ?? -1];
      return square ? (square.dark ? "d" : "l") : "-";
    });
    const key = pattern.join("");
    const known = this.#drawn.get(key);
    if (known) return known;
    const text = (shade: string): string =>
      places.map((place, index) => (pattern[index] === shade ? polygon(plane.polygon(place)) : "")).join("");
    const shades = { light: text("l"), dark: text("d") };
    this.#drawn.set(key, shades);
    return shades;
  }

  #drawStill(plane: Plane, labeled: boolean): void {
    const rings = plane.rings.files + plane.rings.ranks > 0;
    const inner = windowOutline(plane).map(polygon).join("");
    put(this.#veil, "d", rings ? polygon(plane.outline(0.03)) + inner : "");
    put(this.#outline, "d", rings ? inner : "");
    put(this.#edge, "d", rings ? polygon(plane.outline()) : "");
    const wanted = labeled ? labels(plane) : [];
    const missing = Array.from({ length: Math.max(0, wanted.length - this.#labels.childElementCount) }, () =>
      svg("text"),
    );
    this.#labels.append(...missing);
    for (const surplus of [...this.#labels.children].slice(wanted.length)) surplus.remove();
    wanted.forEach(({ text, at }, index) => {
      const label = this.#labels.children[index];
      if (!label) return;
      put(label, "x", String(units(at[0])));
      put(label, "y", String(units(at[1])));
      if (label.textContent !== text) label.textContent = text;
    });
  }
}

/** The outline around every square's own place. */
export function windowOutline(plane: Plane): Point[][] {
  if (plane.sight.shifts?.size) {
    return loops(boundary(plane)).map((loop) => loop.map((corner) => plane.center(corner)));
  }
  const [right, high] = [plane.board.files - 0.5, plane.board.ranks - 0.5];
  return [
    [
      plane.center({ file: -0.5, rank: -0.5 }),
      plane.center({ file: right, rank: -0.5 }),
      plane.center({ file: right, rank: high }),
      plane.center({ file: -0.5, rank: high }),
    ],
  ];
}

/** The sides of a cell against the clock: from which corner to which, and which neighbor lies beyond. */
const SIDES: readonly { from: Place; to: Place; beyond: Place }[] = [
  { from: { file: -0.5, rank: -0.5 }, to: { file: 0.5, rank: -0.5 }, beyond: { file: 0, rank: -1 } },
  { from: { file: 0.5, rank: -0.5 }, to: { file: 0.5, rank: 0.5 }, beyond: { file: 1, rank: 0 } },
  { from: { file: 0.5, rank: 0.5 }, to: { file: -0.5, rank: 0.5 }, beyond: { file: 0, rank: 1 } },
  { from: { file: -0.5, rank: 0.5 }, to: { file: -0.5, rank: -0.5 }, beyond: { file: -1, rank: 0 } },
];

const sum = (one: Place, other: Place): Place => ({ file: one.file + other.file, rank: one.rank + other.rank });
const key = ({ file, rank }: Place): string => `${file} ${rank}`;

type Side = readonly [from: Place, to: Place];

/** The sides between own places and repeated ones, the inside at their left. */
function boundary(plane: Plane): Side[] {
  const own = plane.places().filter((place) => !plane.isGhost(place));
  const keys = new Set(own.map(key));
  return own.flatMap((place) =>
    SIDES.filter(({ beyond }) => !keys.has(key(sum(place, beyond)))).map(
      ({ from, to }): Side => [sum(place, from), sum(place, to)],
    ),
  );
}

/** Sides that follow each other, as closed lines of corners. */
function loops(sides: readonly Side[]): Place[][] {
  const left = new Map<string, Side[]>();
  for (const side of sides) left.set(key(side[0]), [...(left.get(key(side[0])) ?? []), side]);
  return sides.flatMap((first) => {
    const corners: Place[] = [];
    for (let at = first[0]; ; ) {
      const next = left.get(key(at))?.pop();
      if (!next) return corners.length > 0 ? [corners] : [];
      corners.push(next[0]);
      at = next[1];
    }
  });
}
