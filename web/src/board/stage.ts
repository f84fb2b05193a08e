/**
 * The layers of a board and how they lie on the page: the sheet of cells, marks, pieces and arrows that a torus
 * scrolls within its window, and what stays above it. Not here: what they show.
 */
import { Arrows } from "./arrows.ts";
import { Cells, labelSize, pageBox } from "./cells.ts";
import type { Box, Place, Plane } from "./geometry.ts";
import { Marks } from "./marks.ts";
import { Pieces } from "./pieces.ts";
import { PromisedPiece } from "./promised.ts";
import { Pictures } from "./sprite.ts";
import { stand } from "./stand.ts";
import { html, put, svg, UNIT } from "./svg.ts";
import type { Point } from "./types.ts";

/** The largest letters of coordinates, in pixels. */
const LABEL_PX = 14;

export class Stage {
  readonly pictures = new Pictures();
  readonly cells = new Cells();
  readonly marks = new Marks();
  readonly pieces = new Pieces(this.pictures, this);
  readonly promised = new PromisedPiece();
  readonly arrows = new Arrows();
  readonly frame = html("div", { class: "frame" });
  readonly #window = html("div", { class: "window" });
  readonly #sheet = html("div", { class: "sheet" });
  readonly #drawings: SVGSVGElement[];
  #page: Box = { left: 0, top: 0, width: 1, height: 1 };
  #plane: Plane | null = null;
  #labeled = false;
  readonly #resized = new ResizeObserver(() => this.#sizeLabels());

  constructor() {
    const ground = svg("svg", { class: "ground", "aria-hidden": "true" }, [this.cells.group]);
    const play = svg("svg", { class: "play", "aria-hidden": "true" }, [
      this.pictures.definitions,
      this.marks.group,
      this.pieces.group,
      this.promised.group,
      this.arrows.group,
    ]);
    const still = svg("svg", { class: "above", "aria-hidden": "true" }, [this.cells.still]);
    this.#drawings = [ground, play, still];
    this.#sheet.append(ground, play, this.pieces.movers.element);
    this.#window.append(this.#sheet);
    this.frame.append(this.#window, still);
  }

  /** The rectangle of the page that the frame shows, in cell sides. */
  get page(): Box {
    return this.#page;
  }

  get aspect(): number {
    return this.#page.width / this.#page.height;
  }

  /** Watches the frame's size while the board is on a page. */
  watch(on: boolean): void {
    if (on) this.#resized.observe(this.frame);
    else this.#resized.disconnect();
  }

  /** Coordinates fill their room on a phone and stay small on a large board. */
  #sizeLabels(): void {
    if (!this.#plane) return;
    const most = (LABEL_PX / Math.max(this.scale(), 1)) * UNIT;
    const size = Math.min(labelSize(this.#plane) * UNIT, most);
    this.frame.style.setProperty("--label", `${size.toFixed(1)}px`);
  }

  /** Lays the layers out for a plane and draws its cells. */
  lay(plane: Plane, labeled: boolean): void {
    const scrolled = this.#plane?.isScrolled(plane) === true && labeled === this.#labeled;
    this.#plane = plane;
    this.#labeled = labeled;
    if (!scrolled) this.#measure(plane, labeled);
    this.cells.draw(plane, labeled);
    if (labeled && !scrolled) this.#sizeLabels();
  }

  #measure(plane: Plane, labeled: boolean): void {
    this.#page = pageBox(plane, labeled);
    const { left, top, width, height } = this.#page;
    const box = [left, top, width, height].map((value) => Math.round(value * UNIT * 100) / 100).join(" ");
    for (const drawing of this.#drawings) put(drawing, "viewBox", box);
    this.frame.style.aspectRatio = `${width} / ${height}`;
    this.frame.classList.toggle("endless", plane.wrapped);
    this.#window.style.clipPath =
      plane.rings.files + plane.rings.ranks + plane.beyond > 0 ? this.#clip(plane) : "";
  }

  /** The window and its ring; what is scrolled out of it is not seen. */
  #clip(plane: Plane): string {
    const corners = plane.outline().map(([x, y]) => {
      const left = ((x - this.#page.left) / this.#page.width) * 100;
      const top = ((y - this.#page.top) / this.#page.height) * 100;
      return `${left.toFixed(3)}% ${top.toFixed(3)}%`;
    });
    return `polygon(${corners.join(", ")})`;
  }

  /** Shows the sheet off its places by a fraction: a torus on the way. */
  offset(rest: Place): void {
    if (!this.#plane) return;
    const [x, y] = this.#plane.step(rest);
    const off = rest.file !== 0 || rest.rank !== 0;
    const share = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(4)}%`;
    this.#sheet.style.transform = off
      ? `translate3d(${share(x, this.#page.width)}, ${share(y, this.#page.height)}, 0)`
      : "";
  }

  set scrolling(on: boolean) {
    this.frame.classList.toggle("scrolling", on);
  }

  /** Pixels for one cell side. */
  scale(): number {
    return this.frame.getBoundingClientRect().width / this.#page.width;
  }

  /** The size of a piece's picture in pixels. */
  pieceSize(): number {
    return this.#plane ? stand(this.#plane.corners).size * this.scale() : 0;
  }

  /** From a point of the browser's window to the page, in cell sides. */
  toBoard([x, y]: Point): Point {
    const box = this.frame.getBoundingClientRect();
    const scale = box.width / this.#page.width;
    return [(x - box.left) / scale + this.#page.left, (y - box.top) / scale + this.#page.top];
  }

  /** From the page to the frame, in pixels. */
  toFrame([x, y]: Point): Point {
    const scale = this.scale();
    return [(x - this.#page.left) * scale, (y - this.#page.top) * scale];
  }
}
