/**
 * The pieces, one element for every place where a piece is shown. When a torus is scrolled the group of all
 * moves, and of the pieces only those that leave on one side and come in on the other. Not here: which pieces
 * there are, who may move them, or how one looks that is on its way (`movers`).
 */
import { compare, duration } from "./animation.ts";
import { length, type Place, type Plane } from "./geometry.ts";
import { Movers } from "./movers.ts";
import type { Picture, Pictures } from "./sprite.ts";
import { MIDDLE, type Stand, stand } from "./stand.ts";
import { svg, UNIT, units } from "./svg.ts";
import { shortest, shortOf, spans } from "./torus.ts";
import type { Piece, Point } from "./types.ts";

/** More pieces at once are a jump rather than a move: then they are simply there. */
const MOST_MOVING = 32;

/** An element of a piece, and its place as the group counts them. */
interface Seat {
  node: SVGGElement;
  picture: Picture;
  at: Place;
}

interface Shown {
  piece: Piece;
  seats: Seat[];
}

/** How cells become pixels. */
export interface Screen {
  toFrame(point: Point): Point;
  scale(): number;
}

const NOWHERE: Place = { file: 0, rank: 0 };
const same = (a: Place, b: Place): boolean => a.file === b.file && a.rank === b.rank;

export class Pieces {
  readonly group = svg("g", { class: "pieces" });
  readonly movers = new Movers();
  readonly #pictures: Pictures;
  readonly #screen: Screen;
  #shown = new Map<number, Shown>();
  #pieces: readonly Piece[] = [];
  #lifted: number | null = null;
  #stand: Stand = { size: 1, lift: 0 };
  #origin: Place = NOWHERE;
  /** By how much the group stands off its places since the pieces were placed. */
  #shift: Place = NOWHERE;

  constructor(pictures: Pictures, screen: Screen) {
    this.#pictures = pictures;
    this.#screen = screen;
  }

  /** Shows a position at once: for another plane, or the first time. */
  place(plane: Plane, pieces: readonly Piece[]): void {
    this.movers.finish();
    this.#pieces = pieces;
    this.#shown.clear();
    this.#stand = stand(plane.corners);
    this.#origin = plane.sight.origin;
    this.#shift = NOWHERE;
    this.group.style.transform = "";
    for (const piece of pieces) this.#shown.set(piece.square, { piece, seats: this.#seats(plane, piece) });
    this.group.replaceChildren(
      ...[...this.#shown.values()].flatMap(({ seats }) => seats.map((seat) => seat.node)),
    );
    this.#mark();
  }

  /** Shows the same position scrolled: elements are kept, and most are not touched. */
  reseat(plane: Plane): void {
    this.movers.finish();
    const { files, ranks } = plane.board;
    const { file, rank } = plane.sight.origin;
    const moved = {
      file: shortOf(this.#origin.file - file, files),
      rank: shortOf(this.#origin.rank - rank, ranks),
    };
    this.#origin = plane.sight.origin;
    this.#shift = { file: this.#shift.file + moved.file, rank: this.#shift.rank + moved.rank };
    const [x, y] = plane.step(this.#shift);
    this.group.style.transform = `translate(${units(x)}px, ${units(y)}px)`;
    for (const shown of this.#shown.values()) this.#reseatOne(plane, shown);
  }

  #reseatOne(plane: Plane, shown: Shown): void {
    const wanted = plane.copies(shown.piece.square, plane.beyond).map((place) => this.#counted(place));
    const free = shown.seats.filter((seat) => !wanted.some((place) => same(place, seat.at)));
    const missing = wanted.filter((place) => !shown.seats.some((seat) => same(place, seat.at)));
    for (const place of missing) {
      const seat = free.pop();
      if (seat) {
        seat.at = place;
        this.#sit(plane, seat);
      } else {
        const another = this.#seat(plane, shown.piece, this.#uncounted(place));
        shown.seats.push(another);
        this.group.append(another.node);
      }
    }
    for (const seat of free) seat.node.remove();
    shown.seats = shown.seats.filter((seat) => !free.includes(seat));
  }

  /** Goes from the position shown to another; pieces that moved are seen to move, the short way round. */
  change(plane: Plane, pieces: readonly Piece[], last: readonly number[], milliseconds: number): void {
    const distance = (from: number, to: number): number => length(plane.step(shortest(plane, from, to)));
    const change = compare(this.#pieces, pieces, last, distance);
    const moved = change.pieces.filter(({ piece, from }) => from !== piece.square);
    const time = moved.length + change.gone.length > MOST_MOVING ? 0 : duration(milliseconds);
    const before = this.#shown;
    this.#pieces = pieces;
    this.#shown = new Map();
    for (const gone of change.gone) this.#remove(plane, before.get(gone.square), time);
    for (const { piece, from } of change.pieces) {
      const known = from === null ? undefined : before.get(from);
      if (known && from === piece.square && known.piece.role === piece.role && known.piece.color === piece.color) {
        this.#shown.set(piece.square, known);
      } else {
        if (known) this.#clear(plane, known);
        this.#shown.set(piece.square, { piece, seats: this.#arrive(plane, piece, from, time) });
      }
    }
    this.#mark();
  }

  /** The piece that is being dragged stays behind as a shade. */
  lift(square: number | null): void {
    if (square === null && this.#lifted === null) return;
    this.#lifted = square;
    for (const [at, { seats }] of this.#shown) {
      for (const { node } of seats) node.classList.toggle("lifted", at === square);
    }
  }

  /** Pieces that have just come may be the one that is being dragged. */
  #mark(): void {
    if (this.#lifted !== null) this.lift(this.#lifted);
  }

  #arrive(plane: Plane, piece: Piece, from: number | null, time: number): Seat[] {
    const seats = this.#seats(plane, piece);
    for (const { node } of seats) this.group.append(node);
    if (time === 0) return seats;
    for (const { node } of seats) node.classList.add("arriving");
    const arrived = (): void => {
      for (const { node } of seats) node.classList.remove("arriving");
    };
    const ways: (readonly [Place | null, Place])[] =
      from === null
        ? plane.copies(piece.square, plane.beyond).map((place) => [null, place] as const)
        : spans(plane, from, shortest(plane, from, piece.square));
    for (const [start, end] of ways) this.#send(plane, piece, start, end, time, arrived);
    return seats;
  }

  #remove(plane: Plane, shown: Shown | undefined, time: number): void {
    if (!shown) return;
    this.#clear(plane, shown);
    if (time === 0) return;
    for (const { at } of shown.seats) {
      this.#send(plane, shown.piece, this.#uncounted(at), null, time, () => undefined);
    }
  }

  /** Takes a piece off its places, and whatever of it is still on the way there. */
  #clear(plane: Plane, { piece, seats }: Shown): void {
    this.movers.finish(plane.board.squares[piece.square]?.name ?? "");
    for (const { node } of seats) node.remove();
  }

  #send(
    plane: Plane,
    piece: Piece,
    from: Place | null,
    to: Place | null,
    time: number,
    arrived: () => void,
  ): void {
    const scale = this.#screen.scale();
    const size = this.#stand.size * scale;
    const corner = (place: Place | null): Point | null => {
      if (!place) return null;
      const [x, y] = this.#screen.toFrame(plane.center(place));
      return [x - size * MIDDLE[0], y - size * MIDDLE[1] - this.#stand.lift * scale];
    };
    const role = plane.board.roles.find((known) => known.id === piece.role);
    const passage = {
      href: this.#pictures.href(role, piece.color),
      size,
      from: corner(from),
      to: corner(to),
      square: plane.board.squares[piece.square]?.name ?? "",
    };
    this.movers.send(passage, time, arrived);
  }

  #seats(plane: Plane, piece: Piece): Seat[] {
    return plane.copies(piece.square, plane.beyond).map((place) => this.#seat(plane, piece, place));
  }

  #seat(plane: Plane, piece: Piece, place: Place): Seat {
    const role = plane.board.roles.find((known) => known.id === piece.role);
    const picture = this.#pictures.picture(role, piece.color);
    const name = plane.board.squares[piece.square]?.name ?? "";
    const node = svg("g", { class: "piece", "data-square": name }, picture.create());
    const seat = { node, picture, at: this.#counted(place) };
    this.#sit(plane, seat);
    return seat;
  }

  /** Draws a piece where it stands. */
  #sit(plane: Plane, { node, picture, at }: Seat): void {
    const [x, y] = plane.center(at);
    const { size, lift } = this.#stand;
    picture.place(
      node.children,
      units(x - size * MIDDLE[0]),
      units(y - size * MIDDLE[1] - lift),
      size * UNIT,
    );
  }

  /** A place of the window as the group counts it, and back. */
  #counted({ file, rank }: Place): Place {
    return { file: file - this.#shift.file, rank: rank - this.#shift.rank };
  }

  #uncounted({ file, rank }: Place): Place {
    return { file: file + this.#shift.file, rank: rank + this.#shift.rank };
  }
}
