/**
 * What is said about cells, below the pieces: last move, check, chosen piece, where it may go, premove, and the
 * marks of rules diagrams. Every kind has a shape of its own and is one path. Not here: arrows (`arrows`).
 */
import { add, type Place, type Plane, scaled } from "./geometry.ts";
import { disc, polygon, put, svg } from "./svg.ts";
import type { Mark, MarkKind, Point } from "./types.ts";

/** Where the chosen piece may go, sorted by what it finds there. */
export interface Targets {
  quiet: number[];
  captures: number[];
  /** Own pieces, for castling by the rook and for joining. */
  own: number[];
}

export const NO_TARGETS: Targets = { quiet: [], captures: [], own: [] };

export interface Said {
  last: number[];
  check: number | null;
  selected: number | null;
  targets: Targets;
  premoveTargets: Targets;
  /** Where a piece that cannot be moved now could go. */
  reach: Targets;
  premove: number[];
  /** Under a dragged piece. */
  over: number | null;
  marks: readonly Mark[];
}

const KINDS = [
  "area",
  "last-from",
  "last-to",
  "last-edge",
  "premove",
  "selected",
  "over",
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

  draw(plane: Plane, said: Said): void {
    const texts = new Map<Kind, string>(KINDS.map((kind) => [kind, ""]));
    const more = plane.beyond;
    const say = (kind: Kind, squares: readonly number[], shape: (place: Place) => string): void => {
      const drawn = squares.flatMap((square) => plane.copies(square, more).map(shape)).join("");
      texts.set(kind, (texts.get(kind) ?? "") + drawn);
    };
    const whole = (place: Place): string => polygon(plane.polygon(place));
    const edge = (place: Place): string => polygon(plane.polygon(place, 0.94));
    const round = (radius: number) => (place: Place) => disc(plane.center(place), radius);
    const ring = (outer: number, inner: number) => (place: Place) =>
      disc(plane.center(place), outer) + disc(plane.center(place), inner);

    say("last-from", said.last.slice(0, -1), whole);
    say("last-to", said.last.slice(-1), whole);
    say("last-edge", said.last.slice(-1), (place) => polygon(plane.polygon(place, 0.95)));
    say("premove", said.premove, whole);
    const check = said.check === null ? [] : [said.check];
    say("check", check, whole);
    say("check-edge", check, edge);
    say("selected", said.selected === null ? [] : [said.selected], (place) =>
      polygon(plane.polygon(place, 0.95)),
    );
    say("over", said.over === null ? [] : [said.over], (place) => polygon(plane.polygon(place, 0.95)));
    say("dots", said.targets.quiet, round(0.145));
    say("rings", said.targets.captures, ring(0.475, 0.395));
    say("own", said.targets.own, (place) => brackets(plane, place));
    say("pre-dots", said.premoveTargets.quiet, ring(0.15, 0.07));
    say("pre-rings", [...said.premoveTargets.captures, ...said.premoveTargets.own], ring(0.47, 0.42));
    say("reach-dots", said.reach.quiet, ring(0.13, 0.06));
    say("reach-rings", [...said.reach.captures, ...said.reach.own], ring(0.47, 0.42));
    this.#sayMarks(plane, said.marks, say);
    for (const [kind, path] of this.#paths) put(path, "d", texts.get(kind) ?? "");
  }

  #sayMarks(
    plane: Plane,
    marks: readonly Mark[],
    say: (kind: Kind, squares: readonly number[], shape: (place: Place) => string) => void,
  ): void {
    const of = (...kinds: MarkKind[]): number[] =>
      marks.filter((mark) => kinds.includes(mark.kind)).map((mark) => mark.square);
    say("area", of("area"), (place) => polygon(plane.polygon(place)));
    say("selected", of("from"), (place) => polygon(plane.polygon(place, 0.95)));
    say("dots", of("move", "both"), (place) => disc(plane.center(place), 0.145));
    say("rings", of("capture", "both"), (place) => cross(plane.center(place)));
    say("goal", of("goal"), (place) => star(plane.center(place)));
    say("promotion", of("promotion"), (place) => chevron(plane.center(place)));
  }
}

/** Four corners of a frame: a square that is joined or castled with. */
function brackets(plane: Plane, place: Place): string {
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

/** Four wedges that leave the middle free: a capture in a diagram, where no piece needs to stand. */
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
