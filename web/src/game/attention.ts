/**
 * Alerts a player in another window or tab that it is their turn: the title blinks, the icon has a badge, and a sound is
 * played once. Not here: whose turn it is.
 */
import { play } from "../board/sounds.ts";

const BLINK_MS = 1000;
const ICON = 'link[rel~="icon"]';

/** The site's icon with a dot at its upper right, as a data URL. */
async function badged(icon: string): Promise<string> {
  const text = await (await fetch(icon)).text();
  const [, , width = 0] = (/viewBox="([-\d. ]+)"/.exec(text)?.[1] ?? "0 0 64 64").split(" ").map(Number);
  const [middle, radius] = [width * 0.74, width * 0.26];
  const dot = `<circle cx="${middle}" cy="${width - middle}" r="${radius}" fill="#d21f3c" stroke="#fff" stroke-width="${width * 0.04}"/>`;
  return `data:image/svg+xml,${encodeURIComponent(text.replace("</svg>", `${dot}</svg>`))}`;
}

export class Attention {
  #title = document.title;
  #call = "";
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #icon = document.querySelector<HTMLLinkElement>(ICON);
  readonly #plain = this.#icon?.href ?? "";
  #badge: Promise<string> | null = null;
  readonly #stop = new AbortController();

  constructor() {
    document.addEventListener("visibilitychange", () => this.#show(), { signal: this.#stop.signal });
  }

  /** Sets the title, and the alert that alternates with it while the page is hidden; empty for no alert. */
  set(title: string, call: string): void {
    const called = call !== "" && this.#call === "";
    this.#title = title;
    this.#call = call;
    if (called && document.hidden) play("your-turn");
    this.#show();
  }

  close(): void {
    this.#stop.abort();
    this.set(this.#title, "");
  }

  #show(): void {
    const calls = this.#call !== "" && document.hidden;
    this.#mark(calls);
    if (!calls) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      document.title = this.#title;
      return;
    }
    this.#timer ??= setInterval(() => {
      document.title = document.title === this.#title ? this.#call : this.#title;
    }, BLINK_MS);
    document.title = this.#call;
  }

  #mark(on: boolean): void {
    const icon = this.#icon;
    if (!icon) return;
    if (!on) {
      if (icon.href !== this.#plain) icon.href = this.#plain;
      return;
    }
    this.#badge ??= badged(this.#plain);
    this.#badge.then(
      (address) => {
        if (this.#call !== "" && document.hidden) icon.href = address;
      },
      () => (this.#badge = null),
    );
  }
}
