/**
 * The layers of a board and their layout: the scrolling layer of cells, marks, pieces and arrows, and the fixed layer
 * above it. Not here: their contents.
 */
import { Arrows } from "./arrows.ts";
import { Cells, labelSize, pageBox } from "./cells.ts";
import type { Box, LatticeSquare, Plane } from "./geometry.ts";
import { PremoveGhost } from "./ghosts.ts";
import { Marks } from "./marks.ts";
import { Pieces } from "./pieces.ts";
import { pieceSize } from "./piece_size.ts";
import { Pictures } from "./sprite.ts";
import { html, setIfChanged, svg, UNIT } from "./svg.ts";
import type { Point } from "./types.ts";

/** The largest letters of coordinates, in pixels. */
const LABEL_PX = 14;

export class Layers {
  readonly pictures = new Pictures();
  readonly cells = new Cells();
  readonly marks = new Marks();
  readonly pieces = new Pieces(this.pictures, this);
  readonly premoveGhost = new PremoveGhost();
  readonly arrows = new Arrows();
  readonly frame = html("div", { class: "frame" });
  readonly #viewport = html("div", { class: "viewport" });
  readonly #scrolled = html("div", { class: "scrolled" });
  readonly #drawings: SVGSVGElement[];
  #page: Box = { left: 0, top: 0, width: 1, height: 1 };
  #plane: Plane | null = null;
  #labeled = false;
  readonly #resized = new ResizeObserver(() => this.#sizeLabels());

  constructor() {
    const cells = svg("svg", { class: "cells-layer", "aria-hidden": "true" }, [this.cells.group]);
    const pieces = svg("svg", { class: "pieces-layer", "aria-hidden": "true" }, [
      this.pictures.definitions,
      this.marks.group,
      this.pieces.group,
      this.premoveGhost.group,
      this.arrows.group,
    ]);
    const fixed = svg("svg", { class: "fixed-layer", "aria-hidden": "true" }, [this.cells.fixed]);
    this.#drawings = [cells, pieces, fixed];
    this.#scrolled.append(cells, pieces, this.pieces.moving.element);
    this.#viewport.append(this.#scrolled);
    this.frame.append(this.#viewport, fixed);
  }

  /** The drawn groups, lowest first. */
  get groups(): readonly SVGElement[] {
    return [this.cells.group, this.marks.group, this.pieces.group, this.premoveGhost.group, this.arrows.group];
  }

  /** The rectangle that the frame shows, in cell sides. */
  get page(): Box {
    return this.#page;
  }

  get aspect(): number {
    return this.#page.width / this.#page.height;
  }

  /** Adapts coordinates to the frame's size while the board is on a page. */
  observeSize(on: boolean): void {
    if (on) this.#resized.observe(this.frame);
    else this.#resized.disconnect();
  }

  /** Coordinates fill their space on a phone and stay small on a large board. */
  #sizeLabels(): void {
    if (!this.#plane) return;
    const maximum = (LABEL_PX / Math.max(this.scale(), 1)) * UNIT;
    const size = Math.min(labelSize(this.#plane) * UNIT, maximum);
    this.frame.style.setProperty("--label", `${size.toFixed(1)}px`);
  }

  /** Lays out the layers for a plane and draws its cells. */
  layOut(plane: Plane, labeled: boolean): void {
    const scrolled = this.#plane?.isScrolledFrom(plane) === true && labeled === this.#labeled;
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
    for (const drawing of this.#drawings) setIfChanged(drawing, "viewBox", box);
    this.frame.style.aspectRatio = `${width} / ${height}`;
    this.frame.classList.toggle("endless", plane.wrapped);
    this.#viewport.style.clipPath =
      plane.rings.files + plane.rings.ranks + plane.margin > 0 ? this.#clip(plane) : "";
  }

  /** The clip path of the window and its ring. */
  #clip(plane: Plane): string {
    const corners = plane.outline().map(([x, y]) => {
      const left = ((x - this.#page.left) / this.#page.width) * 100;
      const top = ((y - this.#page.top) / this.#page.height) * 100;
      return `${left.toFixed(3)}% ${top.toFixed(3)}%`;
    });
    return `polygon(${corners.join(", ")})`;
  }

  /** Shifts the scrolled layer by a fraction of a square. */
  setOffset(fraction: LatticeSquare): void {
    if (!this.#plane) return;
    const [x, y] = this.#plane.step(fraction);
    const isShifted = fraction.file !== 0 || fraction.rank !== 0;
    const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(4)}%`;
    this.#scrolled.style.transform = isShifted
      ? `translate3d(${percent(x, this.#page.width)}, ${percent(y, this.#page.height)}, 0)`
      : "";
  }

  set scrolling(on: boolean) {
    this.frame.classList.toggle("scrolling", on);
  }

  /** The pixels of one cell side. */
  scale(): number {
    return this.frame.getBoundingClientRect().width / this.#page.width;
  }

  /** The size of a piece's picture in pixels. */
  piecePixels(): number {
    return this.#plane ? pieceSize(this.#plane.corners).size * this.scale() : 0;
  }

  /** Converts a point of the browser's window to cell sides. */
  toBoard([x, y]: Point): Point {
    const box = this.frame.getBoundingClientRect();
    const scale = box.width / this.#page.width;
    return [(x - box.left) / scale + this.#page.left, (y - box.top) / scale + this.#page.top];
  }

  /** Converts a point in cell sides to pixels of the frame. */
  toFrame([x, y]: Point): Point {
    const scale = this.scale();
    return [(x - this.#page.left) * scale, (y - this.#page.top) * scale];
  }
}
