/** Practice beside the lessons: endings won on the board, storms of puzzles, and coordinates; on desktop and phone. */
import { describe, expect, it } from "vitest";
import type { LozBoard } from "../../src/board/index.ts";
import type { Schemas } from "../../src/common/api.ts";
import { canRun, DESKTOP, PHONE, type Visitor, createVisitors } from "./harness.ts";

type Table = Schemas["TablePosition"];
type Storm = Schemas["PuzzleStorm"];

describe.skipIf(!canRun)("practice", () => {
  const visitors = createVisitors();
  const canMove = (visitor: Visitor): Promise<unknown> =>
    visitor.page.waitForFunction(() => ((document.querySelector("loz-board") as LozBoard | null)?.destinations.length ?? 0) > 0, null, { timeout: 30_000 });
  const isPhase = (visitor: Visitor, phase: string): Promise<void> => visitor.page.locator(`.a-page[data-phase="${phase}"]`).waitFor({ timeout: 20_000 });
  const typeMove = async (visitor: Visitor, move: string): Promise<void> => {
    const isInField = await visitor.page.evaluate(() => document.activeElement?.matches("input") ?? false);
    if (!isInField) await visitor.page.keyboard.press("t");
    await visitor.page.keyboard.type(move);
    await visitor.page.keyboard.press("Enter");
  };
  /** Plays on the board by clicks. */
  const playMove = async (visitor: Visitor, move: string): Promise<void> => {
    const [, from = "", to = "", suffix = ""] = /^([a-z]\d+)([a-z]\d+)(.*)$/.exec(move) ?? [];
    await visitor.click(from, to);
    const chooser = visitor.page.locator("loz-board .chooser");
    if (!(await chooser.isVisible())) return;
    await chooser.locator(suffix === "" ? "button" : `button[data-suffix="${suffix}"]`).first().click();
  };
  /** The endgame table of the position in which the page waits for a move: of those that it has looked up. */
  const watchTables = (visitor: Visitor): (() => Promise<Table>) => {
    const tables: Table[] = [];
    visitor.page.on("response", (response) => {
      if (response.url().includes("/api/tables/")) void response.json().then((table: Table) => tables.push(table), () => {});
    });
    return async () => {
      const moves = await visitor.page.evaluate(() => (document.querySelector("loz-board") as LozBoard).destinations);
      const table = tables.findLast((table) => table.moves.length === moves.length && table.moves.every(({ uci }) => moves.includes(uci)));
      if (!table) throw new Error("expected a table of the position");
      return table;
    };
  };

  it("wins an ending, takes a mistake back, and keeps the best", { timeout: 300_000 }, async () => {
    const player = await visitors.create(DESKTOP);
    const { page } = player;
    const tableNow = watchTables(player);
    await page.goto("/learn/diamond");
    await page.getByRole("link", { name: "Win endings" }).click();
    await page.locator(".drill-classes a").first().waitFor();
    expect(await page.locator(".drill-classes strong").allInnerTexts()).toEqual([
      "King and Vizier against King",
      "King and Archbishop against King",
      "King and Pawn against King",
    ]);
    expect(await player.audit()).toEqual([]);
    await page.locator(".drill-classes a").first().click();
    await canMove(player);
    // Buttons that were disabled fade in.
    await page.waitForFunction(() => document.getAnimations().length === 0);
    expect(await player.audit()).toEqual([]);
    const par = Number(/Par: (\d+)/.exec(await page.locator(".learn-quiet").innerText())?.[1]);
    const mistake = (await tableNow()).moves.find(({ category }) => category !== "win")?.uci ?? "";
    await playMove(player, mistake);
    await isPhase(player, "thrown");
    expect(await page.locator("#drill-message").innerText()).toMatch(/throws the win away|even loses/);
    expect(await player.audit()).toEqual([]);
    await page.keyboard.press("Enter");
    for (let moves = 1; moves <= par; moves += 1) {
      await canMove(player);
      const table = await tableNow();
      expect(table).toMatchObject({ category: "win", distance: 2 * (par - moves) + 1 });
      await playMove(player, table.moves[0]?.uci ?? "");
      await expect.poll(() => page.locator(`.a-page[data-phase="won"], .drill-moves > span:nth-child(${2 * moves})`).count()).toBeGreaterThan(0);
    }
    await isPhase(player, "won");
    expect(await page.locator("#drill-message").innerText()).toContain(`Won in ${par + 1} moves! Par is ${par}.`);
    await page.getByRole("link", { name: "All endings" }).click();
    expect(await page.locator(".drill-record").innerText()).toBe("Wins: 1 · Best: 1 over par");
  });

  it("shows an ending on a phone, with a hint and by typing", async () => {
    const player = await visitors.create(PHONE);
    await player.page.goto("/learn/diamondback/endings#KQvK");
    await canMove(player);
    await player.button("Hint").click();
    expect(await player.page.evaluate(() => (document.querySelector("loz-board") as LozBoard).hints.length)).toBe(1);
    expect(await player.overflows()).toBe(false);
    const destination = await player.page.evaluate(() => (document.querySelector("loz-board") as LozBoard).destinations[0] ?? "");
    await typeMove(player, "z9z9");
    await expect.poll(() => player.page.locator("#drill-message").innerText()).toContain("z9z9 is not possible here.");
    await typeMove(player, destination);
    await player.page.locator(".drill-moves > span").first().waitFor();
    await player.useDarkColors();
    expect(await player.audit()).toEqual([]);
  });

  it("solves puzzles in a storm, until its time is over", { timeout: 120_000 }, async () => {
    const player = await visitors.create(DESKTOP);
    const { page } = player;
    await page.clock.install();
    let storm: Storm | null = null;
    page.on("response", (response) => {
      if (response.url().includes("/api/puzzles/storm")) void response.json().then((found: Storm) => (storm = found));
    });
    await page.goto("/puzzles?variant=diamond");
    await page.getByRole("link", { name: "Storm" }).click();
    await canMove(player);
    expect(await player.audit()).toEqual([]);
    const puzzles = (storm as Storm | null)?.puzzles ?? [];
    const time = (): Promise<string> => page.getByRole("timer").innerText();
    expect(await time()).toBe("3:00");
    const turn = async (): Promise<void> => {
      await page.clock.runFor(300);
      await canMove(player);
    };
    for (const [index, move] of (puzzles[0]?.line ?? []).entries()) {
      if (index % 2 === 1) continue;
      await turn();
      await playMove(player, move);
    }
    await page.locator('.s-page[data-score="1"]').waitFor();
    await turn();
    const wrong = await page.evaluate(
      (right) => (document.querySelector("loz-board") as LozBoard).destinations.find((move) => move.slice(0, 4) !== right.slice(0, 4)) ?? "",
      puzzles[1]?.line[0] ?? "",
    );
    await typeMove(player, wrong);
    await page.locator('.s-page[data-played="2"]').waitFor();
    expect(await time()).toMatch(/^2:[45]\d$/);
    await page.clock.fastForward(180_000);
    await isPhase(player, "over");
    expect(await page.locator(".s-score").innerText()).toBe("1");
    expect(await page.locator(".p-session a").count()).toBe(2);
    expect(await player.audit()).toEqual([]);
    await player.button("New storm").click();
    await isPhase(player, "ready");
    expect(await page.locator(".c-numbers").innerText()).toMatch(/Best\s*1/);
  });

  it("finds and names squares by mouse, keyboard and finger", { timeout: 120_000 }, async () => {
    const player = await visitors.create(DESKTOP);
    const { page } = player;
    await page.clock.install();
    await page.goto("/learn/diamondring/coordinates");
    await player.button("Find the square").waitFor();
    expect(await player.audit()).toEqual([]);
    await page.keyboard.press("s");
    for (const count of [1, 2, 3]) {
      const [x, y] = await player.at(await page.locator(".c-name").innerText());
      await page.mouse.click(x, y);
      await expect.poll(() => page.locator(".c-numbers dd").first().innerText()).toBe(String(count));
    }
    expect(await player.audit()).toEqual([]);
    await page.clock.fastForward(30_000);
    await page.getByText("Time is up: 3 squares, your best so far.").first().waitFor();
    await player.button("Name the square").click();
    await page.keyboard.press("Escape");
    await player.button("Start").click();
    // The square is marked on the board, once it is drawn.
    const asked = async (visitor: Visitor): Promise<string> => {
      const name = await visitor.page.waitForFunction(() => {
        const board = document.querySelector("loz-board") as LozBoard;
        const [hint] = board.hints;
        return hint && board.board?.squares[hint.from]?.name;
      });
      return (await name.jsonValue()) ?? "";
    };
    await page.locator(".c-answer input:focus").waitFor();
    for (const count of [1, 2]) {
      await page.keyboard.type(await asked(player));
      await expect.poll(() => page.locator(".c-numbers dd").first().innerText()).toBe(String(count));
    }

    const phone = await visitors.create(PHONE);
    await phone.page.goto("/learn/diamond/coordinates");
    await phone.button("Name the square").tap();
    await phone.button("Start").tap();
    expect(await phone.overflows()).toBe(false);
    expect(await phone.audit()).toEqual([]);
    for (const count of [1, 2]) {
      const name = await asked(phone);
      await phone.button(name.slice(0, 1)).tap();
      await phone.button(name.slice(1)).tap();
      await expect.poll(() => phone.page.locator(".c-numbers dd").first().innerText()).toBe(String(count));
    }
  });

  it("goes back to the puzzle before", async () => {
    const player = await visitors.create(DESKTOP);
    const { page } = player;
    await page.goto("/puzzles/next?variant=diamond");
    await canMove(player);
    const first = page.url();
    const position = (): Promise<string> => page.evaluate(() => JSON.stringify((document.querySelector("loz-board") as LozBoard).pieces));
    const shown = await position();
    await player.button("View the solution").click();
    await player.button("Next puzzle").click();
    await expect.poll(() => page.url()).not.toBe(first);
    await canMove(player);
    await page.goBack();
    expect(page.url()).toBe(first);
    await expect.poll(position).toBe(shown);
  });
});
