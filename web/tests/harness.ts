/** Shared by tests of the board: the demo page in a browser, and queries on it. */
import { type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import type { ViteDevServer } from "vite";
import { launch } from "../tools/chromium.mjs";
import { servePages } from "../tools/pages.mjs";

export { hasBrowser } from "../tools/chromium.mjs";

/** The demo page's site, and a browser for it. */
export class DemoSite {
  browser!: Browser;
  address = "";
  #server: ViteDevServer | undefined;

  async open(): Promise<void> {
    const { server, address } = await servePages();
    this.#server = server;
    this.address = address;
    this.browser = await launch();
  }

  async close(): Promise<void> {
    await this.browser?.close();
    await this.#server?.close();
  }

  /** A demo page with a query such as `game=diamond&view=square`, ready to be used. Earlier pages are left. */
  async visit(query: string, options: BrowserContextOptions = {}, name: "board" | "game" = "board"): Promise<Page> {
    for (const context of this.browser.contexts()) await context.close();
    const context = await this.browser.newContext({ viewport: { width: 900, height: 900 }, ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    await page.goto(`${this.address}demo/${name}.html?${query}`);
    await page.waitForFunction(() => document.querySelector("loz-board")?.shadowRoot?.querySelector(".piece"), {
      timeout: 20_000,
    });
    return Object.assign(page, { faults });
  }
}

/** The site for a file of tests: opened before the first, closed after the last. */
export function demoSite(): DemoSite {
  const site = new DemoSite();
  beforeAll(() => site.open());
  afterAll(() => site.close());
  return site;
}

/** The errors on the page so far. */
export const faultsOf = (page: Page): string[] => (page as Page & { faults: string[] }).faults;

interface Demo {
  element: import("../src/board/index.ts").LozBoard;
  events: { name: string; detail: Record<string, unknown> }[];
}

/** The position of a square in the window; `offset` files and ranks away from it on the endless board. */
export async function at(page: Page, square: string, offset = { file: 0, rank: 0 }): Promise<[number, number]> {
  return page.evaluate(
    ({ square, offset }) => {
      const { element } = window as never as Demo;
      const plane = element.plane;
      if (!plane) throw new Error("no board yet");
      const number = plane.board.squares.findIndex((candidate) => candidate.name === square);
      const place = plane.placeOf(number);
      const [x, y] = element.layers.toFrame(
        plane.center({ file: place.file + offset.file, rank: place.rank + offset.rank }),
      );
      const box = element.layers.frame.getBoundingClientRect();
      return [box.left + x, box.top + y] as [number, number];
    },
    { square, offset },
  );
}

export async function drag(
  page: Page,
  from: string,
  to: string,
  button: "left" | "right" | "middle" = "left",
): Promise<void> {
  const [start, end] = [await at(page, from), await at(page, to)];
  await page.mouse.move(...start);
  await page.mouse.down({ button });
  await page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, { steps: 3 });
  await page.mouse.move(...end, { steps: 3 });
  await page.mouse.up({ button });
}

/** The board's events with this name so far. */
export async function eventsOf(page: Page, name: string): Promise<Record<string, unknown>[]> {
  return page.evaluate(
    (name) =>
      (window as never as Demo).events.filter((event) => event.name === name).map((event) => event.detail),
    name,
  );
}

/** The pieces on the screen by square, as `white K`. */
export async function piecesOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const { element } = window as never as Demo;
    await element.updated;
    const name = (square: number) => element.board?.squares[square]?.name ?? "";
    return Object.fromEntries(element.pieces.map((piece) => [name(piece.square), `${piece.color} ${piece.role}`]));
  });
}
