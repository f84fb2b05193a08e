/**
 * The men, one element for every place where a man is shown, moved by transforms. When a torus is scrolled
 * the group of all moves, and of the men only those that leave on one side and come in on the other.
 * Not here: which men there are, or who may move them.
 */
import { compare, duration } from "./animation.ts";
import { length, type Place, type Plane } from "./geometry.ts";
import type { Pictures } from "./sprite.ts";
import { MIDDLE, type Stand, stand } from "./stand.ts";
import { svg, UNIT, units } from "./svg.ts";
import { shortest, shortOf, spans } from "./torus.ts";
import type { Man } from "./types.ts";

/** An element of a man, and its place as the group counts them. */
interface Seat {
  node: SVGGElement;
  at: Place;
}

interface Shown {
  man: Man;
  seats: Seat[];
}

const NOWHERE: Place = { file: 0, rank: 0 };
const same = (a: Place, b: Place): boolean => a.file === b.file && a.rank === b.rank;

export class Men {
  readonly group = svg("g", { class: "men" });
  readonly #pictures: Pictures;
  #shown = new Map<number, Shown>();
  #men: readonly Man[] = [];
  #lifted: number | null = null;
  #stand: Stand = { size: 1, lift: 0 };
  #origin: Place = NOWHERE;
  /** By how much the group stands off its places since the men were placed. */
  #shift: Place = NOWHERE;

  constructor(pictures: Pictures) {
    this.#pictures = pictures;
  }

  /** Shows a position at once: for another plane, or the first time. */
  place(plane: Plane, men: readonly Man[]): void {
    this.#men = men;
    this.#shown.clear();
    this.#stand = stand(plane.corners);
    this.#origin = plane.sight.origin;
    this.#shift = NOWHERE;
    this.group.style.transform = "";
    for (const man of men) {
      const seats = plane.copies(man.square, plane.beyond).map((place) => this.#seat(plane, man, place));
      this.#shown.set(man.square, { man, seats });
    }
    this.group.replaceChildren(
      ...[...this.#shown.values()].flatMap(({ seats }) => seats.map((seat) => seat.node)),
    );
    this.#mark();
  }

  /** Shows the same position scrolled: elements are kept, and most are not touched. */
  reseat(plane: Plane): void {
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
    const wanted = plane.copies(shown.man.square, plane.beyond).map((place) => this.#counted(place));
    // Of a move across an edge one element went out of sight and is gone.
    shown.seats = shown.seats.filter((seat) => seat.node.isConnected);
    const free = shown.seats.filter((seat) => !wanted.some((place) => same(place, seat.at)));
    const missing = wanted.filter((place) => !shown.seats.some((seat) => same(place, seat.at)));
    for (const place of missing) {
      const seat = free.pop();
      if (seat) {
        for (const moving of seat.node.getAnimations()) moving.finish();
        seat.at = place;
        seat.node.style.transform = this.#transform(plane, place);
      } else {
        const another = this.#seat(plane, shown.man, this.#uncounted(place));
        shown.seats.push(another);
        this.group.append(another.node);
      }
    }
    for (const seat of free) seat.node.remove();
    shown.seats = shown.seats.filter((seat) => !free.includes(seat));
  }

  /** Goes from the position shown to another; men that moved are seen to move, the short way round. */
  change(plane: Plane, men: readonly Man[], last: readonly number[], milliseconds: number): void {
    const time = duration(milliseconds);
    const distance = (from: number, to: number): number => length(plane.step(shortest(plane, from, to)));
    const change = compare(this.#men, men, last, distance);
    const before = this.#shown;
    this.#men = men;
    this.#shown = new Map();
    for (const gone of change.gone) this.#remove(before.get(gone.square), time);
    for (const { man, from } of change.men) {
      const known = from === null ? undefined : before.get(from);
      if (known && from === man.square && known.man.role === man.role && known.man.color === man.color) {
        this.#shown.set(man.square, known);
      } else {
        for (const { node } of known?.seats ?? []) node.remove();
        this.#shown.set(man.square, { man, seats: this.#arrive(plane, man, from, time) });
      }
    }
    this.#mark();
  }

  /** The man that is being dragged stays behind as a shade. */
  lift(square: number | null): void {
    if (square === null && this.#lifted === null) return;
    this.#lifted = square;
    for (const [at, { seats }] of this.#shown) {
      for (const { node } of seats) node.classList.toggle("lifted", at === square);
    }
  }

  /** Men that have just come may be the one that is being dragged. */
  #mark(): void {
    if (this.#lifted !== null) this.lift(this.#lifted);
  }

  #arrive(plane: Plane, man: Man, from: number | null, time: number): Seat[] {
    if (from === null || time === 0) {
      const seats = plane.copies(man.square, plane.beyond).map((place) => this.#seat(plane, man, place));
      for (const { node } of seats) {
        this.group.append(node);
        if (from === null && time > 0) node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: time });
      }
      return seats;
    }
    const step = shortest(plane, from, man.square);
    return spans(plane, from, step).map(([start, end]) => {
      const seat = this.#seat(plane, man, end);
      const { node } = seat;
      this.group.append(node);
      const frames = [start, end].map((place) => ({
        transform: this.#transform(plane, this.#counted(place)),
      }));
      const moving = node.animate(frames, { duration: time, easing: "cubic-bezier(.3,0,.2,1)" });
      node.classList.add("moving");
      moving.onfinish = () => {
        node.classList.remove("moving");
        if (!plane.isSeen(end, plane.beyond)) node.remove();
      };
      return seat;
    });
  }

  #remove(shown: Shown | undefined, time: number): void {
    for (const { node } of shown?.seats ?? []) {
      if (time === 0) {
        node.remove();
        continue;
      }
      const fading = node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: time, fill: "forwards" });
      fading.onfinish = () => node.remove();
    }
  }

  #seat(plane: Plane, man: Man, place: Place): Seat {
    const { size, lift } = this.#stand;
    const role = plane.board.roles.find((known) => known.id === man.role);
    const picture = svg("use", {
      href: this.#pictures.href(role, man.color),
      x: units(-size * MIDDLE[0]),
      y: units(-size * MIDDLE[1] - lift),
      width: size * UNIT,
      height: size * UNIT,
    });
    const name = plane.board.squares[man.square]?.name ?? "";
    const node = svg("g", { class: "man", "data-square": name }, [picture]);
    const at = this.#counted(place);
    node.style.transform = this.#transform(plane, at);
    return { node, at };
  }

  /** A place of the window as the group counts it, and back. */
  #counted({ file, rank }: Place): Place {
    return { file: file - this.#shift.file, rank: rank - this.#shift.rank };
  }

  #uncounted({ file, rank }: Place): Place {
    return { file: file + this.#shift.file, rank: rank + this.#shift.rank };
  }

  #transform(plane: Plane, at: Place): string {
    const [x, y] = plane.center(at);
    return `translate(${units(x)}px, ${units(y)}px)`;
  }
}
