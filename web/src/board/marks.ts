/**
 * The marks of cells, below the pieces: last move, check, selection, targets, premove, and the marks of rules
 * diagrams. Each kind has a shape of its own and is one path. Not here: arrows (`arrows`).
 */
import { add, type LatticeSquare, type Plane, scaled } from "./geometry.ts";
import type { MarksModel } from "./marks_model.ts";
import { disc, polygon, setIfChanged, svg } from "./svg.ts";
import type { Mark, MarkKind, Point } from "./types.ts";

const KINDS = [
  "area",
  "last-from",
  "last-to",
  "last-edge",
  "premove",
  "selected",
  "drop-target",
  "check",
  "check-edge",
  "dots",
  "rings",
  "own",
  "pre-dots",
  "pre-rings",
  "reach-dots",
  "reach-rings",
  "goal",
  "promotion",
] as const;
type Kind = (typeof KINDS)[number];

export class Marks {
  readonly group = svg("g", { class: "marks" });
  readonly #paths = new Map<Kind, SVGPathElement>();

  constructor() {
    for (const kind of KINDS) {
      const path = svg("path", { class: `mark ${kind}`, "fill-rule": "evenodd" });
      this.#paths.set(kind, path);
      this.group.append(path);
    }
  }

  draw(plane: Plane, model: MarksModel): void {
    const outlines = new Map<Kind, string>(KINDS.map((kind) => [kind, ""]));
    const margin = plane.margin;
    const mark = (kind: Kind, squares: readonly number[], shape: (place: LatticeSquare) => string): void => {
      const path = squares.flatMap((square) => plane.copies(square, margin).map(shape)).join("");
      outlines.set(kind, (outlines.get(kind) ?? "") + path);
    };
    const cell = (place: LatticeSquare): string => polygon(plane.polygon(place));
    const edge = (place: LatticeSquare): string => polygon(plane.polygon(place, 0.94));
    const round = (radius: number) => (place: LatticeSquare) => disc(plane.center(place), radius);
    const ring = (outer: number, inner: number) => (place: LatticeSquare) =>
      disc(plane.center(place), outer) + disc(plane.center(place), inner);

    mark("last-from", model.last.slice(0, -1), cell);
    mark("last-to", model.last.slice(-1), cell);
    mark("last-edge", model.last.slice(-1), (place) => polygon(plane.polygon(place, 0.95)));
    mark("premove", model.premove, cell);
    const check = model.check === null ? [] : [model.check];
    mark("check", check, cell);
    mark("check-edge", check, edge);
    mark("selected", model.selected === null ? [] : [model.selected], (place) =>
      polygon(plane.polygon(place, 0.95)),
    );
    mark("drop-target", model.dropTarget === null ? [] : [model.dropTarget], (place) => polygon(plane.polygon(place, 0.95)));
    mark("dots", model.targets.quiet, round(0.145));
    mark("rings", model.targets.captures, ring(0.475, 0.395));
    mark("own", model.targets.own, (place) => brackets(plane, place));
    mark("pre-dots", model.premoveTargets.quiet, ring(0.15, 0.07));
    mark("pre-rings", [...model.premoveTargets.captures, ...model.premoveTargets.own], ring(0.47, 0.42));
    mark("reach-dots", model.reach.quiet, ring(0.13, 0.06));
    mark("reach-rings", [...model.reach.captures, ...model.reach.own], ring(0.47, 0.42));
    this.#addDiagramMarks(plane, model.marks, mark);
    for (const [kind, path] of this.#paths) setIfChanged(path, "d", outlines.get(kind) ?? "");
  }

  #addDiagramMarks(
    plane: Plane,
    marks: readonly Mark[],
    mark: (kind: Kind, squares: readonly number[], shape: (place: LatticeSquare) => string) => void,
  ): void {
    const squaresOf = (...kinds: MarkKind[]): number[] =>
      marks.filter(({ kind }) => kinds.includes(kind)).map(({ square }) => square);
    mark("area", squaresOf("area"), (place) => polygon(plane.polygon(place)));
    mark("selected", squaresOf("from"), (place) => polygon(plane.polygon(place, 0.95)));
    mark("dots", squaresOf("move", "both"), (place) => disc(plane.center(place), 0.145));
    mark("rings", squaresOf("capture", "both"), (place) => cross(plane.center(place)));
    mark("goal", squaresOf("goal"), (place) => star(plane.center(place)));
    mark("promotion", squaresOf("promotion"), (place) => chevron(plane.center(place)));
  }
}

/** Four corners of a frame: a fusion, or castling by the rook. */
function brackets(plane: Plane, place: LatticeSquare): string {
  const center = plane.center(place);
  const corners = plane.corners;
  return corners
    .map((corner, index) => {
      const before = corners[(index + corners.length - 1) % corners.length] ?? corner;
      const after = corners[(index + 1) % corners.length] ?? corner;
      const toward = (other: Point, part: number): Point => [
        corner[0] + (other[0] - corner[0]) * part,
        corner[1] + (other[1] - corner[1]) * part,
      ];
      const outer = [corner, toward(after, 0.3), toward(before, 0.3)].map((point) => scaled(point, 0.95));
      const points = [outer[0], outer[1], scaled(outer[0] ?? corner, 0.72), outer[2]];
      return polygon(points.filter((point) => point !== undefined).map((point) => add(center, point)));
    })
    .join("");
}

/** Four wedges around a free middle: a capture in a diagram, where the square may be empty. */
function cross(center: Point): string {
  const wedge = (turn: number): string => {
    const at = (radius: number, angle: number): Point =>
      add(center, [radius * Math.cos(turn + angle), radius * Math.sin(turn + angle)]);
    return polygon([at(0.22, -0.22), at(0.44, -0.16), at(0.44, 0.16), at(0.22, 0.22)]);
  };
  return [0.25, 0.75, 1.25, 1.75].map((part) => wedge(part * Math.PI)).join("");
}

function star(center: Point): string {
  const points = Array.from({ length: 10 }, (_, index): Point => {
    const radius = index % 2 === 0 ? 0.36 : 0.15;
    const angle = (index / 5 - 0.5) * Math.PI;
    return add(center, [radius * Math.cos(angle), radius * Math.sin(angle)]);
  });
  return polygon(points);
}

function chevron(center: Point): string {
  const at = (x: number, y: number): Point => add(center, [x, y]);
  const arm = (y: number): string =>
    polygon([
      at(-0.26, y),
      at(0, y - 0.22),
      at(0.26, y),
      at(0.26, y + 0.12),
      at(0, y - 0.1),
      at(-0.26, y + 0.12),
    ]);
  return arm(0.02) + arm(0.24);
}
