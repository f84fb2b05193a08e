/**
 * The pieces, one element for every place where a piece is shown. When a torus is scrolled the whole group
 * moves; only pieces that leave on one side are moved to the other. Not here: which pieces there are, who may
 * move them, or how a piece in motion looks (`moving_pieces`).
 */
import { animationTime, comparePositions } from "./animation.ts";
import { length, type LatticeSquare, type Plane } from "./geometry.ts";
import { MovingPieces } from "./moving_pieces.ts";
import { MIDDLE, type PieceSize, pieceSize } from "./piece_size.ts";
import type { Picture, Pictures } from "./sprite.ts";
import { svg, UNIT, units } from "./svg.ts";
import { shortestStep, visibleSpans, wrapStep } from "./torus.ts";
import type { Piece, Point } from "./types.ts";

/** If more pieces change at once, nothing is animated: it is a jump in the game. */
const MAX_MOVING = 32;

/** An element of a piece, and its place relative to the group. */
interface PieceElement {
  node: SVGGElement;
  picture: Picture;
  place: LatticeSquare;
}

interface RenderedPiece {
  piece: Piece;
  elements: PieceElement[];
}

/** Converts cell sides to pixels. */
export interface PixelScale {
  toFrame(point: Point): Point;
  scale(): number;
}

const ORIGIN: LatticeSquare = { file: 0, rank: 0 };
const isSame = (a: LatticeSquare, b: LatticeSquare): boolean => a.file === b.file && a.rank === b.rank;

export class Pieces {
  readonly group = svg("g", { class: "pieces" });
  readonly moving = new MovingPieces();
  readonly #pictures: Pictures;
  readonly #pixels: PixelScale;
  /** By square. */
  #rendered = new Map<number, RenderedPiece>();
  #pieces: readonly Piece[] = [];
  #dragged: number | null = null;
  #size: PieceSize = { size: 1, lift: 0 };
  #origin: LatticeSquare = ORIGIN;
  /** How far the group was moved since the pieces were placed. */
  #groupShift: LatticeSquare = ORIGIN;

  constructor(pictures: Pictures, pixels: PixelScale) {
    this.#pictures = pictures;
    this.#pixels = pixels;
  }

  /** Shows a position without animation: for another plane, or the first time. */
  place(plane: Plane, pieces: readonly Piece[]): void {
    this.moving.finish();
    this.#pieces = pieces;
    this.#rendered.clear();
    this.#size = pieceSize(plane.corners);
    this.#origin = plane.options.origin;
    this.#groupShift = ORIGIN;
    this.group.style.transform = "";
    for (const piece of pieces) this.#rendered.set(piece.square, { piece, elements: this.#elements(plane, piece) });
    this.group.replaceChildren(
      ...[...this.#rendered.values()].flatMap(({ elements }) => elements.map(({ node }) => node)),
    );
    this.#markDragged();
  }

  /** Shows the same position scrolled. Keeps the elements and leaves most of them as they are. */
  scroll(plane: Plane): void {
    this.moving.finish();
    const { files, ranks } = plane.board;
    const { file, rank } = plane.options.origin;
    const step = {
      file: wrapStep(this.#origin.file - file, files),
      rank: wrapStep(this.#origin.rank - rank, ranks),
    };
    this.#origin = plane.options.origin;
    this.#groupShift = { file: this.#groupShift.file + step.file, rank: this.#groupShift.rank + step.rank };
    const [x, y] = plane.step(this.#groupShift);
    this.group.style.transform = `translate(${units(x)}px, ${units(y)}px)`;
    for (const rendered of this.#rendered.values()) this.#scrollOne(plane, rendered);
  }

  #scrollOne(plane: Plane, rendered: RenderedPiece): void {
    const copies = plane.copies(rendered.piece.square, plane.margin).map((place) => this.#toGroup(place));
    const unused = rendered.elements.filter((element) => !copies.some((place) => isSame(place, element.place)));
    const missing = copies.filter((place) => !rendered.elements.some((element) => isSame(place, element.place)));
    for (const place of missing) {
      const element = unused.pop();
      if (element) {
        element.place = place;
        this.#draw(plane, element);
      } else {
        const added = this.#element(plane, rendered.piece, this.#fromGroup(place));
        rendered.elements.push(added);
        this.group.append(added.node);
      }
    }
    for (const { node } of unused) node.remove();
    rendered.elements = rendered.elements.filter((element) => !unused.includes(element));
  }

  /** Changes to another position and animates the pieces that moved, along the shortest way. */
  change(plane: Plane, pieces: readonly Piece[], last: readonly number[], milliseconds: number): void {
    const distance = (from: number, to: number): number => length(plane.step(shortestStep(plane, from, to)));
    const change = comparePositions(this.#pieces, pieces, last, distance);
    const moved = change.pieces.filter(({ piece, from }) => from !== piece.square);
    const time = moved.length + change.removed.length > MAX_MOVING ? 0 : animationTime(milliseconds);
    const before = this.#rendered;
    this.#pieces = pieces;
    this.#rendered = new Map();
    for (const removed of change.removed) this.#fadeOut(plane, before.get(removed.square), time);
    for (const { piece, from } of change.pieces) {
      const existing = from === null ? undefined : before.get(from);
      if (existing && from === piece.square && existing.piece.role === piece.role && existing.piece.color === piece.color) {
        this.#rendered.set(piece.square, existing);
      } else {
        if (existing) this.#remove(plane, existing);
        this.#rendered.set(piece.square, { piece, elements: this.#appear(plane, piece, from, from === piece.square ? 0 : time) });
      }
    }
    this.#markDragged();
  }

  /** Marks the piece that is being dragged, which stays behind pale. */
  setDragged(square: number | null): void {
    if (square === null && this.#dragged === null) return;
    this.#dragged = square;
    for (const [at, { elements }] of this.#rendered) {
      for (const { node } of elements) node.classList.toggle("dragged", at === square);
    }
  }

  /** New elements may belong to the piece that is being dragged. */
  #markDragged(): void {
    if (this.#dragged !== null) this.setDragged(this.#dragged);
  }

  #appear(plane: Plane, piece: Piece, from: number | null, time: number): PieceElement[] {
    const elements = this.#elements(plane, piece);
    for (const { node } of elements) this.group.append(node);
    if (time === 0) return elements;
    for (const { node } of elements) node.classList.add("arriving");
    const onEnd = (): void => {
      for (const { node } of elements) node.classList.remove("arriving");
    };
    const spans: (readonly [LatticeSquare | null, LatticeSquare])[] =
      from === null
        ? plane.copies(piece.square, plane.margin).map((place) => [null, place] as const)
        : visibleSpans(plane, from, shortestStep(plane, from, piece.square));
    for (const [start, end] of spans) this.#animate(plane, piece, start, end, time, onEnd);
    return elements;
  }

  #fadeOut(plane: Plane, rendered: RenderedPiece | undefined, time: number): void {
    if (!rendered) return;
    this.#remove(plane, rendered);
    if (time === 0) return;
    for (const { place } of rendered.elements) {
      this.#animate(plane, rendered.piece, this.#fromGroup(place), null, time, () => undefined);
    }
  }

  /** Removes a piece's elements, and ends the animation that brought it to its square. */
  #remove(plane: Plane, { piece, elements }: RenderedPiece): void {
    this.moving.finish(plane.board.squares[piece.square]?.name ?? "");
    for (const { node } of elements) node.remove();
  }

  #animate(
    plane: Plane,
    piece: Piece,
    from: LatticeSquare | null,
    to: LatticeSquare | null,
    time: number,
    onEnd: () => void,
  ): void {
    const scale = this.#pixels.scale();
    const size = this.#size.size * scale;
    const corner = (place: LatticeSquare | null): Point | null => {
      if (!place) return null;
      const [x, y] = this.#pixels.toFrame(plane.center(place));
      return [x - size * MIDDLE[0], y - size * MIDDLE[1] - this.#size.lift * scale];
    };
    const role = plane.board.roles.find((role) => role.id === piece.role);
    const movement = {
      href: this.#pictures.href(role, piece.color),
      size,
      from: corner(from),
      to: corner(to),
      square: plane.board.squares[piece.square]?.name ?? "",
    };
    this.moving.start(movement, time, onEnd);
  }

  #elements(plane: Plane, piece: Piece): PieceElement[] {
    return plane.copies(piece.square, plane.margin).map((place) => this.#element(plane, piece, place));
  }

  #element(plane: Plane, piece: Piece, place: LatticeSquare): PieceElement {
    const role = plane.board.roles.find((role) => role.id === piece.role);
    const picture = this.#pictures.picture(role, piece.color);
    const name = plane.board.squares[piece.square]?.name ?? "";
    const node = svg("g", { class: "piece", "data-square": name }, picture.create());
    const element = { node, picture, place: this.#toGroup(place) };
    this.#draw(plane, element);
    return element;
  }

  #draw(plane: Plane, { node, picture, place }: PieceElement): void {
    const [x, y] = plane.center(place);
    const { size, lift } = this.#size;
    picture.place(
      node.children,
      units(x - size * MIDDLE[0]),
      units(y - size * MIDDLE[1] - lift),
      size * UNIT,
    );
  }

  #toGroup({ file, rank }: LatticeSquare): LatticeSquare {
    return { file: file - this.#groupShift.file, rank: rank - this.#groupShift.rank };
  }

  #fromGroup({ file, rank }: LatticeSquare): LatticeSquare {
    return { file: file + this.#groupShift.file, rank: rank + this.#groupShift.rank };
  }
}
