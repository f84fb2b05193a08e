/**
 * How large pieces are: as large as fits into the tightest cell, raised a little in cells that narrow downward.
 * The program's pictures use the same measure.
 */
import type { Point } from "./types.ts";

/** The convex hull of all drawings, relative to the middle of their box, in sizes of the box. */
const HULL: readonly Point[] = [
  [-0.3, 0.47],
  [0.3, 0.47],
  [-0.47, 0.12],
  [0.47, 0.12],
  [-0.47, -0.12],
  [0.47, -0.12],
  [-0.4, -0.24],
  [0.4, -0.24],
  [-0.26, -0.38],
  [0.26, -0.38],
  [-0.16, -0.47],
  [0.16, -0.47],
];

/** The middle of the drawings within their box of 1 by 1. */
export const MIDDLE: Point = [0.5, 0.48];

/** The least space between a piece and the edge of its cell, in cell sides. */
const EDGE = 0.015;
const MAX_SIZE = 1;
const MIN_SIZE = 0.05;
const LIFT_STEP = 0.01;
const LIFT_STEPS = 12;

export interface PieceSize {
  /** The size of a piece's box, in cell sides. */
  size: number;
  /** How far above the center of the cell the middle of the box is. */
  lift: number;
}

/** The size of pieces in cells with these corners around their centers. */
export function pieceSize(corners: readonly Point[]): PieceSize {
  let best: PieceSize = { size: 0, lift: 0 };
  for (let step = 0; step <= LIFT_STEPS; step += 1) {
    const lift = step * LIFT_STEP;
    const size = Math.max(Math.min(MAX_SIZE, largestSize(corners, lift)), MIN_SIZE);
    if (size > best.size + 1e-9) best = { size, lift };
  }
  return best;
}

function largestSize(corners: readonly Point[], lift: number): number {
  const sizes = corners.map((from, index) => {
    const to = corners[(index + 1) % corners.length] ?? from;
    const along = [to[0] - from[0], to[1] - from[1]] as const;
    const edgeLength = Math.hypot(along[0], along[1]);
    if (edgeLength < 1e-6) return MAX_SIZE;
    let normal: Point = [along[1] / edgeLength, -along[0] / edgeLength];
    let distance = from[0] * normal[0] + from[1] * normal[1];
    if (distance < 0) {
      normal = [-normal[0], -normal[1]];
      distance = -distance;
    }
    const extent = Math.max(...HULL.map((point) => point[0] * normal[0] + point[1] * normal[1]));
    return (distance - EDGE + lift * normal[1]) / extent;
  });
  return Math.min(...sizes);
}
