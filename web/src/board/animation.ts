/**
 * Which pieces moved between two positions, and how long a movement takes. The board is told positions, not
 * moves, so movements are found by comparing. Not here: how a movement is shown (`pieces`).
 */
import type { Piece } from "./types.ts";

export const DURATION_MS = 200;

export interface Change {
  /** Pieces that stay or arrive, each with the square it came from; null for one that appears. */
  pieces: { piece: Piece; from: number | null }[];
  /** Pieces that are gone. */
  gone: Piece[];
}

const same = (a: Piece, b: Piece): boolean => a.role === b.role && a.color === b.color;

/**
 * Compares two positions. A piece that arrives came from where the last move began when a piece of its color
 * left there (so a promoted pawn moves too), otherwise from the nearest square that such a piece left.
 */
export function compare(
  before: readonly Piece[],
  after: readonly Piece[],
  last: readonly number[],
  distance: (from: number, to: number) => number,
): Change {
  const stood = new Map(before.map((piece) => [piece.square, piece]));
  const change: Change = { pieces: [], gone: [] };
  const arrived: Piece[] = [];
  for (const piece of after) {
    const earlier = stood.get(piece.square);
    if (earlier && same(earlier, piece)) {
      change.pieces.push({ piece, from: piece.square });
      stood.delete(piece.square);
    } else {
      arrived.push(piece);
    }
  }
  const [start, end] = [last[0], last[last.length - 1]];
  for (const piece of arrived) {
    const left = [...stood.values()];
    const mover = left.find(
      (other) => piece.square === end && other.square === start && other.color === piece.color,
    );
    const alike = left
      .filter((other) => same(other, piece))
      .sort((a, b) => distance(a.square, piece.square) - distance(b.square, piece.square));
    const source = mover ?? alike[0];
    change.pieces.push({ piece, from: source?.square ?? null });
    if (source) stood.delete(source.square);
  }
  change.gone.push(...stood.values());
  return change;
}

/** How long movements take: not at all for who asked the system for less motion. */
export function duration(wanted: number): number {
  const calm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
  return calm ? 0 : wanted;
}
