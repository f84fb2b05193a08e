/**
 * Boards with joined edges: shortest ways, where a board starts, and how far it is scrolled. Not here: drawing.
 */
import { WHITE_AND_BLACK } from "./colors.ts";
import { length, modulo, type LatticeSquare, type Plane } from "./geometry.ts";
import type { Board, Piece } from "./types.ts";

/** The shortest step from one square to another across joined edges; the direct one if two are equal. */
export function shortestStep(plane: Plane, from: number, to: number): LatticeSquare {
  const start = plane.placeOf(from);
  const end = plane.placeOf(to);
  const { files, ranks, wraps } = plane.board;
  return {
    file: wrapStep(end.file - start.file, wraps.files ? files : null),
    rank: wrapStep(end.rank - start.rank, wraps.ranks ? ranks : null),
  };
}

/** The shortest equivalent of a step, given the period of joined edges; null for edges that end. */
export function wrapStep(step: number, period: number | null): number {
  if (period === null || Math.abs(step) * 2 <= period) return step;
  return step > 0 ? step - period : step + period;
}

/**
 * Every pair of places a step apart of which at least one is visible: where a move or an arrow appears on a repeated
 * board. The window's own pair comes first.
 */
export function visibleSpans(plane: Plane, from: number, step: LatticeSquare): [LatticeSquare, LatticeSquare][] {
  const own = plane.placeOf(from);
  const starts = [own, ...plane.repeats(own)];
  const pairs = starts.map((start): [LatticeSquare, LatticeSquare] => [
    start,
    { file: start.file + step.file, rank: start.rank + step.rank },
  ]);
  return pairs.filter(([start, end]) => plane.isVisible(start) || plane.isVisible(end));
}

/** The axes along which edges can be joined. */
const AXES = ["file", "rank"] as const;

/** The period of an axis whose edges are joined. */
const periodOf = ({ files, ranks, wraps }: Board, axis: "file" | "rank"): number | null =>
  axis === "file" ? (wraps.files ? files : null) : wraps.ranks ? ranks : null;

/**
 * The corner of the window from which White's pieces are lowest and farthest left, and Black's highest and farthest
 * right. Along edges that are not joined it is the board's own corner.
 */
export function startOrigin(board: Board, pieces: readonly Piece[]): LatticeSquare {
  const origin = { file: 0, rank: 0 };
  for (const axis of AXES) {
    const period = periodOf(board, axis);
    if (period === null) continue;
    const separation = (corner: number): number =>
      pieces.reduce((total, { square, color }) => {
        const at = modulo((board.squares[square]?.[axis] ?? corner) - corner, period);
        return color === "white" ? total - at : total + at;
      }, 0);
    for (let corner = 1; corner < period; corner += 1) {
      if (separation(corner) > separation(origin[axis])) origin[axis] = corner;
    }
  }
  return origin;
}

/** Below this length of the mean vector the pieces are spread around the whole period and have no center. */
const MIN_MEAN = 0.1;

/** The circular mean of pieces within a period, in files or ranks; null if they are spread all around. */
function centerOf(board: Board, pieces: readonly Piece[], axis: "file" | "rank", period: number): number | null {
  let [x, y] = [0, 0];
  for (const { square } of pieces) {
    const angle = ((board.squares[square]?.[axis] ?? 0) / period) * 2 * Math.PI;
    x += Math.cos(angle);
    y += Math.sin(angle);
  }
  if (Math.hypot(x, y) <= MIN_MEAN * pieces.length) return null;
  return modulo((Math.atan2(y, x) / (2 * Math.PI)) * period, period);
}

/**
 * The squares of a camp that the window at `origin` would cut, each with the step to the place in the ring that joins
 * it to the rest of the camp. Empty on a board whose camps have no center, or without a ring.
 */
export function campShifts(board: Board, pieces: readonly Piece[], origin: LatticeSquare, ring: number): Map<number, LatticeSquare> {
  const shifts = new Map<number, LatticeSquare>();
  const periods = AXES.map((axis) => periodOf(board, axis));
  const [files, ranks] = periods;
  if (!files || !ranks || ring < 1) return shifts;
  const centers = WHITE_AND_BLACK.map((color) => {
    const own = pieces.filter((piece) => piece.color === color);
    return AXES.map((axis, index) => {
      const center = centerOf(board, own, axis, periods[index] ?? 1);
      return center === null ? null : modulo(center - origin[axis], periods[index] ?? 1);
    });
  });
  if (centers.flat().includes(null)) return shifts;
  board.squares.forEach((square, number) => {
    const at = AXES.map((axis, index) => modulo(square[axis] - origin[axis], periods[index] ?? 1));
    // The shortest way to the center of each camp.
    const offsets = centers.map((center) =>
      at.map((place, index) => wrapStep((center[index] ?? 0) - place, periods[index] ?? 1)),
    );
    const [whiteDistance = 0, blackDistance = 0] = offsets.map((way) => Math.max(...way.map(Math.abs)));
    const camp = blackDistance < whiteDistance - 1e-6 ? 1 : 0;
    const [file = 0, rank = 0] = at.map((place, index) => {
      const center = centers[camp]?.[index] ?? 0;
      return Math.round(center - (offsets[camp]?.[index] ?? 0) - place);
    });
    const isVisible = (place: number, size: number): boolean => place >= -ring && place < size + ring;
    if ((file !== 0 || rank !== 0) && isVisible((at[0] ?? 0) + file, files) && isVisible((at[1] ?? 0) + rank, ranks)) {
      shifts.set(number, { file, rank });
    }
  });
  return shifts;
}

/** How far a torus is scrolled: whole squares and a fraction. */
export class ScrollOffset {
  readonly #board: Board;
  #file = 0;
  #rank = 0;

  constructor(board: Board) {
    this.#board = board;
  }

  /** Moves the picture by a step in files and ranks; only along joined edges. */
  moveBy(step: LatticeSquare): void {
    if (this.#board.wraps.files) this.#file = modulo(this.#file - step.file, this.#board.files);
    if (this.#board.wraps.ranks) this.#rank = modulo(this.#rank - step.rank, this.#board.ranks);
  }

  /** The file and rank at the window's corner. */
  get origin(): LatticeSquare {
    return {
      file: modulo(Math.round(this.#file), this.#board.files),
      rank: modulo(Math.round(this.#rank), this.#board.ranks),
    };
  }

  /** How far the picture is from whole squares: at most one half along each axis. */
  get fraction(): LatticeSquare {
    return { file: Math.round(this.#file) - this.#file, rank: Math.round(this.#rank) - this.#rank };
  }

  /** Sets the file and rank at the window's corner. */
  setOrigin({ file, rank }: LatticeSquare): void {
    this.#file = file;
    this.#rank = rank;
  }

  /** Rounds to whole squares. */
  round(): void {
    this.setOrigin(this.origin);
  }
}

/** The step to that one of the eight neighbors which is closest to this direction on the page. */
export function scrollStep(plane: Plane, direction: readonly [number, number]): LatticeSquare {
  let best: LatticeSquare = { file: 0, rank: 0 };
  let largest = Number.NEGATIVE_INFINITY;
  for (const file of [-1, 0, 1]) {
    for (const rank of [-1, 0, 1]) {
      if (file === 0 && rank === 0) continue;
      const step = plane.step({ file, rank });
      const along = (step[0] * direction[0] + step[1] * direction[1]) / length(step);
      if (along > largest + 1e-9) {
        largest = along;
        best = { file, rank };
      }
    }
  }
  return best;
}
