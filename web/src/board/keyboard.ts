/**
 * Walking the board by keys, as it is seen on the screen: a key goes to the neighbor in its direction, over
 * holes, and round joined edges. On a board that stands on its corner no neighbor lies straight above, so
 * there every key turns an eighth to the left: up is one rank up, right is one file to the right.
 * Not here: what Enter does.
 */
import { length, type Place, type Plane } from "./geometry.ts";
import type { Point } from "./types.ts";

const DIRECTIONS: Record<string, Point> = {
  ArrowUp: [0, -1],
  ArrowRight: [1, 0],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
};

/** The four keys between the arrows go where two arrows together would go, as on a number pad. */
const BETWEEN: Record<string, readonly [string, string]> = {
  Home: ["ArrowUp", "ArrowLeft"],
  PageUp: ["ArrowUp", "ArrowRight"],
  End: ["ArrowDown", "ArrowLeft"],
  PageDown: ["ArrowDown", "ArrowRight"],
};

export const directionOf = (key: string): Point | null => DIRECTIONS[key] ?? null;

/** The step of the lattice that a key stands for; null for other keys. */
export function keyStep(plane: Plane, key: string): Place | null {
  const between = BETWEEN[key];
  if (between) {
    const [one, other] = between.map((arrow) => keyStep(plane, arrow));
    return one && other ? { file: one.file + other.file, rank: one.rank + other.rank } : null;
  }
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  // A little to the left of the key's direction, which decides between two that are equally near.
  const leaning: Point = [direction[0] + direction[1] * 1e-3, direction[1] - direction[0] * 1e-3];
  const steps: Place[] = [
    { file: 1, rank: 0 },
    { file: -1, rank: 0 },
    { file: 0, rank: 1 },
    { file: 0, rank: -1 },
  ];
  const along = (step: Place): number => {
    const [x, y] = plane.step(step);
    return (x * leaning[0] + y * leaning[1]) / length([x, y]);
  };
  return steps.reduce((best, step) => (along(step) > along(best) ? step : best));
}

/** The square that a key leads to from another; the same where the board ends. */
export function walk(plane: Plane, square: number, key: string): number {
  const step = keyStep(plane, key);
  if (!step) return square;
  let place = plane.placeOf(square);
  const most = plane.board.files + plane.board.ranks;
  for (let count = 0; count < most; count += 1) {
    place = { file: place.file + step.file, rank: place.rank + step.rank };
    const reached = plane.squareAt(place);
    if (reached !== null) return reached;
  }
  return square;
}
