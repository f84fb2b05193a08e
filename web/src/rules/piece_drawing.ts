/** A piece alone on a board with its moves: the part of the board around it, so that squares and marks are large enough. */
import type { Board, Color, LozBoard, Point } from "../board/index.ts";
import type { Plane } from "../board/geometry.ts";
import type { ViewName } from "../board/types.ts";
import { element } from "../common/page.ts";
import { boardColors, sprite } from "../common/settings.ts";
import { type Diagram, marksOf, reachedSquares } from "./diagram.ts";

/** How much of the board is seen, in cell sides: at least, and at most, for pieces that go far. */
const MIN_SPAN = 5.6;
const MAX_SPAN = 9.2;
/** Beyond the center of the farthest square, in cell sides. */
const MARGIN = 0.8;

export interface DrawnPiece {
  role: string;
  color: Color;
  square: number;
  view: ViewName;
  turns: number;
}

/** How much of the board is to be seen around a point, so that these points are in it. */
export function spanAround([x, y]: Point, points: readonly Point[]): number {
  const farthest = Math.max(0, ...points.map(([otherX, otherY]) => Math.max(Math.abs(otherX - x), Math.abs(otherY - y))));
  return Math.max(MIN_SPAN, Math.min(2 * (farthest + MARGIN), MAX_SPAN));
}

/** The start of a span with the point in its middle, moved so that the span stays within the length if it fits. */
export function beginAround(point: number, span: number, [begin, length]: readonly [begin: number, length: number]): number {
  if (span >= length) return begin - (span - length) / 2;
  return Math.max(begin, Math.min(point - span / 2, begin + length - span));
}

/** The square half a board away, at which a board without edges begins so that a square is in its middle; none with edges. */
export function opposite(board: Board, square: number): number | null {
  const { files, ranks, wraps, squares } = board;
  const own = squares[square];
  if (!own || (!wraps.files && !wraps.ranks)) return null;
  const half = (at: number, period: number, isJoined: boolean): number => (isJoined ? (at + Math.ceil(period / 2)) % period : at);
  const [file, rank] = [half(own.file, files, wraps.files), half(own.rank, ranks, wraps.ranks)];
  const found = squares.findIndex((other) => other.file === file && other.rank === rank);
  return found < 0 ? null : found;
}

/** The center of a square; of its repetition that is nearest, on a board without edges. */
function nearestCenter(plane: Plane, square: number, [x, y]: Point): Point {
  const places = [plane.placeOf(square), ...plane.repeats(plane.placeOf(square))];
  const distance = (center: Point): number => Math.hypot(center[0] - x, center[1] - y);
  return places.map((place) => plane.center(place)).reduce((best, center) => (distance(center) < distance(best) ? center : best));
}

export class PieceDrawing {
  readonly #board: LozBoard = element("loz-board", { static: true, ring: "0" });
  readonly element = element("div", { class: "piece-drawing", "aria-hidden": "true" }, this.#board);

  /** Shows a piece; its element must be on the page. */
  async show(geometry: Board, { role, color, square, view, turns }: DrawnPiece, diagram: Diagram): Promise<void> {
    const board = this.#board;
    board.setAttribute("theme", boardColors());
    board.sprite = sprite();
    board.animation = 0;
    board.board = geometry;
    const begin = opposite(geometry, square);
    // The board begins at the white pieces of its start.
    board.start = begin === null ? [] : [{ square: begin, role, color: "white" }];
    board.view = view;
    board.turns = turns;
    board.pieces = [{ square, role, color }];
    board.marks = marksOf(diagram, square);
    await board.updated;
    this.#crop(square, reachedSquares(diagram));
  }

  /** Enlarges the board so that the element shows the part around the piece. */
  #crop(square: number, reached: readonly number[]): void {
    const { plane, layers } = this.#board;
    if (!plane) return;
    const { page } = layers;
    const [x, y] = plane.center(plane.placeOf(square));
    const span = spanAround([x, y], reached.map((other) => nearestCenter(plane, other, [x, y])));
    const percent = (length: number): string => `${((length / span) * 100).toFixed(2)}%`;
    const { style } = this.#board;
    style.width = percent(page.width);
    style.left = percent(page.left - beginAround(x, span, [page.left, page.width]));
    style.top = percent(page.top - beginAround(y, span, [page.top, page.height]));
  }
}
