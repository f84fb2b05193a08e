/** Lessons: whole courses on desktop, phone and by keyboard alone, one of them of a game that was just published. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LozBoard } from "../../src/board/index.ts";
import type { Schemas } from "../../src/common/api.ts";
import { canRun, DESKTOP, PHONE, type Visitor, createVisitors } from "./harness.ts";

type Course = Schemas["Course"];
type Level = Schemas["LessonLevel"];

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
  /** Types the move. */
  const byKeys = async (visitor: Visitor, move: string): Promise<void> => {
    const isInField = await visitor.page.evaluate(() => document.activeElement?.id === "l-typed");
    if (!isInField) await visitor.page.keyboard.press("t");
    await visitor.page.keyboard.type(move);
    await visitor.page.keyboard.press("Enter");
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
    await learner.button("Play").click();
    await page.waitForURL("**/game/*");
    await learner.ready();
    for (let moves = 0; moves < 5; moves += 1) {
      const [move] = await learner.turn();
      if (!move) break;
      await learner.play(move);
    }
    await learner.turn();
    await page.goto("/learn/diamond");
    await page.getByText("You have solved all levels.").waitFor();
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
    const inventor = await visitors.create(DESKTOP);
    const name = `Lake ${Date.now().toString(36)}`;
    const account = { name: `inventor_${Date.now().toString(36)}`, password: "a long password" };
    expect((await inventor.context.request.post("/api/account/register", { data: account })).ok()).toBe(true);
    const source = LAKE.replace('name = "Lake Chess"', `name = "${name}"`);
    const published = await inventor.context.request.post("/api/variants", { data: { source, visibility: "unlisted" } });
    expect(published.ok(), await published.text()).toBe(true);
    const { id } = (await published.json()) as { id: string };
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
    await page.goto("/?variant=diamond");
    await link("/learn/diamond").waitFor();
    await page.goto("/rules/diamond");
    await link("/learn/diamond").waitFor();
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
