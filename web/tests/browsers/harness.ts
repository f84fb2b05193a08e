/**
 * Visitors of a running site in Firefox and WebKit, driven through WebDriver. The server's address is in LOZENGE_SITE;
 * without it, or without a browser and its driver, the tests of that browser are skipped with a note. Not here: Chromium
 * (`../site/harness.ts`).
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Builder, Button, By, Origin, type WebDriver, type WebElement } from "selenium-webdriver";
import LogInspector from "selenium-webdriver/bidi/logInspector.js";
import { DriverService } from "selenium-webdriver/remote";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { LozBoard } from "../../src/board/index.ts";
import { squareInWindow } from "../squares.ts";

export const ADDRESS = (process.env.LOZENGE_SITE ?? "").replace(/\/$/, "");

/** How long a condition may take to hold, in milliseconds. */
const CONDITION_TIMEOUT_MS = 20_000;

/** A browser and its driver. */
export interface BrowserKind {
  name: string;
  /** The driver, and what else has to be there. */
  programs: readonly [driver: string, ...others: string[]];
  driverArguments: readonly string[];
  capabilities: object;
  /** Whether the browser reports errors of its pages to the driver. */
  reportsErrors: boolean;
  /** Whether the driver releases the button of the mouse that it has pressed: WebKit's always releases the left one. */
  hasMiddleButton: boolean;
}

export const BROWSERS: readonly BrowserKind[] = [
  {
    name: "Firefox",
    programs: ["geckodriver", "firefox-esr"],
    driverArguments: ["--websocket-port=0"],
    capabilities: {
      "browserName": "firefox",
      "webSocketUrl": true,
      "moz:firefoxOptions": { binary: findProgram("firefox-esr"), args: ["-headless"] },
    },
    reportsErrors: true,
    hasMiddleButton: true,
  },
  {
    name: "WebKit",
    // The driver knows the browser that comes with it.
    programs: ["WebKitWebDriver"],
    driverArguments: [],
    capabilities: { browserName: "MiniBrowser" },
    reportsErrors: false,
    hasMiddleButton: false,
  },
];

/** The path of a program. */
function findProgram(name: string): string | undefined {
  const paths = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  return paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether the browser, its driver and the site are there. */
export function canRun({ name, programs }: BrowserKind): boolean {
  const isThere = ADDRESS !== "" && programs.every((program) => findProgram(program) !== undefined);
  if (!isThere) console.warn(`left out: the site's tests in ${name} want LOZENGE_SITE, ${programs.join(", ")}`);
  return isThere;
}

interface Position {
  x: number;
  y: number;
}

/** A visitor with a browser of their own, and all errors on their pages. */
export class Visitor {
  driver!: WebDriver;
  #service: DriverService | null = null;
  #errors: string[] = [];

  constructor(readonly kind: BrowserKind) {}

  /** Starts the browser. */
  async open(): Promise<void> {
    const { programs, driverArguments, capabilities, reportsErrors } = this.kind;
    this.#service = new DriverService.Builder(findProgram(programs[0]) ?? programs[0])
      .setHostname("127.0.0.1")
      .addArguments(...driverArguments)
      .build();
    const address = await this.#service.start();
    this.driver = await new Builder().usingServer(address).withCapabilities(capabilities).build();
    // A driver that waits for ever fails with the name of what it waits for.
    await this.driver.manage().setTimeouts({ pageLoad: CONDITION_TIMEOUT_MS, script: CONDITION_TIMEOUT_MS });
    await this.driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 960 });
    if (!reportsErrors) return;
    const log = await LogInspector(this.driver);
    await log.onLog((entry) => {
      if (entry.level === "error") this.#errors.push(entry.text);
    });
  }

  async close(): Promise<void> {
    await (this.driver as WebDriver | undefined)?.quit();
    await this.#service?.kill();
  }

  /** The errors since the last call. */
  async takeErrors(): Promise<string[]> {
    if (this.kind.reportsErrors) return this.#errors.splice(0);
    return this.run(() => (window as { errors?: string[] }).errors?.splice(0) ?? []);
  }

  async goto(path: string): Promise<void> {
    await this.driver.get(`${ADDRESS}${path}`);
  }

  /**
   * Opens a page, also with errors while it loads: a browser that does not report them writes the page into an empty one,
   * which records them.
   */
  async inspect(path: string): Promise<void> {
    if (this.kind.reportsErrors) return this.goto(path);
    await this.goto("/robots.txt");
    await this.run(async (path) => {
      const page = await (await fetch(path)).text();
      history.replaceState(null, "", path);
      document.open();
      const errors: string[] = [];
      Object.assign(window, { errors });
      addEventListener("error", ({ message, target }) => errors.push(message ?? (target as Element).outerHTML), true);
      addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
      console.error = (...values) => errors.push(values.join(" "));
      document.write(page);
      document.close();
    }, path);
  }

  /** Calls a function in the page. */
  run<T, A extends unknown[]>(script: (...values: A) => T | Promise<T>, ...values: A): Promise<T> {
    return this.driver.executeScript<T>(script, ...values);
  }

  /** Waits until a function in the page returns neither null nor undefined nor false, and returns its value. */
  async until<T, A extends unknown[]>(script: (...values: A) => T, ...values: A): Promise<NonNullable<T>> {
    const what = `expected a value of ${String(script)} for ${JSON.stringify(values)}`;
    const value = await this.driver.wait(async () => (await this.run(script, ...values)) || null, CONDITION_TIMEOUT_MS, what);
    return value as NonNullable<T>;
  }

  /** Waits for an element that can be seen. */
  async find(selector: string): Promise<WebElement> {
    return this.#findVisible(By.css(selector), selector);
  }

  /** Presses the button with this name. */
  async press(name: string): Promise<void> {
    const button = await this.#findVisible(By.xpath(`//button[normalize-space(.)="${name}"]`), `a button "${name}"`);
    await button.click();
  }

  async #findVisible(locator: By, what: string): Promise<WebElement> {
    const find = async (): Promise<WebElement | null> => {
      for (const element of await this.driver.findElements(locator)) if (await element.isDisplayed()) return element;
      return null;
    };
    return (await this.driver.wait(find, CONDITION_TIMEOUT_MS, `expected ${what}`)) as WebElement;
  }

  async fill(selector: string, text: string): Promise<void> {
    const field = await this.find(selector);
    await field.clear();
    await field.sendKeys(text);
  }

  /** Waits until the board has pieces, and pictures instead of letters for them. */
  async ready(): Promise<void> {
    await this.until(() => {
      const board = document.querySelector("loz-board")?.shadowRoot;
      return board?.querySelector(".piece") != null && board.querySelector('symbol[id^="letter-"]') == null;
    });
  }

  /** The legal moves, once there are some. */
  async moves(): Promise<readonly string[]> {
    return this.until(() => {
      const { destinations = [] } = document.querySelector<LozBoard>("loz-board") ?? {};
      return destinations.length > 0 ? destinations : null;
    });
  }

  /** The position of a square in the window once the page is stable. */
  async at(square: string): Promise<Position> {
    const [x, y] = await this.run(squareInWindow, square);
    return { x: Math.round(x), y: Math.round(y) };
  }

  /** Plays a move by clicks on its squares; a choice that comes up is answered with the button of its suffix. */
  async click(move: string): Promise<void> {
    const { from, to, suffix } = partsOf(move);
    for (const square of [from, to]) await this.drag(await this.at(square));
    if (suffix !== "") await this.pressOnBoard(`.chooser [data-suffix="${suffix}"]`);
  }

  /** Plays a move by a drag. */
  async dragPiece(move: string): Promise<void> {
    const { from, to } = partsOf(move);
    await this.drag(await this.at(from), await this.at(to));
  }

  /** Presses a button of the mouse at a position of the window and releases it at another. */
  async drag(from: Position, to: Position = from, button = Button.LEFT): Promise<void> {
    const origin = Origin.VIEWPORT;
    const actions = this.driver.actions().move({ ...from, origin, duration: 0 }).press(button);
    if (to !== from) actions.move({ ...to, origin, duration: 100 });
    await actions.release(button).perform();
  }

  /** Presses a button of the board's own. WebKit's driver takes the picture on it for something that covers it. */
  async pressOnBoard(selector: string): Promise<void> {
    const position = await this.until((selector) => {
      const box = document.querySelector("loz-board")?.shadowRoot?.querySelector(selector)?.getBoundingClientRect();
      return box && box.width > 0 && { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) };
    }, selector);
    await this.drag(position as Position);
  }
}

/** The squares of a move such as `e2e4`, and what follows them. */
function partsOf(move: string): { from: string; to: string; suffix: string } {
  const [, from = "", to = "", suffix = ""] = /^([a-z]\d+)([a-z]\d+)(.*)$/.exec(move) ?? [];
  return { from, to, suffix };
}

/** Creates the visitor of a block of tests. After each test there must be no errors on the pages. */
export function createVisitor(kind: BrowserKind): Visitor {
  const visitor = new Visitor(kind);
  beforeAll(() => visitor.open());
  afterEach(async () => expect(await visitor.takeErrors()).toEqual([]));
  afterAll(() => visitor.close());
  return visitor;
}
