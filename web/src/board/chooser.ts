/**
 * The choice between moves with the same squares: a promotion, or which part of a compound moves. Offers exactly
 * the moves it is given.
 */
import type { MoveOption } from "./destinations.ts";
import { html, svg } from "./svg.ts";
import type { Board, Piece, Point, Role } from "./types.ts";

export interface Choice {
  suffix: string;
  role: Role;
}

/** The roles that suffixes stand for, most valuable first; without a suffix, the piece itself. */
export function choices(board: Board, piece: Piece, suffixes: readonly string[]): Choice[] {
  const options = suffixes.flatMap((suffix) => {
    const role =
      suffix === ""
        ? board.roles.find((role) => role.id === piece.role)
        : board.roles.find((role) => role.letter.toLowerCase() === suffix);
    return role ? [{ suffix, role }] : [];
  });
  const value = ({ suffix, role }: Choice): number => (suffix === "" ? Number.MAX_VALUE : (role.value ?? 0));
  return options.sort((one, other) => value(other) - value(one));
}

export const suffixesOf = (options: readonly MoveOption[]): string[] => options.map((option) => option.suffix);

/** Between the cell and the chooser, in pixels. */
const GAP = 4;

export interface ChooserTexts {
  choose: string;
  whole: string;
}

export class Chooser {
  readonly element = html("div", { class: "chooser", role: "dialog", "aria-modal": "false" });
  #resolve: ((suffix: string | null) => void) | null = null;

  constructor() {
    this.element.hidden = true;
    this.element.addEventListener("keydown", (event) => this.#key(event));
    // A press between the buttons is neither a choice nor a move.
    this.element.addEventListener("pointerdown", (event) => event.stopPropagation());
  }

  get isOpen(): boolean {
    return this.#resolve !== null;
  }

  /** Opens the chooser. Resolves to the chosen suffix, or to null if the user cancels. */
  open(
    offered: readonly Choice[],
    href: (role: Role) => string,
    pixels: number,
    texts: ChooserTexts,
  ): Promise<string | null> {
    this.close();
    this.element.setAttribute("aria-label", texts.choose);
    const size = Math.max(44, Math.min(pixels * 1.1, 76));
    this.element.style.setProperty("--size", `${size}px`);
    const buttons = offered.map(({ suffix, role }) => {
      const picture = svg("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, [
        svg("use", { href: href(role), width: 100, height: 100 }),
      ]);
      const hasParts = offered.some((other) => other.suffix === "");
      const name = hasParts && suffix === "" ? texts.whole.replace("{role}", role.name) : role.name;
      const caption = html("span", {}, [name]);
      const button = html("button", { type: "button", "data-suffix": suffix }, [picture, caption]);
      button.addEventListener("click", () => this.#finish(suffix));
      // The mouse moves the focus, so that only one choice is highlighted.
      button.addEventListener("pointermove", () => button.focus({ preventScroll: true }));
      return button;
    });
    this.element.replaceChildren(...buttons);
    this.element.hidden = false;
    return new Promise((resolve) => {
      this.#resolve = resolve;
      buttons[0]?.focus();
    });
  }

  /**
   * Positions the chooser below the cell at a point of the frame, or above it for lack of space, so that the cell
   * stays visible. `cellRadius` is half the height of the cell; all in pixels.
   */
  moveTo([x, y]: Point, cellRadius: number, frame: { width: number; height: number }): void {
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = Math.max(0, Math.min(x - width / 2, frame.width - width));
    const below = y + cellRadius + GAP;
    const top = below + height <= frame.height ? below : y - cellRadius - GAP - height;
    this.element.style.left = `${left}px`;
    this.element.style.top = `${top}px`;
  }

  close(): void {
    this.#finish(null);
  }

  #finish(suffix: string | null): void {
    const resolve = this.#resolve;
    this.#resolve = null;
    this.element.hidden = true;
    resolve?.(suffix);
  }

  #key(event: KeyboardEvent): void {
    const buttons = [...this.element.querySelectorAll("button")];
    const at = buttons.findIndex((button) => button.matches(":focus"));
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") this.close();
    else if (step !== undefined) buttons[(at + step + buttons.length) % buttons.length]?.focus();
    else if (event.key === "Tab") this.close();
    else {
      const letter = buttons.find((button) => button.dataset.suffix === event.key.toLowerCase());
      if (letter && event.key.length === 1) letter.click();
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
