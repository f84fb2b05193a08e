/** A browser and the demo page for tests: Debian's chromium, and vite's own server on a free port. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { createServer, type ViteDevServer } from "vite";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Whether there is a browser to test with. */
export const hasBrowser = existsSync(CHROMIUM);

export interface Site {
  browser: Browser;
  server: ViteDevServer;
  address: string;
}

export async function open(): Promise<Site> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const server = await createServer({ root, logLevel: "error", server: { port: 0, host: "127.0.0.1" } });
  await server.listen();
  const address = server.resolvedUrls?.local[0] ?? "";
  const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS });
  return { browser, server, address };
}

export async function close(site: Site | undefined): Promise<void> {
  await site?.browser.close();
  await site?.server.close();
}

/** The demo page with a query such as `game=diamond&view=square`, ready to be used. */
export async function demo(site: Site, query: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await site.browser.newContext({ viewport: { width: 900, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(`${site.address}demo/board.html?${query}`);
  await page.waitForFunction(() => document.querySelector("loz-board")?.shadowRoot?.querySelector(".man"), {
    timeout: 20_000,
  });
  Object.assign(page, { faults });
  return page;
}

/** What went wrong on the page so far. */
export const faultsOf = (page: Page): string[] => (page as Page & { faults: string[] }).faults;

interface Demo {
  element: import("../src/board/index.ts").LozBoard;
  events: { name: string; detail: Record<string, unknown> }[];
}

/** Where a square is in the window; `more` files and ranks away from it on the endless board. */
export async function at(page: Page, square: string, more = { file: 0, rank: 0 }): Promise<[number, number]> {
  return page.evaluate(
    ({ square, more }) => {
      const { element } = window as never as Demo;
      const plane = element.plane;
      if (!plane) throw new Error("no board yet");
      const number = plane.board.squares.findIndex((known) => known.name === square);
      const place = plane.placeOf(number);
      const [x, y] = element.stage.toFrame(
        plane.center({ file: place.file + more.file, rank: place.rank + more.rank }),
      );
      const box = element.stage.frame.getBoundingClientRect();
      return [box.left + x, box.top + y] as [number, number];
    },
    { square, more },
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

/** What the board has said so far under this name. */
export async function eventsOf(page: Page, name: string): Promise<Record<string, unknown>[]> {
  return page.evaluate(
    (name) =>
      (window as never as Demo).events.filter((event) => event.name === name).map((event) => event.detail),
    name,
  );
}

/** The men on the screen by square, as `white K`. */
export async function menOf(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const { element } = window as never as Demo;
    await element.updated;
    const name = (square: number) => element.board?.squares[square]?.name ?? "";
    return Object.fromEntries(element.men.map((man) => [name(man.square), `${man.color} ${man.role}`]));
  });
}
