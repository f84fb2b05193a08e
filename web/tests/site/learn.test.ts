/** Lessons: whole courses on desktop, phone and by keyboard alone, one of them of a game that was just published. */
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { LozBoard } from "../../src/board/index.ts";
import type { Schemas } from "../../src/common/api.ts";
import { canRun, DESKTOP, PHONE, type Visitor, createVisitors } from "./harness.ts";

type Course = Schemas["Course"];
type Level = Schemas["LessonLevel"];

const ALL_SOLVED = /You have solved all levels\.|Du hast alle Aufgaben gelöst\./;
const LAKE = readFileSync(new URL("../../../testdata/variants/lake.toml", import.meta.url), "utf8");

describe.skipIf(!canRun)("lessons", () => {
  const visitors = createVisitors();
  const courseOf = async (visitor: Visitor, id: string): Promise<Course> =>
    (await (await visitor.context.request.get(`/api/lessons/${id}`)).json()) as Course;
  const levelsOf = ({ stages }: Course): Level[] => stages.flatMap(({ levels }) => levels);
  const canMove = (visitor: Visitor): Promise<unknown> =>
    visitor.page.waitForFunction(() => ((document.querySelector("loz-board") as LozBoard | null)?.destinations.length ?? 0) > 0, null, { timeout: 30_000 });
  const isPhase = async (visitor: Visitor, phase: string): Promise<void> => {
    await visitor.page.locator(`.learn-page[data-phase="${phase}"]`).waitFor({ timeout: 20_000 });
  };
  const parts = (move: string): [from: string, to: string, suffix: string] => {
    const [, from = "", to = "", suffix = ""] = /^([a-z]\d+)([a-z]\d+)(.*)$/.exec(move) ?? [];
    return [from, to, suffix];
  };
  const text = (visitor: Visitor): Promise<string> => visitor.page.locator(".learn-text").innerText();

  /** Plays a move by the mouse. */
  const byMouse = async (visitor: Visitor, move: string): Promise<void> => {
    const [from, to] = parts(move);
    await visitor.click(from, to);
    await choose(visitor, move);
  };
  /** Taps the squares. */
  const byTouch = async (visitor: Visitor, move: string): Promise<void> => {
    for (const square of parts(move).slice(0, 2)) await visitor.page.touchscreen.tap(...(await visitor.at(square)));
    await choose(visitor, move);
  };
  /** Types the move into the line, which the key opens. */
  const byLine = (id: string, key: string) => async (visitor: Visitor, move: string): Promise<void> => {
    const isInField = await visitor.page.evaluate((id) => document.activeElement?.id === id, id);
    if (!isInField) await visitor.page.keyboard.press(key);
    await visitor.page.keyboard.type(move);
    await visitor.page.keyboard.press("Enter");
  };
  const byKeys = byLine("l-typed", "t");
  const byGameKeys = byLine("g-command", "m");
  /** Goes to a button by Tab, and presses it. */
  const byTab = async (button: Locator): Promise<void> => {
    const isFocused = (): Promise<boolean> => button.evaluate((element) => element === document.activeElement);
    for (let tabs = 0; tabs < 30 && !(await isFocused()); tabs += 1) await button.page().keyboard.press("Tab");
    expect(await isFocused()).toBe(true);
    await button.page().keyboard.press("Enter");
  };
  /** Answers the question into which piece, or whether by fusion. */
  const choose = async (visitor: Visitor, move: string): Promise<void> => {
    const chooser = visitor.page.locator("loz-board .chooser");
    if (!(await chooser.isVisible())) return;
    const [, , suffix] = parts(move);
    const button = suffix === "" ? chooser.locator("button").first() : chooser.locator(`button[data-suffix="${suffix}"]`);
    await ((await button.count()) > 0 ? button : chooser.locator("button").first()).click();
  };

  /** Walks through all levels that are no game, each in par. */
  const walk = async (
    visitor: Visitor,
    course: Course,
    play: (visitor: Visitor, move: string) => Promise<void>,
    next: () => Promise<void>,
  ): Promise<void> => {
    for (const level of levelsOf(course)) {
      await expect.poll(() => new URL(visitor.page.url()).hash).toBe(`#${level.id}`);
      await expect.poll(() => text(visitor)).toBe(level.text);
      if (level.goal.kind === "play") return;
      for (const [index, move] of level.solution.entries()) {
        await canMove(visitor);
        await play(visitor, move);
        if (index === level.solution.length - 1) await isPhase(visitor, "solved");
        else await expect.poll(() => visitor.page.locator(".learn-quiet").innerText()).toContain(`: ${index + 1}`);
      }
      expect(await visitor.page.locator("#learn-message").innerText()).toContain("3");
      await expect.poll(() => visitor.page.evaluate(() => document.activeElement?.classList.contains("g-good"))).toBe(true);
      await next();
    }
  };

  /** Begins the game of the last level, makes its moves, and finds the course solved. */
  const playGame = async (
    visitor: Visitor,
    course: Course,
    { press, play }: { press: (button: Locator) => Promise<void>; play: (visitor: Visitor, move: string) => Promise<void> },
  ): Promise<void> => {
    const { page } = visitor;
    const goal = levelsOf(course).at(-1)?.goal;
    if (goal?.kind !== "play") throw new Error("the course does not end with a game");
    await press(page.locator(".learn-status .g-good"));
    await page.waitForURL("**/game/*");
    await visitor.ready();
    for (let moves = 1; moves <= goal.moves; moves += 1) {
      const [move] = await visitor.turn();
      if (!move) break;
      const plies = await visitor.moveCount();
      await play(visitor, move);
      // Its own move, and the engine's.
      await expect.poll(() => visitor.moveCount(), { timeout: 30_000 }).toBeGreaterThan(plies);
    }
    await visitor.turn();
    expect(await visitor.overflows()).toBe(false);
    await page.goto(`/learn/${course.variant}`);
    await page.locator(".learn-start").getByText(ALL_SOLVED).waitFor();
  };

  /** Publishes a game by an account of its own. */
  const publish = async (visibility: "unlisted" | "public"): Promise<{ inventor: Visitor; id: string }> => {
    const inventor = await visitors.create(DESKTOP);
    const { request } = inventor.context;
    const name = Date.now().toString(36);
    const account = { name: `inventor_${name}`, password: "a long password" };
    expect((await request.post("/api/account/register", { data: account })).ok()).toBe(true);
    const source = LAKE.replace('name = "Lake Chess"', `name = "Lake ${name}"`);
    const published = await request.post("/api/variants", { data: { source, visibility } });
    expect(published.ok(), await published.text()).toBe(true);
    return { inventor, id: ((await published.json()) as { id: string }).id };
  };

  it("teach on the desktop, from list to game, and are resumed", { timeout: 300_000 }, async () => {
    const learner = await visitors.create(DESKTOP);
    const { page } = learner;
    await page.goto("/learn");
    expect(await learner.audit()).toEqual([]);
    await page.locator('.card h3 a[href="/learn/diamond"]').click();
    const course = await courseOf(learner, "diamond");
    await page.getByRole("link", { name: "Start", exact: true }).waitFor();
    expect(await page.locator(".opening").innerText()).toContain("Checkmate wins.");
    expect(await learner.audit()).toEqual([]);
    await page.getByRole("link", { name: "Start", exact: true }).click();
    await canMove(learner);
    expect(await page.evaluate(() => (document.querySelector("loz-board") as LozBoard).hints.length)).toBe(levelsOf(course)[0]?.solution.length);
    expect(await learner.audit()).toEqual([]);
    await walk(learner, course, byMouse, () => page.keyboard.press("Enter"));
    await playGame(learner, course, { press: (button) => button.click(), play: byMouse });
    await page.goto("/learn");
    expect(await page.locator('li:has(a[href="/learn/diamond"]) progress').getAttribute("value")).toBe(String(levelsOf(course).length));
  });

  it("show the answer to a wrong move, and an arrow after two", async () => {
    const learner = await visitors.create(DESKTOP);
    const { page } = learner;
    const course = await courseOf(learner, "diagonal");
    const level = course.stages.flatMap(({ levels }) => levels.slice(1)).find(({ goal }) => goal.kind === "mate");
    await page.goto(`/learn/diagonal#${level?.id ?? ""}`);
    const hints = (): Promise<number> => page.evaluate(() => (document.querySelector("loz-board") as LozBoard).hints.length);
    for (const expected of [0, 1]) {
      await canMove(learner);
      const wrong = await page.evaluate(
        (best) => (document.querySelector("loz-board") as LozBoard).destinations.find((move) => move !== best) ?? "",
        level?.solution[0],
      );
      await byMouse(learner, wrong);
      await isPhase(learner, "missed");
      await isPhase(learner, "find");
      expect(await hints()).toBe(expected);
    }
    await byMouse(learner, level?.solution[0] ?? "");
    await isPhase(learner, "solved");
    expect(await page.locator("#learn-message").innerText()).toContain("Solved! 1 of 3 stars.");
    await learner.button("Restart").click();
    await isPhase(learner, "find");
    await page.goto("/learn/diagonal");
    await page.getByRole("link", { name: "Continue" }).waitFor();
    expect(await page.locator(".learn-levels [data-solved]").count()).toBe(1);
  });

  it("teach a game that was just published, by keyboard alone", { timeout: 300_000 }, async () => {
    const { id } = await publish("unlisted");
    const learner = await visitors.create(DESKTOP);
    const { page } = learner;
    await page.goto(`/learn/${id}`);
    const course = await courseOf(learner, id);
    await page.getByRole("link", { name: "Start", exact: true }).waitFor();
    await page.getByRole("link", { name: "Start", exact: true }).press("Enter");
    await walk(learner, course, byKeys, () => page.keyboard.press("Enter"));
    await page.keyboard.press("b");
    await expect.poll(() => new URL(page.url()).hash).toBe(`#${levelsOf(course).at(-2)?.id ?? ""}`);
    await page.keyboard.press("?");
    await page.locator("dialog[open]").waitFor();
    expect(await learner.audit()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await expect.poll(() => new URL(page.url()).hash).toBe(`#${levelsOf(course).at(-1)?.id ?? ""}`);
    await playGame(learner, course, { press: byTab, play: byGameKeys });
  });

  it("teach a torus in German, on a phone", { timeout: 300_000 }, async () => {
    const learner = await visitors.create({ ...PHONE, locale: "de-DE" });
    const { page } = learner;
    const response = await learner.context.request.get("/api/lessons/diamondring", { headers: { "accept-language": "de" } });
    const course = (await response.json()) as Course;
    await page.goto("/learn/diamondring");
    expect(await page.locator("h1").innerText()).toBe("Diamond Ring Chess lernen");
    expect(await learner.overflows()).toBe(false);
    await page.getByRole("link", { name: "Anfangen" }).tap();
    await canMove(learner);
    expect(await learner.overflows()).toBe(false);
    await learner.useDarkColors();
    expect(await learner.audit()).toEqual([]);
    await walk(learner, course, byTouch, () => learner.button("Weiter").tap());
    expect(await learner.overflows()).toBe(false);
    await playGame(learner, course, { press: (button) => button.tap(), play: byTouch });
  });

  it("teach games of three and four, to the end of a game", { timeout: 400_000 }, async () => {
    for (const [id, options] of [["diamondring-four", DESKTOP], ["threearmies", PHONE]] as const) {
      const learner = await visitors.create(options);
      const { page } = learner;
      const course = await courseOf(learner, id);
      await page.goto(`/learn/${id}`);
      expect(await learner.audit()).toEqual([]);
      await page.getByRole("link", { name: "Start", exact: true }).click();
      await canMove(learner);
      expect(await learner.overflows()).toBe(false);
      await learner.useDarkColors();
      expect(await learner.audit()).toEqual([]);
      const play = options === PHONE ? byTouch : byMouse;
      await walk(learner, course, play, () => learner.button("Next").click());
      await playGame(learner, course, { press: (button) => button.click(), play });
    }
  });

  it("say that the server is busy, and try again", async () => {
    const learner = await visitors.create(DESKTOP);
    const { page } = learner;
    learner.ignoreErrors(/503|429/);
    let refused = 0;
    await page.route("**/api/lessons/**", async (route) => {
      refused += 1;
      if (refused > 2) return route.continue();
      const status = refused === 1 ? 503 : 429;
      const problem = { type: "about:blank", title: "Busy", status, detail: "the server is busy", code: refused === 1 ? "overloaded" : "slow" };
      await route.fulfill({ status, contentType: "application/problem+json", body: JSON.stringify(problem) });
    });
    await page.goto("/learn/diamond");
    await page.getByRole("alert").waitFor();
    await learner.button("Try again").click();
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("Too many requests");
    await learner.button("Try again").click();
    await page.getByRole("link", { name: "Start", exact: true }).waitFor();
  });

  it("are linked from where a game begins", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    const link = (address: string) => page.locator(`main a[href="${address}"]`).first();
    // Beside Play, for the game that is chosen there: the first one, or the one that the address names.
    const besidePlay = page.locator(".play-go a", { hasText: "Learn (5 minutes)" });
    await page.goto("/");
    const chosen = (await page.locator(".play-board figcaption a").getAttribute("href"))?.replace("/rules/", "");
    await expect.poll(() => besidePlay.getAttribute("href")).toBe(`/learn/${chosen ?? ""}`);
    await page.goto("/?variant=diamond");
    await expect.poll(() => besidePlay.getAttribute("href")).toBe("/learn/diamond");
    expect(await page.locator(".play-go").getByRole("button").isVisible()).toBe(true);
    await page.goto("/rules/diamond");
    await link("/learn/diamond").waitFor();
    // New games are listed for their inventors only.
    const { inventor, id } = await publish("public");
    await inventor.page.goto("/variants");
    await inventor.page.locator(`.cards a.learn-link[href="/learn/${id}"]`).waitFor();
    const game = await guest.createGame({ variant: "diamond" });
    const friend = await visitors.create(PHONE);
    await friend.open(game.id);
    await friend.page.locator('.g-waiting a[href="/learn/diamond"]').waitFor();
    expect(await friend.audit()).toEqual([]);
    await friend.button("Join the game").click();
    await friend.page.locator('.g-about a[href="/learn/diamond"]').waitFor();
    expect(await friend.overflows()).toBe(false);
  });
});
