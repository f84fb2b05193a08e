/** The buttons that scroll a board without edge, and the hint that explains it once. Not here: scrolling. */

import type { Plane } from "./geometry.ts";
import { remember, remembered } from "./sounds.ts";
import { html, svg } from "./svg.ts";
import type { Texts } from "./texts.ts";
import { scrollStep } from "./torus.ts";
import type { Point } from "./types.ts";

const HINT_KEY = "lozenge.torus-hint";

/** Whether the hint has been read. */
export const hintSeen = (): boolean => remembered(HINT_KEY) === "seen";

export const rememberHint = (): void => remember(HINT_KEY, "seen");

/** How a board without an edge is scrolled, by finger or mouse. */
export const hintText = (texts: Texts): string =>
  matchMedia("(pointer: coarse)").matches ? texts.hint_touch : texts.hint;

const BUTTONS: readonly { name: string; path: string; text: keyof Texts; way: Point | null }[] = [
  { name: "left", path: "M14 5l-7 7 7 7", text: "scroll_left", way: [1, 0] },
  { name: "up", path: "M5 14l7-7 7 7", text: "scroll_up", way: [0, 1] },
  {
    name: "center",
    path: "M12 2.5v4M12 17.5v4M2.5 12h4M17.5 12h4M7 12a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",
    text: "recenter",
    way: null,
  },
  { name: "down", path: "M5 10l7 7 7-7", text: "scroll_down", way: [0, -1] },
  { name: "right", path: "M10 5l7 7-7 7", text: "scroll_right", way: [-1, 0] },
];

export class Tools {
  readonly element = html("div", { class: "tools", role: "group" });
  readonly hint = html("div", { class: "hint", part: "hint", role: "note" });

  /** `scroll` is told which way the picture goes; null brings it back. */
  build(texts: Texts, scroll: (way: Point | null) => void): void {
    const buttons = BUTTONS.map(({ name, path, text, way }) => {
      const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, [svg("path", { d: path })]);
      const label = texts[text];
      const button = html(
        "button",
        { type: "button", "data-scroll": name, "aria-label": label, title: label },
        [icon],
      );
      button.addEventListener("click", () => scroll(way));
      return button;
    });
    this.element.replaceChildren(...buttons);
    const understood = html("button", { type: "button" }, [texts.hint_ok]);
    understood.addEventListener("click", () => {
      rememberHint();
      this.hint.hidden = true;
    });
    this.hint.replaceChildren(html("span", {}, [hintText(texts)]), understood);
  }

  /** Shows what a board has need of: nothing where edges end. */
  show(plane: Plane | null): void {
    const wanted = plane?.wrapped ?? false;
    this.element.hidden = !wanted;
    this.hint.hidden = !wanted || hintSeen();
    if (!plane || !wanted) return;
    // A board on its corner leaves corners of the page free.
    this.element.classList.toggle("corner", plane.sight.view === "diamond");
    for (const { name, way } of BUTTONS) {
      const button = this.element.querySelector<HTMLElement>(`[data-scroll="${name}"]`);
      const step = way ? scrollStep(plane, way) : null;
      const { files, ranks } = plane.board.wraps;
      if (button && step) button.hidden = !((files && step.file !== 0) || (ranks && step.rank !== 0));
    }
  }
}
