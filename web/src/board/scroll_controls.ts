/** The buttons that scroll a board without edges, and a hint that can be dismissed. Not here: scrolling. */
import type { Plane } from "./geometry.ts";
import { load, store } from "./storage.ts";
import { html, svg } from "./svg.ts";
import type { Texts } from "./texts.ts";
import { scrollStep } from "./torus.ts";
import type { Point } from "./types.ts";

const HINT_KEY = "lozenge.torus-hint";

export const isHintDismissed = (): boolean => load(HINT_KEY) === "seen";

export const dismissHint = (): void => store(HINT_KEY, "seen");

/** The hint for this device: touch or mouse. */
export const hintText = (texts: Texts): string =>
  matchMedia("(pointer: coarse)").matches ? texts.hint_touch : texts.hint;

const BUTTONS: readonly { name: string; path: string; text: keyof Texts; direction: Point | null }[] = [
  { name: "left", path: "M14 5l-7 7 7 7", text: "scroll_left", direction: [1, 0] },
  { name: "up", path: "M5 14l7-7 7 7", text: "scroll_up", direction: [0, 1] },
  {
    name: "center",
    path: "M12 2.5v4M12 17.5v4M2.5 12h4M17.5 12h4M7 12a5 5 0 1 0 10 0a5 5 0 1 0 -10 0",
    text: "recenter",
    direction: null,
  },
  { name: "down", path: "M5 10l7 7 7-7", text: "scroll_down", direction: [0, -1] },
  { name: "right", path: "M10 5l7 7-7 7", text: "scroll_right", direction: [-1, 0] },
];

export class ScrollControls {
  readonly element = html("div", { class: "scroll-buttons", role: "group" });
  readonly hint = html("div", { class: "hint", part: "hint", role: "note" });

  /** `scroll` receives the direction in which the picture moves; null for the start. */
  build(texts: Texts, scroll: (direction: Point | null) => void): void {
    const buttons = BUTTONS.map(({ name, path, text, direction }) => {
      const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, [svg("path", { d: path })]);
      const label = texts[text];
      const button = html(
        "button",
        { type: "button", "data-scroll": name, "aria-label": label, title: label },
        [icon],
      );
      button.addEventListener("click", () => scroll(direction));
      return button;
    });
    this.element.replaceChildren(...buttons);
    const dismiss = html("button", { type: "button" }, [texts.hint_ok]);
    dismiss.addEventListener("click", () => {
      dismissHint();
      this.hint.hidden = true;
    });
    this.hint.replaceChildren(html("span", {}, [hintText(texts)]), dismiss);
  }

  /** Shows the controls that the board needs: none without joined edges. */
  show(plane: Plane | null): void {
    const isTorus = plane?.wrapped ?? false;
    this.element.hidden = !isTorus;
    this.hint.hidden = !isTorus || isHintDismissed();
    if (!plane || !isTorus) return;
    // A diamond leaves the corners of the page free.
    this.element.classList.toggle("corner", plane.options.view === "diamond");
    for (const { name, direction } of BUTTONS) {
      const button = this.element.querySelector<HTMLElement>(`[data-scroll="${name}"]`);
      const step = direction ? scrollStep(plane, direction) : null;
      const { files, ranks } = plane.board.wraps;
      if (button && step) button.hidden = !((files && step.file !== 0) || (ranks && step.rank !== 0));
    }
  }
}
