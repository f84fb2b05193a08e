/**
 * Visitors of a running site: each has a browser context of its own, so its own session. The server's address
 * is in LOZENGE_SITE, or several, one for each worker; without one, and without chromium, these tests are skipped with a note.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { LozBoard } from "../../src/board/index.ts";
import type { Schemas } from "../../src/common/api.ts";
import { hasBrowser, launch } from "../../tools/chromium.mjs";
import { squareInWindow } from "../squares.ts";

const addresses = (process.env.LOZENGE_SITE ?? "").split(" ");
export const ADDRESS = (addresses[Number(process.env.VITEST_POOL_ID ?? 1) - 1] ?? "").replace(/\/$/, "");
export const canRun = ADDRESS !== "" && hasBrowser;
if (!canRun) console.warn("left out: the site's tests want LOZENGE_SITE and chromium");

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

export type Game = Schemas["Game"];
/** Settings of a game, where they differ from the defaults. */
export type Terms = Partial<Schemas["NewGame"]> & { variant: string };

/** The visitors in a file of tests, who share a browser. */
export class Visitors {
  browser!: Browser;
  readonly #open = new Set<Visitor>();

  /** Opens a session for a new visitor. */
  async create(options: BrowserContextOptions = DESKTOP): Promise<Visitor> {
    const visitor = await Visitor.create(this.browser, options);
    this.#open.add(visitor);
    return visitor;
  }

  /** Starts a game of White, on a desktop, and Black, on a phone, and opens it on both. */
  async startGame(terms: Terms): Promise<{ white: Visitor; black: Visitor; game: Game }> {
    const [white, black] = [await this.create(DESKTOP), await this.create(PHONE)];
    const game = await white.createGame(terms);
    await white.open(game.id);
    await black.join(game.id);
    await white.page.locator('.g-page[data-status="started"]').waitFor();
    return { white, black, game };
  }

  /** Starts a game of three or four, every other on a phone, seated by their own links; in the order of the turns. */
  async startGameOfFour(terms: Terms, count: number, options: BrowserContextOptions = {}): Promise<{ players: Visitor[]; id: string }> {
    const players: Visitor[] = [];
    for (const device of [DESKTOP, PHONE, DESKTOP, PHONE].slice(0, count)) players.push(await this.create({ ...device, ...options }));
    const [red, ...others] = players;
    if (!red) throw new Error("expected visitors");
    const seats: Terms["seats"] = [{ kind: "me" }, ...others.map(() => ({ kind: "link" }) as const)];
    const { id } = await red.createGame({ opponent: undefined, side: undefined, seats, ...terms });
    await red.open(id);
    for (const [place, visitor] of others.entries()) {
      const color = ["blue", "yellow", "green"][place] ?? "";
      await visitor.page.goto(`/game/${id}?seat=${color}`);
      await visitor.ready();
      await visitor.page.locator(".g-waiting .g-good").click();
      await expect.poll(async () => (await visitor.game(id)).you).toBe(color);
    }
    await red.page.locator('.g-page[data-status="started"]').waitFor();
    return { players, id };
  }

  /** Closes all sessions; returns the errors of their pages. */
  async closeAll(): Promise<string[]> {
    const faults = [...this.#open].flatMap((visitor) => visitor.faults);
    for (const visitor of this.#open) await visitor.close();
    this.#open.clear();
    return faults;
  }
}

/** Creates the visitors of a test file. After each test all sessions are closed and their pages must have no errors. */
export function createVisitors(launchBrowser = launch): Visitors {
  const visitors = new Visitors();
  beforeAll(async () => {
    visitors.browser = await launchBrowser();
  });
  afterEach(async () => expect(await visitors.closeAll()).toEqual([]));
  afterAll(async () => visitors.browser?.close());
  return visitors;
}

/** A visitor, and all errors on their pages. */
export class Visitor {
  readonly #faults: string[] = [];
  readonly #expected: RegExp[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    page.on("pageerror", (error) => this.#faults.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.#faults.push(message.text());
    });
  }

  /** Ignores browser errors that a test provokes, such as a refusal by the server. */
  ignoreErrors(...faults: RegExp[]): void {
    this.#expected.push(...faults);
  }

  /** The errors so far. */
  get faults(): string[] {
    return this.#faults.filter((fault) => !this.#expected.some((pattern) => pattern.test(fault)));
  }

  static async create(browser: Browser, options: BrowserContextOptions = DESKTOP): Promise<Visitor> {
    // Animated pieces would need waiting.
    const context = await browser.newContext({ baseURL: ADDRESS, reducedMotion: "reduce", ...options });
    // A phone would ask before each move on a board with small squares. An empty page has no storage.
    await context.addInitScript(() => {
      if (location.protocol !== "about:" && localStorage.getItem("lozenge.confirm-moves") === null) localStorage.setItem("lozenge.confirm-moves", "off");
    });
    return new Visitor(context, await context.newPage());
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  /** Creates a game by the API, as this visitor. */
  async createGame(game: Terms): Promise<Game> {
    const data = { opponent: { kind: "link" }, side: "white", ...game };
    const response = await this.context.request.post("/api/games", { data });
    expect(response.status(), await response.text()).toBe(201);
    return (await response.json()) as Game;
  }

  async game(id: string): Promise<Game> {
    return (await (await this.context.request.get(`/api/games/${id}`)).json()) as Game;
  }

  async open(id: string): Promise<void> {
    await this.page.goto(`/game/${id}`);
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.page.waitForFunction(
      () => document.querySelector("loz-board")?.shadowRoot?.querySelector(".piece"),
      null,
      { timeout: 20_000 },
    );
    await this.page.locator(".g-connection").waitFor({ state: "detached" });
  }

  /** Takes the open place, by the page's own button. */
  async join(id: string): Promise<void> {
    await this.open(id);
    await this.page.getByRole("button", { name: "Join the game" }).click();
    await this.page.locator('.g-page[data-status="started"]').waitFor();
    await this.page.locator(".g-connection").waitFor({ state: "detached" });
  }

  /** Puts a piece from a square onto another by clicking. */
  async click(from: string, to: string): Promise<void> {
    for (const square of [from, to]) {
      const [x, y] = await this.at(square);
      await this.page.mouse.click(x, y);
    }
  }

  /** The position of a square in the window once the page is stable; scrolls the board into view. */
  async at(square: string): Promise<[number, number]> {
    return this.page.evaluate(squareInWindow, square);
  }

  /** Plays one of the legal moves by clicking; a choice that comes up is answered with its suffix's button. */
  async play(move: string): Promise<void> {
    const [, from = "", to = ""] = /^([a-z]\d+)([a-z]\d+)/.exec(move) ?? [];
    const count = await this.moveCount();
    await this.click(from, to);
    // Drawings in a panel are boards, too.
    const chooser = this.page.locator("loz-board .chooser").first();
    if (await chooser.isVisible()) await chooser.locator("button").first().click();
    await this.page.waitForFunction(
      (count) => document.querySelectorAll(".g-moves li button").length > count,
      count,
      { timeout: 15_000 },
    );
  }

  /** Types a move or a word into the game's line. */
  async type(text: string): Promise<void> {
    const line = this.page.getByLabel("Type a move or a command");
    await line.fill(text);
    await line.press("Enter");
  }

  /** Waits until the list has this number of moves. */
  async moves(count: number): Promise<void> {
    await this.page.waitForFunction(
      (count) => document.querySelectorAll(".g-moves li button").length === count,
      count,
      { timeout: 15_000 },
    );
  }

  async moveCount(): Promise<number> {
    return this.page.locator(".g-moves li button").count();
  }

  /** Waits until it is this visitor's turn, or the game is over. The legal moves; none when it is over. */
  async turn(): Promise<readonly string[]> {
    const moves = await this.page.waitForFunction(
      () => {
        const over = document.querySelector('.g-page[data-status="finished"]');
        const board = document.querySelector("loz-board") as LozBoard;
        return over ? [] : board.destinations.length > 0 ? board.destinations : null;
      },
      null,
      { timeout: 30_000 },
    );
    return (await moves.jsonValue()) ?? [];
  }

  /** The clock of a side. */
  async clock(side: "white" | "black"): Promise<string> {
    const strip = this.page.locator(".g-player", { has: this.page.locator(`.g-side-${side}`) });
    return strip.locator(".g-clock").innerText();
  }

  /** The last announcement for screen readers. */
  get announcement() {
    return this.page.locator(".g-page > [role=status]");
  }

  get result() {
    return this.page.locator(".g-finished h2");
  }

  button(name: string) {
    return this.page.getByRole("button", { name, exact: true });
  }

  /** Resigns, by the button and its question. */
  async resign(): Promise<void> {
    await this.button("Resign").click();
    await this.button("Yes, resign").click();
    await this.result.waitFor();
  }

  /** Switches the page to dark colors and waits until all transitions are finished. */
  async useDarkColors(): Promise<void> {
    await this.page.emulateMedia({ colorScheme: "dark" });
    await this.finishTransitions();
  }

  /** Waits until no transition runs: a color on its way to another can lack the contrast that both have. */
  private async finishTransitions(): Promise<void> {
    await this.page.evaluate(async () => {
      void getComputedStyle(document.body).color;
      // On a busy machine the changes begin a frame later, and one of an inherited color begins others.
      for (;;) {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
        if (changes.length === 0) return;
        await Promise.allSettled(changes.map((change) => change.finished));
      }
    });
  }

  /** Serious and critical findings of axe, by some of its rules or by all. */
  async audit(rules?: string[]): Promise<string[]> {
    if (!(await this.page.evaluate(() => "axe" in window))) await this.page.evaluate(AXE);
    await this.finishTransitions();
    const violations = await this.page.evaluate(async (rules) => {
      const { axe } = window as never as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
      return (await axe.run({ ...(rules && { runOnly: rules }), resultTypes: ["violations"], preload: false })).violations;
    }, rules);
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
  }

  /** Whether the page is wider than the window. */
  async overflows(): Promise<boolean> {
    return this.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  }
}

/** Whether the site has rules and engine for browsers: some page's scripts, or those that they import, name the module. */
export async function hasModule(): Promise<boolean> {
  const read = async (address: string): Promise<string> => (await fetch(`${ADDRESS}${address}`)).text();
  const page = await read("/analysis");
  const scripts = [...page.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, address]) => address ?? "");
  const texts = await Promise.all(scripts.map(read));
  const imports = texts.flatMap((text) => [...text.matchAll(/["'`]\.\/([\w-]+\.js)["'`]/g)].map(([, name]) => `/assets/${name ?? ""}`));
  texts.push(...(await Promise.all([...new Set(imports)].map(read))));
  return texts.some((text) => /lozenge_bg-[\w-]+\.wasm/.test(text));
}

/** A seeded random number generator. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export function pick<T>(list: readonly T[], random: () => number): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error("expected something to choose from");
  return item;
}
