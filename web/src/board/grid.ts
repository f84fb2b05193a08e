/**
 * The board for the keyboard and for those who do not see it: one focusable cell a square, in rows by rank,
 * exactly one of them in the tab order, and a region that announces. Not here: what the names say
 * (`speech`) or where keys lead (`keyboard`).
 */
import type { Box, Plane } from "./geometry.ts";
import { html, put } from "./svg.ts";

export class Grid {
  readonly element = html("div", { class: "grid", role: "grid" });
  readonly live = html("div", { class: "live", "aria-live": "polite", role: "status" });
  #cells: HTMLElement[] = [];
  #at = 0;
  /** Whether the cells have had names yet. */
  isNamed = false;

  /** The square that holds the focus or would get it. */
  get at(): number {
    return this.#at;
  }

  /** The square of an element of the grid. */
  squareOf(target: EventTarget | null): number | null {
    const square = this.#cells.indexOf(target as HTMLElement);
    return square < 0 ? null : square;
  }

  /** Makes the cells of a board; the focus begins where `start` says. */
  build(plane: Plane, start: number): void {
    const rows: HTMLElement[] = [];
    this.#cells = plane.board.squares.map(() => html("div", { role: "gridcell", tabindex: "-1" }));
    for (let rank = plane.board.ranks - 1; rank >= 0; rank -= 1) {
      const cells = this.#cells.filter((_, square) => plane.board.squares[square]?.rank === rank);
      if (cells.length > 0) rows.push(html("div", { role: "row" }, cells));
    }
    this.element.replaceChildren(...rows);
    this.#at = -1;
    this.isNamed = false;
    this.focusable(start);
  }

  /** Puts the cells where they are shown, in parts of the page. */
  place(plane: Plane, page: Box): void {
    const corners = plane.corners;
    const upright = corners.every(([x, y]) => Math.abs(Math.abs(x) - Math.abs(y)) < 1e-6);
    this.element.classList.toggle("turned", !upright);
    this.#cells.forEach((cell, square) => {
      const [x, y] = plane.center(plane.placeOf(square));
      // Their corners, not their middles: a transform for each would be dear in every frame of a scroll.
      cell.style.left = `${((x - 0.5 - page.left) / page.width) * 100}%`;
      cell.style.top = `${((y - 0.5 - page.top) / page.height) * 100}%`;
      cell.style.width = `${100 / page.width}%`;
      cell.style.height = `${100 / page.height}%`;
    });
  }

  /** Names every cell; only what differs is written. */
  name(names: (square: number) => string, selected: number | null): void {
    this.isNamed = true;
    this.#cells.forEach((cell, square) => {
      put(cell, "aria-label", names(square));
      put(cell, "aria-selected", String(square === selected));
    });
  }

  /** Names one cell at once. */
  nameOne(square: number, names: (square: number) => string): void {
    const cell = this.#cells[square];
    if (cell) put(cell, "aria-label", names(square));
  }

  focusable(square: number): void {
    if (square === this.#at) return;
    if (this.#at >= 0) this.#cells[this.#at]?.setAttribute("tabindex", "-1");
    this.#at = square;
    this.#cells[square]?.setAttribute("tabindex", "0");
  }

  focus(square: number): void {
    this.focusable(square);
    this.#cells[square]?.focus({ preventScroll: true });
  }

  announce(text: string): void {
    // The same words twice would not be read twice.
    if (text) this.live.textContent = this.live.textContent === text ? `${text}\u00a0` : text;
  }
}
