/**
 * Navigation by keys on the board, as seen on the screen: to the neighbor in that direction, across holes and joined
 * edges. In the diamond view no neighbor is straight above, so every direction is turned left by 45 degrees: up is
 * one rank up, right is one file to the right. Hexagons have a neighbor straight above. Not here: Enter and Escape.
 */
import { add, length, type LatticeSquare, type Plane } from "./geometry.ts";
import { colorsOf } from "./colors.ts";
import type { Board, Movable, Piece, Point } from "./types.ts";

const DIRECTIONS: Record<string, Point> = {
  ArrowUp: [0, -1],
  ArrowRight: [1, 0],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
};

/** Keys that combine two arrows, as on a number pad. */
const DIAGONALS: Record<string, readonly [string, string]> = {
  Home: ["ArrowUp", "ArrowLeft"],
  PageUp: ["ArrowUp", "ArrowRight"],
  End: ["ArrowDown", "ArrowLeft"],
  PageDown: ["ArrowDown", "ArrowRight"],
};

export const directionOf = (key: string): Point | null => DIRECTIONS[key] ?? null;

/** The step of a key in files and ranks; null for other keys. */
export function keyStep(plane: Plane, key: string): LatticeSquare | null {
  const arrows = DIAGONALS[key];
  if (arrows && plane.hasHexagons) {
    const [one, other] = arrows.map(directionOf);
    return one && other ? neighborIn(plane, add(one, other)) : null;
  }
  if (arrows) {
    const [one, other] = arrows.map((arrow) => keyStep(plane, arrow));
    return one && other ? { file: one.file + other.file, rank: one.rank + other.rank } : null;
  }
  const direction = directionOf(key);
  return direction ? neighborIn(plane, direction) : null;
}

/** The step to the neighbor that is closest to a direction on the page. */
function neighborIn(plane: Plane, direction: Point): LatticeSquare {
  // Slightly to the left of the direction, to decide between two equally close neighbors.
  const tilted: Point = [direction[0] + direction[1] * 1e-3, direction[1] - direction[0] * 1e-3];
  const steps: LatticeSquare[] = [
    { file: 1, rank: 0 },
    { file: -1, rank: 0 },
    { file: 0, rank: 1 },
    { file: 0, rank: -1 },
    ...(plane.hasHexagons ? thirdLine(plane) : []),
  ];
  const along = (step: LatticeSquare): number => {
    const [x, y] = plane.step(step);
    return (x * tilted[0] + y * tilted[1]) / length([x, y]);
  };
  return steps.reduce((best, step) => (along(step) > along(best) ? step : best));
}

/** The steps to the neighbors of a hexagon that are neither on its file nor on its rank. */
function thirdLine(plane: Plane): LatticeSquare[] {
  const rising = { file: 1, rank: 1 };
  const falling = { file: 1, rank: -1 };
  const { file, rank } = length(plane.step(rising)) < length(plane.step(falling)) ? rising : falling;
  return [
    { file, rank },
    { file: -file, rank: -rank },
  ];
}

/** The square that a key leads to; the same square at the edge of the board. */
export function squareByKey(plane: Plane, square: number, key: string): number {
  const step = keyStep(plane, key);
  if (!step) return square;
  let place = plane.placeOf(square);
  const maximum = plane.board.files + plane.board.ranks;
  for (let count = 0; count < maximum; count += 1) {
    place = { file: place.file + step.file, rank: place.rank + step.rank };
    const reached = plane.squareAt(place);
    if (reached !== null) return reached;
  }
  return square;
}

/** The first focus: on the user's King, or on any piece. */
export function initialFocus(board: Board, pieces: readonly Piece[], movable: Movable): number {
  const royal = new Set(board.roles.filter((role) => role.royal).map((role) => role.id));
  const [first] = colorsOf(board.players);
  const own = movable === "both" || movable === "none" ? first : movable;
  const king = pieces.find((piece) => royal.has(piece.role) && piece.color === own);
  return king?.square ?? pieces[0]?.square ?? 0;
}
