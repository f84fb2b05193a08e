/**
 * Which pieces moved between two positions, and how long a movement takes. The board receives positions, not
 * moves, so it compares them. Not here: how a movement is shown (`pieces`).
 */
import type { Piece } from "./types.ts";

export const DURATION_MS = 200;

export interface PositionChange {
  /** Pieces that stay or arrive, each with the square it came from; null for one that appears. */
  pieces: { piece: Piece; from: number | null }[];
  removed: Piece[];
}

const isSame = (a: Piece, b: Piece): boolean => a.role === b.role && a.color === b.color;

/** Whether a piece stayed where it was, also if its player has gone out and it is dead now. */
const hasStayed = (before: Piece, after: Piece): boolean =>
  before.role === after.role && (before.color === after.color || before.color === "dead" || after.color === "dead");

/**
 * Compares two positions. A piece that arrives at the end of the last move came from its start, if a piece of
 * its color left there (so a promoted pawn moves too). Otherwise it came from the nearest square that such a
 * piece left.
 */
export function comparePositions(
  before: readonly Piece[],
  after: readonly Piece[],
  last: readonly number[],
  distance: (from: number, to: number) => number,
): PositionChange {
  const remaining = new Map(before.map((piece) => [piece.square, piece]));
  const change: PositionChange = { pieces: [], removed: [] };
  const arrived: Piece[] = [];
  for (const piece of after) {
    const earlier = remaining.get(piece.square);
    if (earlier && hasStayed(earlier, piece)) {
      change.pieces.push({ piece, from: piece.square });
      remaining.delete(piece.square);
    } else {
      arrived.push(piece);
    }
  }
  const [start, end] = [last[0], last[last.length - 1]];
  for (const piece of arrived) {
    const candidates = [...remaining.values()];
    const mover = candidates.find(
      (other) => piece.square === end && other.square === start && other.color === piece.color,
    );
    const [nearest] = candidates
      .filter((other) => isSame(other, piece))
      .sort((a, b) => distance(a.square, piece.square) - distance(b.square, piece.square));
    const source = mover ?? nearest;
    change.pieces.push({ piece, from: source?.square ?? null });
    if (source) remaining.delete(source.square);
  }
  change.removed.push(...remaining.values());
  return change;
}

/** The pieces after one was moved; a piece on the target square is captured. */
export function movePiece(pieces: readonly Piece[], from: number, to: number): Piece[] {
  return pieces
    .filter((piece) => piece.square !== to)
    .map((piece) => (piece.square === from ? { ...piece, square: to } : piece));
}

/** The time of an animation: zero if the user prefers reduced motion. */
export function animationTime(milliseconds: number): number {
  const reduced = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
  return reduced ? 0 : milliseconds;
}
