/**
 * The layers that stay the same from move to move: cells, frame, the veil over the repeated ring, coordinates.
 * All cells of a shade are one path. Not here: pieces and marks.
 */
import { inkOf } from "./armies.ts";
import { add, type Box, boxOf, length, type LatticeSquare, type Plane, scaled } from "./geometry.ts";
import { polygon, setIfChanged, svg, units } from "./svg.ts";
import type { Color, Point, Shade } from "./types.ts";

/** How far the frame shows around the board, in cell sides. */
const FRAME = 0.045;
/** The size of coordinates: a part of the whole width, to be legible on phones, within bounds in cell sides. */
const LABEL_PART = 0.028;
const LABEL_MIN = 0.28;
const LABEL_MAX = 0.46;
/** The space around everything, in cell sides. */
const MARGIN = 0.09;

export interface Label {
  text: string;
  at: Point;
}

/** The height of a coordinate's letters, in cell sides. */
export function labelSize(plane: Plane): number {
  return Math.min(LABEL_MAX, Math.max(LABEL_MIN, plane.bounds().width * LABEL_PART));
}

/** From the center of an outer cell to its coordinate. */
const labelDistance = (plane: Plane): number => 0.58 + labelSize(plane) * 0.62;

/** The coordinates along the lower edges, as this viewer sees them. */
export function labels(plane: Plane): Label[] {
  const { files, ranks } = plane.board;
  const result: Label[] = [];
  for (let file = 0; file < files; file += 1) {
    const line = Array.from({ length: ranks }, (_, rank) => ({ file, rank }));
    const label = lineLabel(plane, line, plane.rank, plane.rings.ranks, fileName);
    if (label) result.push(label);
  }
  for (let rank = 0; rank < ranks; rank += 1) {
    const line = Array.from({ length: files }, (_, file) => ({ file, rank }));
    const label = lineLabel(plane, line, plane.file, plane.rings.files, rankName);
    if (label) result.push(label);
  }
  return result;
}

const fileName = (square: string): string => square.replace(/[0-9]+$/, "");
const rankName = (square: string): string => square.replace(/^[a-z]+/, "");

/** The label at the lower end of a line of places; at its left end if it is horizontal. */
function lineLabel(
  plane: Plane,
  line: LatticeSquare[],
  along: Point,
  ring: number,
  name: (square: string) => string,
): Label | null {
  const horizontal = Math.abs(along[1]) < 1e-9;
  const outward = along[1] > 1e-9 || (horizontal && along[0] < 0) ? along : scaled(along, -1);
  const squares = line.filter((place) => plane.squareAt(place) !== null);
  const distance = (place: LatticeSquare): number => {
    const center = plane.center(place);
    return center[0] * outward[0] + center[1] * outward[1];
  };
  const end = squares.reduce<LatticeSquare | null>(
    (best, next) => (!best || distance(next) > distance(best) ? next : best),
    null,
  );
  if (!end) return null;
  const square = plane.board.squares[plane.squareAt(end) ?? -1];
  const center = plane.center(end);
  const at = add(center, scaled(outward, (ring + labelDistance(plane)) / length(outward)));
  const text = name(square?.name ?? "");
  // On an upright board all labels are in one line for any outline.
  const upright = horizontal || Math.abs(along[0]) < 1e-9;
  if (!upright) return { text, at };
  const box = plane.bounds();
  const edge = labelDistance(plane) - 0.5;
  return { text, at: horizontal ? [box.left - edge, at[1]] : [at[0], box.top + box.height + edge] };
}

/** The rectangle of the whole drawing. */
export function pageBox(plane: Plane, labeled: boolean): Box {
  const box = plane.bounds();
  const half = labelSize(plane) * 0.5;
  const points: Point[] = [
    [box.left - FRAME, box.top - FRAME],
    [box.left + box.width + FRAME, box.top + box.height + FRAME],
  ];
  if (labeled) {
    for (const { at, text } of labels(plane)) {
      const halfWidth = half * Math.max(1, text.length * 0.62);
      points.push([at[0] - halfWidth, at[1] - half], [at[0] + halfWidth, at[1] + half]);
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

/** The outlines of all cells of a shade. */
type CellPaths = Record<Shade, string>;

/** The layer of the cells, and the fixed layer above a scrolled board. */
export class Cells {
  /** Scrolls with the board. */
  readonly group = svg("g", { class: "cells" });
  /** Does not scroll: veil, outline and coordinates. */
  readonly fixed = svg("g", { class: "fixed" });
  readonly #frame = svg("path", { class: "frame" });
  /** The border in the color of the player to move, between the frame and the cells. */
  readonly #turn = svg("path", { class: "turn" });
  /** The cells of each shade; the two swap shades with every step of a scroll. */
  readonly #one = svg("path", { class: "cell light" });
  readonly #other = svg("path", { class: "cell dark" });
  /** On boards of hexagons. */
  readonly #middle = svg("path", { class: "cell middle" });
  readonly #veil = svg("path", { class: "veil", "fill-rule": "evenodd" });
  readonly #outline = svg("path", { class: "outline" });
  readonly #edge = svg("path", { class: "edge" });
  readonly #labels = svg("g", { class: "labels", "aria-hidden": "true" });

  /** Caches of the paths: by pattern of shades, and by the origin of the window. */
  readonly #byPattern = new Map<string, CellPaths>();
  readonly #byOrigin = new Map<string, CellPaths>();
  #drawn: CellPaths = { light: "", middle: "", dark: "" };
  #plane: Plane | null = null;

  constructor() {
    this.group.append(this.#frame, this.#turn, this.#one, this.#middle, this.#other);
    this.fixed.append(this.#veil, this.#edge, this.#outline, this.#labels);
  }

  draw(plane: Plane, labeled: boolean): void {
    if (!this.#plane?.isScrolledFrom(plane)) {
      this.#byPattern.clear();
      this.#byOrigin.clear();
    }
    this.#plane = plane;
    this.#drawCells(this.#paths(plane));
    this.#drawFixed(plane, labeled);
  }

  /** Shows whose turn it is, by the color of the border; null for none. */
  setTurn(color: Color | null): void {
    this.group.classList.toggle("has-turn", color !== null);
    this.#turn.style.setProperty("--turn", color && inkOf(color).body);
  }

  #drawCells({ light, middle, dark }: CellPaths): void {
    const { light: one, middle: between, dark: other } = this.#drawn;
    // Scrolled by one square, a board has the same outlines with the shades swapped.
    const swapped = light === other && dark === one && middle === "";
    if (!swapped && (light !== one || dark !== other || middle !== between)) {
      this.#drawn = { light, middle, dark };
      setIfChanged(this.#middle, "d", middle);
      setIfChanged(this.#one, "d", light);
      setIfChanged(this.#other, "d", dark);
      for (const path of [this.#frame, this.#turn]) setIfChanged(path, "d", light + middle + dark);
    }
    setIfChanged(this.#one, "class", swapped ? "cell dark" : "cell light");
    setIfChanged(this.#other, "class", swapped ? "cell light" : "cell dark");
  }

  /** Cached, because a scrolled board repeats a few patterns. */
  #paths(plane: Plane): CellPaths {
    const { file, rank } = plane.options.origin;
    const origin = `${file} ${rank}`;
    const paths = this.#byOrigin.get(origin) ?? this.#computePaths(plane);
    this.#byOrigin.set(origin, paths);
    return paths;
  }

  #computePaths(plane: Plane): CellPaths {
    const places = plane.places(plane.margin);
    const pattern = places.map((place) => {
      const square = plane.squareAt(place);
      return square === null ? "hole" : plane.shade(square);
    });
    const key = pattern.map(([letter]) => letter).join("");
    const cached = this.#byPattern.get(key);
    if (cached) return cached;
    const text = (shade: Shade): string =>
      places.map((place, index) => (pattern[index] === shade ? polygon(plane.polygon(place)) : "")).join("");
    const paths = { light: text("light"), middle: text("middle"), dark: text("dark") };
    this.#byPattern.set(key, paths);
    return paths;
  }

  #drawFixed(plane: Plane, labeled: boolean): void {
    const rings = plane.rings.files + plane.rings.ranks > 0;
    const inner = windowOutline(plane).map(polygon).join("");
    setIfChanged(this.#veil, "d", rings ? polygon(plane.outline(0.03)) + inner : "");
    setIfChanged(this.#outline, "d", rings ? inner : "");
    setIfChanged(this.#edge, "d", rings ? polygon(plane.outline()) : "");
    const labelList = labeled ? labels(plane) : [];
    const missing = Array.from({ length: Math.max(0, labelList.length - this.#labels.childElementCount) }, () =>
      svg("text"),
    );
    this.#labels.append(...missing);
    for (const surplus of [...this.#labels.children].slice(labelList.length)) surplus.remove();
    labelList.forEach(({ text, at }, index) => {
      const label = this.#labels.children[index];
      if (!label) return;
      setIfChanged(label, "x", String(units(at[0])));
      setIfChanged(label, "y", String(units(at[1])));
      if (label.textContent !== text) label.textContent = text;
    });
  }
}

/** The outline around the own places of all squares. */
export function windowOutline(plane: Plane): Point[][] {
  if (plane.options.shifts?.size) {
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

/** The sides of a cell, counterclockwise, each with the neighbor on its other side. */
const SIDES: readonly { from: LatticeSquare; to: LatticeSquare; neighbor: LatticeSquare }[] = [
  { from: { file: -0.5, rank: -0.5 }, to: { file: 0.5, rank: -0.5 }, neighbor: { file: 0, rank: -1 } },
  { from: { file: 0.5, rank: -0.5 }, to: { file: 0.5, rank: 0.5 }, neighbor: { file: 1, rank: 0 } },
  { from: { file: 0.5, rank: 0.5 }, to: { file: -0.5, rank: 0.5 }, neighbor: { file: 0, rank: 1 } },
  { from: { file: -0.5, rank: 0.5 }, to: { file: -0.5, rank: -0.5 }, neighbor: { file: -1, rank: 0 } },
];

const sum = (one: LatticeSquare, other: LatticeSquare): LatticeSquare => ({ file: one.file + other.file, rank: one.rank + other.rank });
const key = ({ file, rank }: LatticeSquare): string => `${file} ${rank}`;

type Side = readonly [from: LatticeSquare, to: LatticeSquare];

/** The sides between own places and repeated ones, with the inside on their left. */
function boundary(plane: Plane): Side[] {
  const own = plane.places().filter((place) => !plane.isRepeat(place));
  const keys = new Set(own.map(key));
  return own.flatMap((place) =>
    SIDES.filter(({ neighbor }) => !keys.has(key(sum(place, neighbor)))).map(
      ({ from, to }): Side => [sum(place, from), sum(place, to)],
    ),
  );
}

/** Sides that follow each other, as closed lines of corners. */
function loops(sides: readonly Side[]): LatticeSquare[][] {
  const remaining = new Map<string, Side[]>();
  for (const side of sides) remaining.set(key(side[0]), [...(remaining.get(key(side[0])) ?? []), side]);
  return sides.flatMap((first) => {
    const corners: LatticeSquare[] = [];
    for (let at = first[0]; ; ) {
      const next = remaining.get(key(at))?.pop();
      if (!next) return corners.length > 0 ? [corners] : [];
      corners.push(next[0]);
      at = next[1];
    }
  });
}
