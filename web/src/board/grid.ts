/**
 * The board for keyboards and screen readers: one focusable cell for each square, in rows by rank, one of them in
 * the tab order; and a live region. Not here: labels (`descriptions`) and where keys lead (`keyboard`).
 */
import type { Box, Plane } from "./geometry.ts";
import { html, setIfChanged } from "./svg.ts";

export class Grid {
  readonly element = html("div", { class: "grid", role: "grid" });
  readonly liveRegion = html("div", { class: "live-region", "aria-live": "polite", role: "status" });
  #cells: HTMLElement[] = [];
  #focused = 0;
  /** False until the cells of a new board are labeled. */
  hasLabels = false;

  /** The square of the cell in the tab order. */
  get focused(): number {
    return this.#focused;
  }

  /** The square of a cell; null for another element. */
  squareOf(target: EventTarget | null): number | null {
    const square = this.#cells.indexOf(target as HTMLElement);
    return square < 0 ? null : square;
  }

  /** Creates the cells of a board; the first focus is on the square `focused`. */
  build(plane: Plane, focused: number): void {
    const rows: HTMLElement[] = [];
    this.#cells = plane.board.squares.map(() => html("div", { role: "gridcell", tabindex: "-1" }));
    for (let rank = plane.board.ranks - 1; rank >= 0; rank -= 1) {
      const cells = this.#cells.filter((_, square) => plane.board.squares[square]?.rank === rank);
      if (cells.length > 0) rows.push(html("div", { role: "row" }, cells));
    }
    this.element.replaceChildren(...rows);
    this.#focused = -1;
    this.hasLabels = false;
    this.setTabStop(focused);
  }

  /** Positions the cells, in percent of the page. */
  place(plane: Plane, page: Box): void {
    const corners = plane.corners;
    const upright = corners.every(([x, y]) => Math.abs(Math.abs(x) - Math.abs(y)) < 1e-6);
    this.element.classList.toggle("turned", !upright && !plane.hasHexagons);
    this.element.classList.toggle("hexagons", plane.hasHexagons);
    this.#cells.forEach((cell, square) => {
      const [x, y] = plane.center(plane.placeOf(square));
      // By their corners: a transform for each cell would slow down scrolling.
      cell.style.left = `${((x - 0.5 - page.left) / page.width) * 100}%`;
      cell.style.top = `${((y - 0.5 - page.top) / page.height) * 100}%`;
      cell.style.width = `${100 / page.width}%`;
      cell.style.height = `${100 / page.height}%`;
    });
  }

  /** Labels every cell; writes only what changed. */
  setLabels(label: (square: number) => string, selected: number | null): void {
    this.hasLabels = true;
    this.#cells.forEach((cell, square) => {
      setIfChanged(cell, "aria-label", label(square));
      setIfChanged(cell, "aria-selected", String(square === selected));
    });
  }

  setLabel(square: number, label: (square: number) => string): void {
    const cell = this.#cells[square];
    if (cell) setIfChanged(cell, "aria-label", label(square));
  }

  setTabStop(square: number): void {
    if (square === this.#focused) return;
    if (this.#focused >= 0) this.#cells[this.#focused]?.setAttribute("tabindex", "-1");
    this.#focused = square;
    this.#cells[square]?.setAttribute("tabindex", "0");
  }

  focus(square: number): void {
    this.setTabStop(square);
    this.#cells[square]?.focus({ preventScroll: true });
  }

  announce(text: string): void {
    // Screen readers do not repeat an unchanged text.
    if (text) this.liveRegion.textContent = this.liveRegion.textContent === text ? `${text}\u00a0` : text;
  }
}
