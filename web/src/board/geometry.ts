/**
 * Where things are: an endless lattice of places, of which the window shows the board once, with a ring of
 * repeated places beyond each joined edge. Not here: drawing, or how a torus is scrolled (`torus`).
 */
import type { Board, Point, View, ViewName } from "./types.ts";

/** A place of the lattice, counted in files and ranks from the window's corner. */
export interface Place {
  file: number;
  rank: number;
}

/** A rectangle of the page, in cell sides. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Sight {
  view: ViewName;
  flipped: boolean;
  /** How many repeated places are shown beyond a joined edge. */
  ring: number;
  /** Which file and rank are at the window's corner: how far a torus is scrolled. */
  origin: Place;
  /** How many places beyond the rings are drawn out of sight, so that a torus can be scrolled. */
  beyond: number;
  /**
   * By square number, the step from its place in the window to the place in the ring that counts as its own. So a camp
   * is shown whole where the window would cut it.
   */
  shifts?: ReadonlyMap<number, Place> | undefined;
}

export const add = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1]];
export const scaled = (a: Point, by: number): Point => [a[0] * by, a[1] * by];
export const length = (a: Point): number => Math.hypot(a[0], a[1]);

/** The remainder that is never negative. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** Numbers of the squares by file and rank. */
class Grid {
  readonly #squares: Int16Array;
  readonly #ranks: number;

  constructor(board: Board) {
    this.#ranks = board.ranks;
    this.#squares = new Int16Array(board.files * board.ranks).fill(-1);
    board.squares.forEach((square, number) => {
      this.#squares[square.file * board.ranks + square.rank] = number;
    });
  }

  at(file: number, rank: number): number | null {
    const square = this.#squares[file * this.#ranks + rank] ?? -1;
    return square < 0 ? null : square;
  }
}

/** The board as one viewer sees it. It does not change: another view is another plane. */
export class Plane {
  readonly board: Board;
  readonly sight: Sight;
  /** What one file and one rank more are on the page. */
  readonly file: Point;
  readonly rank: Point;
  /** The corners of a cell around its center. */
  readonly corners: readonly Point[];
  /** Rings beyond the edges of files and of ranks. */
  readonly rings: { files: number; ranks: number };
  readonly #base: Point;
  readonly #grid: Grid;
  #bounds: Box | null = null;
  #periods: Place[] | null = null;

  /** `former` is a plane of the same board, whose tables serve again. */
  constructor(board: Board, sight: Sight, former: Plane | null = null) {
    this.board = board;
    this.sight = sight;
    const view: View = board.views[sight.view];
    const turn = sight.flipped ? -1 : 1;
    this.file = scaled(view.file, turn);
    this.rank = scaled(view.rank, turn);
    this.corners = view.corners.map((corner) => scaled(corner, turn));
    this.rings = {
      files: board.wraps.files ? sight.ring : 0,
      ranks: board.wraps.ranks ? sight.ring : 0,
    };
    this.#grid = former?.board === board ? former.#grid : new Grid(board);
    // Where edges are joined the window is full wherever it is scrolled.
    if (former && this.isScrolled(former)) this.#bounds = former.#bounds;
    const square = board.squares[0];
    const seen = view.centers[0];
    if (!square || !seen) throw new Error("expected a board with squares, found none");
    const first: Point = sight.flipped ? [view.width - seen[0], view.height - seen[1]] : seen;
    this.#base = add(first, add(scaled(this.file, -square.file), scaled(this.rank, -square.rank)));
  }

  /** How far beyond the rings things are drawn. */
  get beyond(): number {
    return this.wrapped ? this.sight.beyond : 0;
  }

  /** Whether the other plane differs from this at most by its origin. */
  isScrolled(other: Plane): boolean {
    const [one, two] = [this.sight, other.sight];
    return (
      this.board === other.board &&
      one.view === two.view &&
      one.flipped === two.flipped &&
      one.ring === two.ring &&
      one.beyond === two.beyond
    );
  }

  get wrapped(): boolean {
    return this.board.wraps.files || this.board.wraps.ranks;
  }

  /** The middle of a place, also of one between places (fractions) or outside of the window. */
  center(place: Place): Point {
    return add(this.#base, this.step(place));
  }

  /** What so many files and ranks are on the page. */
  step(by: Place): Point {
    return add(scaled(this.file, by.file), scaled(this.rank, by.rank));
  }

  /** How many files and ranks a step on the page is. */
  lattice(step: Point): Place {
    const [fx, fy] = this.file;
    const [rx, ry] = this.rank;
    const area = fx * ry - fy * rx;
    return { file: (step[0] * ry - step[1] * rx) / area, rank: (step[1] * fx - step[0] * fy) / area };
  }

  /** The square that a place shows; null for holes and outside of a board that ends. */
  squareAt(place: Place): number | null {
    const { files, ranks, wraps } = this.board;
    let file = place.file + this.sight.origin.file;
    let rank = place.rank + this.sight.origin.rank;
    if (wraps.files) file = modulo(file, files);
    if (wraps.ranks) rank = modulo(rank, ranks);
    if (file < 0 || rank < 0 || file >= files || rank >= ranks) return null;
    return this.#grid.at(file, rank);
  }

  /** The square's own place: in the window, or in the ring where it is shifted there. */
  placeOf(square: number): Place {
    const place = this.#windowPlace(square);
    const shift = this.sight.shifts?.get(square);
    return shift ? { file: place.file + shift.file, rank: place.rank + shift.rank } : place;
  }

  #windowPlace(square: number): Place {
    const { files, ranks, wraps, squares } = this.board;
    const at = squares[square];
    if (!at) throw new Error(`expected a square of the board, found number ${square}`);
    const file = at.file - this.sight.origin.file;
    const rank = at.rank - this.sight.origin.rank;
    return { file: wraps.files ? modulo(file, files) : file, rank: wraps.ranks ? modulo(rank, ranks) : rank };
  }

  /** Whether the place repeats a square that has its own place elsewhere. */
  isGhost(place: Place): boolean {
    const square = this.squareAt(place);
    if (square === null) {
      const { file, rank } = place;
      return file < 0 || rank < 0 || file >= this.board.files || rank >= this.board.ranks;
    }
    const own = this.placeOf(square);
    return own.file !== place.file || own.rank !== place.rank;
  }

  /** Whether the place is shown: in the window or at most `more` beyond its rings. */
  isSeen({ file, rank }: Place, more = 0): boolean {
    const files = this.rings.files + (this.board.wraps.files ? more : 0);
    const ranks = this.rings.ranks + (this.board.wraps.ranks ? more : 0);
    return (
      file >= -files && rank >= -ranks && file < this.board.files + files && rank < this.board.ranks + ranks
    );
  }

  /** Every place of the window with its rings, and `more` beyond them. */
  places(more = 0): Place[] {
    const files = this.rings.files + (this.board.wraps.files ? more : 0);
    const ranks = this.rings.ranks + (this.board.wraps.ranks ? more : 0);
    const places: Place[] = [];
    for (let rank = -ranks; rank < this.board.ranks + ranks; rank += 1) {
      for (let file = -files; file < this.board.files + files; file += 1) places.push({ file, rank });
    }
    return places;
  }

  /** Everywhere that a square is shown: its own place first, then its repetitions. */
  copies(square: number, more = 0): Place[] {
    const own = this.placeOf(square);
    const found = [own];
    this.#periods ??= this.#periodSteps();
    for (const step of this.#periods) {
      const place = { file: own.file + step.file, rank: own.rank + step.rank };
      if (this.isSeen(place, more)) found.push(place);
    }
    return found;
  }

  /** The repetitions of a place, seen or not: one period away in each joined direction. */
  repeats(place: Place): Place[] {
    this.#periods ??= this.#periodSteps();
    return this.#periods.map((step) => ({ file: place.file + step.file, rank: place.rank + step.rank }));
  }

  #periodSteps(): Place[] {
    const { files, ranks, wraps } = this.board;
    const across = wraps.files ? [0, -files, files] : [0];
    const along = wraps.ranks ? [0, -ranks, ranks] : [0];
    return across.flatMap((file) => along.map((rank) => ({ file, rank }))).slice(1);
  }

  /** The place whose cell holds the point; null outside of everything shown. */
  placeAt(point: Point): Place | null {
    const near = this.lattice([point[0] - this.#base[0], point[1] - this.#base[1]]);
    const place = { file: Math.round(near.file), rank: Math.round(near.rank) };
    return this.isSeen(place) ? place : null;
  }

  /** The corners of the whole window, its rings and `more` beyond: a parallelogram of the page. */
  outline(more = 0): Point[] {
    const files = this.rings.files + more;
    const ranks = this.rings.ranks + more;
    const [left, right] = [-files - 0.5, this.board.files + files - 0.5];
    const [low, high] = [-ranks - 0.5, this.board.ranks + ranks - 0.5];
    return [
      this.center({ file: left, rank: low }),
      this.center({ file: right, rank: low }),
      this.center({ file: right, rank: high }),
      this.center({ file: left, rank: high }),
    ];
  }

  /** The rectangle around all cells that are shown. */
  bounds(): Box {
    this.#bounds ??= this.#measure();
    return this.#bounds;
  }

  #measure(): Box {
    const shown = this.places().filter((place) => this.wrapped || this.squareAt(place) !== null);
    return boxOf(shown.flatMap((place) => this.polygon(place)));
  }

  /** The corners of the place's cell, drawn together by `part`. */
  polygon(place: Place, part = 1): Point[] {
    const center = this.center(place);
    return this.corners.map((corner) => add(center, scaled(corner, part)));
  }
}

export function boxOf(points: readonly Point[]): Box {
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
