/**
 * Alerts a player in another window or tab that it is their turn: the title blinks, the icon has a badge, and a sound is
 * played once. Not here: whose turn it is.
 */
import { play } from "../board/sounds.ts";

const BLINK_MS = 1000;
const ICON = 'link[rel~="icon"]';

/** The site's icon with a dot at its upper right, as a data URL. */
async function badgedIcon(icon: string): Promise<string> {
  const text = await (await fetch(icon)).text();
  const [, , width = 0] = (/viewBox="([-\d. ]+)"/.exec(text)?.[1] ?? "0 0 64 64").split(" ").map(Number);
  const [centerX, radius] = [width * 0.74, width * 0.26];
  const dot = `<circle cx="${centerX}" cy="${width - centerX}" r="${radius}" fill="#d21f3c" stroke="#fff" stroke-width="${width * 0.04}"/>`;
  return `data:image/svg+xml,${encodeURIComponent(text.replace("</svg>", `${dot}</svg>`))}`;
}

export class TurnAlert {
  #title = document.title;
  #alert = "";
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #icon = document.querySelector<HTMLLinkElement>(ICON);
  readonly #iconAddress = this.#icon?.href ?? "";
  #badge: Promise<string> | null = null;
  readonly #controller = new AbortController();

  constructor() {
    document.addEventListener("visibilitychange", () => this.#show(), { signal: this.#controller.signal });
  }

  /** Sets the title, and the alert that alternates with it while the page is hidden; empty for no alert. */
  set(title: string, alert: string): void {
    const isNew = alert !== "" && this.#alert === "";
    this.#title = title;
    this.#alert = alert;
    if (isNew && document.hidden) play("your-turn");
    this.#show();
  }

  close(): void {
    this.#controller.abort();
    this.set(this.#title, "");
  }

  #show(): void {
    const isActive = this.#alert !== "" && document.hidden;
    this.#setBadge(isActive);
    if (!isActive) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      document.title = this.#title;
      return;
    }
    this.#timer ??= setInterval(() => {
      document.title = document.title === this.#title ? this.#alert : this.#title;
    }, BLINK_MS);
    document.title = this.#alert;
  }

  #setBadge(on: boolean): void {
    const icon = this.#icon;
    if (!icon) return;
    if (!on) {
      if (icon.href !== this.#iconAddress) icon.href = this.#iconAddress;
      return;
    }
    this.#badge ??= badgedIcon(this.#iconAddress);
    this.#badge.then(
      (address) => {
        if (this.#alert !== "" && document.hidden) icon.href = address;
      },
      () => (this.#badge = null),
    );
  }
}
