/**
 * The choice between moves that share from and to: what a piece becomes, or which part of a compound goes.
 * Offers exactly the moves that it is given. Not here: which those are.
 */
import type { Option } from "./destinations.ts";
import { html, svg } from "./svg.ts";
import type { Board, Piece, Point, Role } from "./types.ts";

export interface Choice {
  suffix: string;
  role: Role;
}

/** What suffixes stand for: the role of that letter; without suffix the piece as it is. Worth most first. */
export function choices(board: Board, piece: Piece, suffixes: readonly string[]): Choice[] {
  const found = suffixes.flatMap((suffix) => {
    const role =
      suffix === ""
        ? board.roles.find((known) => known.id === piece.role)
        : board.roles.find((known) => known.letter.toLowerCase() === suffix);
    return role ? [{ suffix, role }] : [];
  });
  const value = ({ suffix, role }: Choice): number => (suffix === "" ? Number.MAX_VALUE : (role.value ?? 0));
  return found.sort((one, other) => value(other) - value(one));
}

export const suffixesOf = (options: readonly Option[]): string[] => options.map((option) => option.suffix);

/** Between the cell and the choice, in pixels. */
const GAP = 4;

export interface ChooserTexts {
  choose: string;
  whole: string;
}

export class Chooser {
  readonly element = html("div", { class: "chooser", role: "dialog", "aria-modal": "false" });
  #done: ((suffix: string | null) => void) | null = null;

  constructor() {
    this.element.hidden = true;
    this.element.addEventListener("keydown", (event) => this.#key(event));
    // A press beside the buttons is neither a choice nor a move.
    this.element.addEventListener("pointerdown", (event) => event.stopPropagation());
  }

  get isOpen(): boolean {
    return this.#done !== null;
  }

  /** Asks; resolves to the suffix, or to null when the user turns away. */
  ask(
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
      const part = offered.some((other) => other.suffix === "");
      const name = part && suffix === "" ? texts.whole.replace("{role}", role.name) : role.name;
      const caption = html("span", {}, [name]);
      const button = html("button", { type: "button", "data-suffix": suffix }, [picture, caption]);
      button.addEventListener("click", () => this.#finish(suffix));
      // One choice is marked at a time: the mouse moves the focus instead of marking a second one.
      button.addEventListener("pointermove", () => button.focus({ preventScroll: true }));
      return button;
    });
    this.element.replaceChildren(...buttons);
    this.element.hidden = false;
    return new Promise((resolve) => {
      this.#done = resolve;
      buttons[0]?.focus();
    });
  }

  /**
   * Stands it below the cell at a point of the frame, or above it where there is no room: the target stays in sight.
   * `reach` is half the height of the cell; all in pixels.
   */
  stand([x, y]: Point, reach: number, frame: { width: number; height: number }): void {
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = Math.max(0, Math.min(x - width / 2, frame.width - width));
    const below = y + reach + GAP;
    const top = below + height <= frame.height ? below : y - reach - GAP - height;
    this.element.style.left = `${left}px`;
    this.element.style.top = `${top}px`;
  }

  close(): void {
    this.#finish(null);
  }

  #finish(suffix: string | null): void {
    const done = this.#done;
    this.#done = null;
    this.element.hidden = true;
    done?.(suffix);
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
