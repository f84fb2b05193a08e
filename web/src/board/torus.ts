/**
 * Boards without an edge: which way round is the short one, and how far the window is scrolled.
 * Not here: what shows it.
 */
import { length, modulo, type Place, type Plane } from "./geometry.ts";
import type { Board, Man } from "./types.ts";

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

/**
 * The corner of the window from which White's men stand lowest and Black's highest on a board that lies on its corner.
 * Where no edges are joined it is the board's own.
 */
export function homeOf(board: Board, men: readonly Man[]): Place {
  const { files, ranks, wraps, squares } = board;
  const height = (origin: Place): number =>
    men.reduce((sum, { square, color }) => {
      const at = squares[square];
      if (!at) return sum;
      const [file, rank] = [at.file - origin.file, at.rank - origin.rank];
      const up = (wraps.files ? modulo(file, files) : file) + (wraps.ranks ? modulo(rank, ranks) : rank);
      return color === "white" ? sum - up : sum + up;
    }, 0);
  let home: Place = { file: 0, rank: 0 };
  let most = height(home);
  for (let file = 0; file < (wraps.files ? files : 1); file += 1) {
    for (let rank = 0; rank < (wraps.ranks ? ranks : 1); rank += 1) {
      const found = height({ file, rank });
      if (found > most) [home, most] = [{ file, rank }, found];
    }
  }
  return home;
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
