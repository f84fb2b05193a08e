/**
 * Boards without an edge: which way round is the short one, and how far the window is scrolled.
 * Not here: what shows it.
 */
import { length, modulo, type Place, type Plane } from "./geometry.ts";
import type { Board, Piece } from "./types.ts";

/** The step from one square to the other, the short way round joined edges; straight where both are equal. */
export function shortest(plane: Plane, from: number, to: number): Place {
  const start = plane.placeOf(from);
  const end = plane.placeOf(to);
  const { files, ranks, wraps } = plane.board;
  return {
    file: shortOf(end.file - start.file, wraps.files ? files : null),
    rank: shortOf(end.rank - start.rank, wraps.ranks ? ranks : null),
  };
}

/** A step round a period, the short way; null for no period. */
export function shortOf(step: number, period: number | null): number {
  if (period === null || Math.abs(step) * 2 <= period) return step;
  return step > 0 ? step - period : step + period;
}

/**
 * Every pair of places, a step apart, of which at least one is shown: how a move or an arrow appears
 * wherever the board is repeated. The window's own comes first.
 */
export function spans(plane: Plane, from: number, step: Place): [Place, Place][] {
  const own = plane.placeOf(from);
  const starts = [own, ...plane.repeats(own)];
  const pairs = starts.map((start): [Place, Place] => [
    start,
    { file: start.file + step.file, rank: start.rank + step.rank },
  ]);
  return pairs.filter(([start, end]) => plane.isSeen(start) || plane.isSeen(end));
}

/** The axes along which edges can be joined. */
const AXES = ["file", "rank"] as const;

/** The period of an axis whose edges are joined. */
const periodOf = ({ files, ranks, wraps }: Board, axis: "file" | "rank"): number | null =>
  axis === "file" ? (wraps.files ? files : null) : wraps.ranks ? ranks : null;

/**
 * The corner of the window from which White's pieces stand lowest and farthest left, and Black's highest and farthest
 * right. Where no edges are joined it is the board's own.
 */
export function homeOf(board: Board, pieces: readonly Piece[]): Place {
  const home = { file: 0, rank: 0 };
  for (const axis of AXES) {
    const period = periodOf(board, axis);
    if (period === null) continue;
    const apart = (corner: number): number =>
      pieces.reduce((total, { square, color }) => {
        const at = modulo((board.squares[square]?.[axis] ?? corner) - corner, period);
        return color === "white" ? total - at : total + at;
      }, 0);
    for (let corner = 1; corner < period; corner += 1) {
      if (apart(corner) > apart(home[axis])) home[axis] = corner;
    }
  }
  return home;
}

/** Below this share of a period the pieces lie all round it and have no middle. */
const NO_MIDDLE = 0.1;

/** The middle of these pieces round a period, in files or ranks; null where they lie all round. */
function middleOf(board: Board, pieces: readonly Piece[], axis: "file" | "rank", period: number): number | null {
  let [x, y] = [0, 0];
  for (const { square } of pieces) {
    const angle = ((board.squares[square]?.[axis] ?? 0) / period) * 2 * Math.PI;
    x += Math.cos(angle);
    y += Math.sin(angle);
  }
  if (Math.hypot(x, y) <= NO_MIDDLE * pieces.length) return null;
  return modulo((Math.atan2(y, x) / (2 * Math.PI)) * period, period);
}

/**
 * The squares that belong to a camp which the window at `home` cuts, with the step to the place in its ring that joins
 * them to the rest of the camp. None on a board whose camps have no middle, or without a ring.
 */
export function campShifts(board: Board, pieces: readonly Piece[], home: Place, ring: number): Map<number, Place> {
  const shifts = new Map<number, Place>();
  const periods = AXES.map((axis) => periodOf(board, axis));
  const [files, ranks] = periods;
  if (!files || !ranks || ring < 1) return shifts;
  const middles = (["white", "black"] as const).map((color) => {
    const own = pieces.filter((piece) => piece.color === color);
    return AXES.map((axis, index) => {
      const middle = middleOf(board, own, axis, periods[index] ?? 1);
      return middle === null ? null : modulo(middle - home[axis], periods[index] ?? 1);
    });
  });
  if (middles.flat().includes(null)) return shifts;
  board.squares.forEach((square, number) => {
    const at = AXES.map((axis, index) => modulo(square[axis] - home[axis], periods[index] ?? 1));
    // The way to either camp's middle, the short way round.
    const ways = middles.map((middle) =>
      at.map((place, index) => shortOf((middle[index] ?? 0) - place, periods[index] ?? 1)),
    );
    const [one = 0, other = 0] = ways.map((way) => Math.max(...way.map(Math.abs)));
    const camp = other < one - 1e-6 ? 1 : 0;
    const [file = 0, rank = 0] = at.map((place, index) => {
      const middle = middles[camp]?.[index] ?? 0;
      return Math.round(middle - (ways[camp]?.[index] ?? 0) - place);
    });
    const seen = (place: number, size: number): boolean => place >= -ring && place < size + ring;
    if ((file !== 0 || rank !== 0) && seen((at[0] ?? 0) + file, files) && seen((at[1] ?? 0) + rank, ranks)) {
      shifts.set(number, { file, rank });
    }
  });
  return shifts;
}

/** How far a torus is scrolled: whole squares, and the fraction on the way to the next. */
export class Scroll {
  readonly #board: Board;
  #file = 0;
  #rank = 0;

  constructor(board: Board) {
    this.#board = board;
  }

  /** Moves the picture by so many files and ranks (of the lattice as seen); edges that end do not move. */
  by(step: Place): void {
    if (this.#board.wraps.files) this.#file = modulo(this.#file - step.file, this.#board.files);
    if (this.#board.wraps.ranks) this.#rank = modulo(this.#rank - step.rank, this.#board.ranks);
  }

  /** The file and rank at the window's corner. */
  get origin(): Place {
    return {
      file: modulo(Math.round(this.#file), this.#board.files),
      rank: modulo(Math.round(this.#rank), this.#board.ranks),
    };
  }

  /** By how much the picture still stands off its places; each at most a half. */
  get rest(): Place {
    return { file: Math.round(this.#file) - this.#file, rank: Math.round(this.#rank) - this.#rank };
  }

  /** Puts this file and rank at the window's corner. */
  place({ file, rank }: Place): void {
    this.#file = file;
    this.#rank = rank;
  }

  /** Ends a scroll on whole squares. */
  settle(): void {
    this.place(this.origin);
  }
}

/** Of the eight steps to a neighbor, the one that goes most nearly this way on the page. */
export function scrollStep(plane: Plane, direction: readonly [number, number]): Place {
  let best: Place = { file: 0, rank: 0 };
  let most = Number.NEGATIVE_INFINITY;
  for (const file of [-1, 0, 1]) {
    for (const rank of [-1, 0, 1]) {
      if (file === 0 && rank === 0) continue;
      const step = plane.step({ file, rank });
      const along = (step[0] * direction[0] + step[1] * direction[1]) / length(step);
      if (along > most + 1e-9) {
        most = along;
        best = { file, rank };
      }
    }
  }
  return best;
}
