/**
 * The men, one element for every place where a man is shown, moved by transforms. Not here: which men there
 * are, or who may move them.
 */
import { compare, duration } from "./animation.ts";
import { length, type Place, type Plane } from "./geometry.ts";
import type { Pictures } from "./sprite.ts";
import { MIDDLE, type Stand, stand } from "./stand.ts";
import { svg, UNIT, units } from "./svg.ts";
import { shortest, spans } from "./torus.ts";
import type { Man, Point } from "./types.ts";

interface Shown {
  man: Man;
  nodes: SVGGElement[];
}

export class Men {
  readonly group = svg("g", { class: "men" });
  readonly #pictures: Pictures;
  #shown = new Map<number, Shown>();
  #men: readonly Man[] = [];
  #lifted: number | null = null;
  #stand: Stand = { size: 1, lift: 0 };

  constructor(pictures: Pictures) {
    this.#pictures = pictures;
  }

  /** Shows a position at once: for another plane, or the first time. */
  place(plane: Plane, men: readonly Man[]): void {
    this.#men = men;
    this.#shown.clear();
    this.#stand = stand(plane.corners);
    const more = plane.beyond;
    for (const man of men) {
      const nodes = plane.copies(man.square, more).map((place) => this.#node(plane, man, place));
      this.#shown.set(man.square, { man, nodes });
    }
    this.group.replaceChildren(...[...this.#shown.values()].flatMap((shown) => shown.nodes));
    this.lift(this.#lifted);
  }

  /** Shows the same position in another plane of the same view: elements are kept and only moved. */
  reseat(plane: Plane): void {
    const more = plane.beyond;
    for (const shown of this.#shown.values()) {
      const places = plane.copies(shown.man.square, more);
      for (const node of shown.nodes.splice(places.length)) node.remove();
      places.forEach((place, index) => {
        const node = shown.nodes[index];
        if (node) {
          // Asking for animations makes the browser compute styles, so only the moving are asked.
          if (node.classList.contains("moving")) for (const moving of node.getAnimations()) moving.finish();
          node.style.transform = this.#transform(plane.center(place));
        } else {
          const another = this.#node(plane, shown.man, place);
          shown.nodes.push(another);
          this.group.append(another);
        }
      });
    }
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
        for (const node of known?.nodes ?? []) node.remove();
        this.#shown.set(man.square, { man, nodes: this.#arrive(plane, man, from, time) });
      }
    }
    this.lift(this.#lifted);
  }

  /** The man that is being dragged stays behind as a shade. */
  lift(square: number | null): void {
    this.#lifted = square;
    for (const [at, { nodes }] of this.#shown) {
      for (const node of nodes) node.classList.toggle("lifted", at === square);
    }
  }

  /** Draws all pictures anew, after other pictures have come. */
  redraw(plane: Plane): void {
    this.place(plane, this.#men);
  }

  #arrive(plane: Plane, man: Man, from: number | null, time: number): SVGGElement[] {
    const more = plane.beyond;
    if (from === null || time === 0) {
      const nodes = plane.copies(man.square, more).map((place) => this.#node(plane, man, place));
      this.group.append(...nodes);
      if (from === null && time > 0) {
        for (const node of nodes) node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: time });
      }
      return nodes;
    }
    const step = shortest(plane, from, man.square);
    return spans(plane, from, step).map(([start, end]) => {
      const node = this.#node(plane, man, end);
      this.group.append(node);
      const frames = [start, end].map((place) => ({ transform: this.#transform(plane.center(place)) }));
      const moving = node.animate(frames, { duration: time, easing: "cubic-bezier(.3,0,.2,1)" });
      node.classList.add("moving");
      moving.onfinish = () => {
        node.classList.remove("moving");
        if (!plane.isSeen(end, more)) node.remove();
      };
      return node;
    });
  }

  #remove(shown: Shown | undefined, time: number): void {
    for (const node of shown?.nodes ?? []) {
      if (time === 0) {
        node.remove();
        continue;
      }
      const fading = node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: time, fill: "forwards" });
      fading.onfinish = () => node.remove();
    }
  }

  #node(plane: Plane, man: Man, place: Place): SVGGElement {
    const { size, lift } = this.#stand;
    const role = plane.board.roles.find((known) => known.id === man.role);
    const picture = svg("use", {
      href: this.#pictures.href(role, man.color),
      x: units(-size * MIDDLE[0]),
      y: units(-size * MIDDLE[1] - lift),
      width: size * UNIT,
      height: size * UNIT,
    });
    const node = svg("g", { class: "man", "data-square": plane.board.squares[man.square]?.name ?? "" }, [
      picture,
    ]);
    node.style.transform = this.#transform(plane.center(place));
    return node;
  }

  #transform(center: Point): string {
    return `translate(${units(center[0])}px, ${units(center[1])}px)`;
  }
}
