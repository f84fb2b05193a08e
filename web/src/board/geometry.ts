/**
 * The geometry of a board on the page: an endless lattice of places. The window shows the board once, with a
 * ring of repeated places beyond each joined edge. Not here: drawing, or scrolling a torus (`torus`).
 */
import type { Board, Point, Shade, View, ViewName } from "./types.ts";

/** A place of the lattice, counted in files and ranks from the window's corner. */
export interface LatticeSquare {
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

export interface PlaneOptions {
  view: ViewName;
  /** How many quarter turns the board is turned to the left: 2 for Black, and in games of four the place in the order of turns. */
  turns: number;
  /** How many repeated places are shown beyond a joined edge. */
  ring: number;
  /** The file and rank at the window's corner, which changes as a torus is scrolled. */
  origin: LatticeSquare;
  /** How many hidden places beyond the rings are drawn, so that a torus can be scrolled. */
  margin: number;
  /**
   * By square number, the step from its place in the window to the place in the ring that counts as its own. It
   * keeps a camp together where the window would cut it.
   */
  shifts?: ReadonlyMap<number, LatticeSquare> | undefined;
}

export const add = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1]];
export const scaled = (a: Point, by: number): Point => [a[0] * by, a[1] * by];
/** The vector after quarter turns to the left. */
export function turned([x, y]: Point, turns: number): Point {
  switch (modulo(turns, 4)) {
    case 1:
      return [y, -x];
    case 2:
      return [-x, -y];
    case 3:
      return [-y, x];
    default:
      return [x, y];
  }
}

export const length = (a: Point): number => Math.hypot(a[0], a[1]);

/** The non-negative remainder. */
export const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** The numbers of the squares by file and rank. */
class SquareIndex {
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

/** The board as one viewer sees it. Immutable: another view is another plane. */
export class Plane {
  readonly board: Board;
  readonly options: PlaneOptions;
  /** One file to the right and one rank up, on the page. */
  readonly file: Point;
  readonly rank: Point;
  /** The corners of a cell around its center. */
  readonly corners: readonly Point[];
  /** Rings beyond the edges of files and of ranks. */
  readonly rings: { files: number; ranks: number };
  readonly #base: Point;
  readonly #index: SquareIndex;
  #bounds: Box | null = null;
  #periods: LatticeSquare[] | null = null;

  /** Reuses the tables of `previous`, a plane of the same board. */
  constructor(board: Board, options: PlaneOptions, previous: Plane | null = null) {
    this.board = board;
    this.options = options;
    const view: View = board.views[options.view];
    const turn = (vector: Point): Point => turned(vector, options.turns);
    this.file = turn(view.file);
    this.rank = turn(view.rank);
    this.corners = view.corners.map(turn);
    this.rings = {
      files: board.wraps.files ? options.ring : 0,
      ranks: board.wraps.ranks ? options.ring : 0,
    };
    this.#index = previous?.board === board ? previous.#index : new SquareIndex(board);
    // The window of a torus is full wherever it is scrolled.
    if (previous && this.isScrolledFrom(previous)) this.#bounds = previous.#bounds;
    const square = board.squares[0];
    const center = view.centers[0];
    if (!square || !center) throw new Error("expected a board with squares, found none");
    // Around the middle of the view, which may be wider than high.
    const [x, y] = turn([center[0] - view.width / 2, center[1] - view.height / 2]);
    const isUpright = modulo(options.turns, 2) === 0;
    const middle: Point = isUpright ? [view.width / 2, view.height / 2] : [view.height / 2, view.width / 2];
    const first = add(middle, [x, y]);
    this.#base = add(first, add(scaled(this.file, -square.file), scaled(this.rank, -square.rank)));
  }

  /** How many hidden places beyond the rings are drawn. */
  get margin(): number {
    return this.wrapped ? this.options.margin : 0;
  }

  /** Whether the two planes differ at most by their origins. */
  isScrolledFrom(other: Plane): boolean {
    const [one, two] = [this.options, other.options];
    return (
      this.board === other.board &&
      one.view === two.view &&
      one.turns === two.turns &&
      one.ring === two.ring &&
      one.margin === two.margin
    );
  }

  /** Whether the cells are hexagons. */
  get hasHexagons(): boolean {
    return this.corners.length === 6;
  }

  get wrapped(): boolean {
    return this.board.wraps.files || this.board.wraps.ranks;
  }

  /** The center of a place, which may be fractional or outside the window. */
  center(place: LatticeSquare): Point {
    return add(this.#base, this.step(place));
  }

  /** The vector on the page of a step in files and ranks. */
  step(by: LatticeSquare): Point {
    return add(scaled(this.file, by.file), scaled(this.rank, by.rank));
  }

  /** The step in files and ranks of a vector on the page. */
  lattice(step: Point): LatticeSquare {
    const [fx, fy] = this.file;
    const [rx, ry] = this.rank;
    const area = fx * ry - fy * rx;
    return { file: (step[0] * ry - step[1] * rx) / area, rank: (step[1] * fx - step[0] * fy) / area };
  }

  /** The square at a place; null for holes and beyond the edges. */
  squareAt(place: LatticeSquare): number | null {
    const { files, ranks, wraps } = this.board;
    let file = place.file + this.options.origin.file;
    let rank = place.rank + this.options.origin.rank;
    if (wraps.files) file = modulo(file, files);
    if (wraps.ranks) rank = modulo(rank, ranks);
    if (file < 0 || rank < 0 || file >= files || rank >= ranks) return null;
    return this.#index.at(file, rank);
  }

  /** The color of a square. */
  shade(square: number): Shade {
    return this.board.views[this.options.view].shades?.[square] ?? (this.board.squares[square]?.dark ? "dark" : "light");
  }

  /** The square's own place: in the window, or in the ring if it is shifted. */
  placeOf(square: number): LatticeSquare {
    const place = this.#windowPlace(square);
    const shift = this.options.shifts?.get(square);
    return shift ? { file: place.file + shift.file, rank: place.rank + shift.rank } : place;
  }

  #windowPlace(square: number): LatticeSquare {
    const { files, ranks, wraps, squares } = this.board;
    const at = squares[square];
    if (!at) throw new Error(`expected a square of the board, found number ${square}`);
    const file = at.file - this.options.origin.file;
    const rank = at.rank - this.options.origin.rank;
    return { file: wraps.files ? modulo(file, files) : file, rank: wraps.ranks ? modulo(rank, ranks) : rank };
  }

  /** Whether the place repeats a square whose own place is elsewhere. */
  isRepeat(place: LatticeSquare): boolean {
    const square = this.squareAt(place);
    if (square === null) {
      const { file, rank } = place;
      return file < 0 || rank < 0 || file >= this.board.files || rank >= this.board.ranks;
    }
    const own = this.placeOf(square);
    return own.file !== place.file || own.rank !== place.rank;
  }

  /** Whether the place is in the window, its rings, or at most `margin` beyond them. */
  isVisible({ file, rank }: LatticeSquare, margin = 0): boolean {
    const files = this.rings.files + (this.board.wraps.files ? margin : 0);
    const ranks = this.rings.ranks + (this.board.wraps.ranks ? margin : 0);
    return (
      file >= -files && rank >= -ranks && file < this.board.files + files && rank < this.board.ranks + ranks
    );
  }

  /** Every place of the window, its rings, and `margin` beyond them. */
  places(margin = 0): LatticeSquare[] {
    const files = this.rings.files + (this.board.wraps.files ? margin : 0);
    const ranks = this.rings.ranks + (this.board.wraps.ranks ? margin : 0);
    const places: LatticeSquare[] = [];
    for (let rank = -ranks; rank < this.board.ranks + ranks; rank += 1) {
      for (let file = -files; file < this.board.files + files; file += 1) places.push({ file, rank });
    }
    return places;
  }

  /** All places that show a square: its own first, then its repetitions. */
  copies(square: number, margin = 0): LatticeSquare[] {
    const own = this.placeOf(square);
    const copies = [own];
    this.#periods ??= this.#periodSteps();
    for (const step of this.#periods) {
      const place = { file: own.file + step.file, rank: own.rank + step.rank };
      if (this.isVisible(place, margin)) copies.push(place);
    }
    return copies;
  }

  /** The repetitions of a place, visible or not: one period away in each joined direction. */
  repeats(place: LatticeSquare): LatticeSquare[] {
    this.#periods ??= this.#periodSteps();
    return this.#periods.map((step) => ({ file: place.file + step.file, rank: place.rank + step.rank }));
  }

  #periodSteps(): LatticeSquare[] {
    const { files, ranks, wraps } = this.board;
    const fileSteps = wraps.files ? [0, -files, files] : [0];
    const rankSteps = wraps.ranks ? [0, -ranks, ranks] : [0];
    return fileSteps.flatMap((file) => rankSteps.map((rank) => ({ file, rank }))).slice(1);
  }

  /** The visible place whose cell contains the point: that with the nearest center. */
  placeAt(point: Point): LatticeSquare | null {
    const fractional = this.lattice([point[0] - this.#base[0], point[1] - this.#base[1]]);
    const [file, rank] = [Math.floor(fractional.file), Math.floor(fractional.rank)];
    const around = [0, 1].flatMap((right) => [0, 1].map((up) => ({ file: file + right, rank: rank + up })));
    const distance = (place: LatticeSquare): number => {
      const [x, y] = this.center(place);
      return Math.hypot(point[0] - x, point[1] - y);
    };
    const place = around.reduce((best, next) => (distance(next) < distance(best) ? next : best));
    return this.isVisible(place) ? place : null;
  }

  /** The corners of the window with its rings and `margin` beyond them: a parallelogram on the page. */
  outline(margin = 0): Point[] {
    const files = this.rings.files + margin;
    const ranks = this.rings.ranks + margin;
    const [left, right] = [-files - 0.5, this.board.files + files - 0.5];
    const [low, high] = [-ranks - 0.5, this.board.ranks + ranks - 0.5];
    return [
      this.center({ file: left, rank: low }),
      this.center({ file: right, rank: low }),
      this.center({ file: right, rank: high }),
      this.center({ file: left, rank: high }),
    ];
  }

  /** The rectangle around all visible cells. */
  bounds(): Box {
    this.#bounds ??= this.#measure();
    return this.#bounds;
  }

  #measure(): Box {
    const visible = this.places().filter((place) => this.wrapped || this.squareAt(place) !== null);
    return boxOf(visible.flatMap((place) => this.polygon(place)));
  }

  /** The corners of the place's cell, scaled around its center. */
  polygon(place: LatticeSquare, scale = 1): Point[] {
    const center = this.center(place);
    return this.corners.map((corner) => add(center, scaled(corner, scale)));
  }
}

export function boxOf(points: readonly Point[]): Box {
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}
