/** Puzzles: solved on the board and by the keyboard alone, hints, the solution, ratings, and the streak. */
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, PHONE, type Visitor, createVisitors } from "./harness.ts";

interface Result {
  solution: string[];
}

describe.skipIf(!canRun)("puzzles", () => {
  const visitors = createVisitors();
  const stage = (visitor: Visitor) => visitor.page.locator("#p-stage");
  const canMove = (visitor: Visitor): Promise<unknown> =>
    visitor.page.waitForFunction(() => (document.querySelector("loz-board")?.destinations.length ?? 0) > 0, null, { timeout: 30_000 });
  const open = async (visitor: Visitor, path: string): Promise<string> => {
    await visitor.page.goto(path);
    await canMove(visitor);
    return new URL(visitor.page.url()).pathname.split("/").at(-1) ?? "";
  };
  /** The solution, which another visitor gets by giving up. */
  const solutionOf = async (id: string): Promise<string[]> => {
    const other = await visitors.create(DESKTOP);
    const response = await other.context.request.post(`/api/puzzles/${id}/attempt`, { data: { moves: [] } });
    return ((await response.json()) as Result).solution;
  };
  const register = async (visitor: Visitor): Promise<void> => {
    const data = { name: `solver_${Date.now().toString(36)}`, password: "correct horse battery" };
    expect((await visitor.context.request.post("/api/account/register", { data })).ok()).toBe(true);
  };

  it("are solved on the board, rated, and linked to the analysis", async () => {
    const solver = await visitors.create(DESKTOP);
    await register(solver);
    const id = await open(solver, "/puzzles/next?variant=diamond");
    const solution = await solutionOf(id);
    for (const [index, move] of solution.entries()) {
      if (index % 2 === 1) continue;
      await canMove(solver);
      const [, from = "", to = ""] = /^([a-z]\d+)([a-z]\d+)/.exec(move) ?? [];
      await solver.click(from, to);
      const chooser = solver.page.locator("loz-board .chooser");
      if (await chooser.isVisible()) await solver.page.keyboard.press("Enter");
      await expect.poll(() => solver.page.locator(".a-move").count(), { timeout: 15_000 }).toBeGreaterThanOrEqual(index + 2);
    }
    await expect.poll(() => stage(solver).innerText()).toContain("Solved!");
    expect(await solver.page.locator(".p-standing").innerText()).toMatch(/Your rating: 1500 → 1[5-9]\d\d/);
    expect(await solver.audit()).toEqual([]);
    await solver.button("Good puzzle").click();
    await expect.poll(() => solver.button("Good puzzle").getAttribute("aria-pressed")).toBe("true");
    const next = solver.button("Next puzzle");
    await solver.page.getByRole("link", { name: "Analysis" }).last().click();
    await solver.page.waitForURL("**/analysis?*");
    await solver.page.locator(".a-move").first().waitFor();
    expect(await solver.page.locator(".a-move").count()).toBe(solution.length + 1);
    await solver.page.goBack();
    await canMove(solver);
    expect(await next.count()).toBe(0);
    await solver.page.goto("/puzzles");
    expect(await solver.page.locator(".p-rounds li").first().innerText()).toContain("Solved");
  });

  it("can be solved by keyboard alone", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    const id = await open(guest, "/puzzles/next?variant=diamond");
    const solution = await solutionOf(id);
    await page.keyboard.press("h");
    await expect.poll(() => page.locator(".a-page > [role=status]").innerText()).toContain(solution[0]?.slice(0, 2) ?? "");
    const wrong = await page.evaluate((best) => document.querySelector("loz-board")?.destinations.find((move) => move !== best) ?? "", solution[0]);
    await page.keyboard.press("t");
    await page.keyboard.type(wrong);
    await page.keyboard.press("Enter");
    await expect.poll(() => stage(guest).innerText()).toContain("That is not the move");
    await page.keyboard.type("nonsense");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".g-problem").innerText()).toContain("nonsense is not a legal move");
    await page.keyboard.type(solution[0] ?? "");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".a-move").count()).toBeGreaterThan(1);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    if (solution.length > 1) {
      await canMove(guest);
      await page.keyboard.press("s");
      await expect.poll(() => stage(guest).innerText()).toBe("This is the solution.");
      await expect.poll(() => page.locator(".a-move").count(), { timeout: 20_000 }).toBe(solution.length + 1);
    }
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => page.locator(".a-move[aria-current]").count()).toBe(1);
    await page.keyboard.press("n");
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await canMove(guest);
  });

  it("are translated to German, on a phone", async () => {
    const guest = await visitors.create({ ...PHONE, locale: "de-DE" });
    await open(guest, "/puzzles/next?variant=diamond&theme=mate");
    expect(await guest.page.locator(".a-about").innerText()).toContain("Thema: Matt");
    expect(await stage(guest).innerText()).toMatch(/^Finde den besten Zug für (Weiß|Schwarz)\.$/);
    await guest.button("Lösung ansehen").click();
    await guest.button("Nächste Aufgabe").waitFor();
    expect(await guest.overflows()).toBe(false);
    await guest.useDarkColors();
    expect(await guest.audit()).toEqual([]);
  });

  it("form a streak until the first mistake", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "/puzzles/streak?variant=diamond");
    const streak = (): Promise<string> => page.locator(".p-streak").innerText();
    expect(await streak()).toContain("Streak: 0");
    await guest.button("Skip this one").click();
    await expect.poll(() => guest.button("Skip this one").isDisabled()).toBe(true);
    await canMove(guest);
    // The position identifies the puzzle; a wrong move ends the streak.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const moves = await page.evaluate(() => document.querySelector("loz-board")?.destinations ?? []);
      await page.locator("#p-typed").fill(moves[attempt] ?? "");
      await page.locator("#p-typed").press("Enter");
      await expect.poll(() => stage(guest).innerText()).not.toContain("Checking");
      if ((await stage(guest).innerText()).includes("over")) break;
      await canMove(guest);
    }
    expect(await stage(guest).innerText()).toBe("The streak is over.");
    await guest.button("View the solution").click();
    await expect.poll(() => stage(guest).innerText()).toBe("This is the solution.");
    await page.getByRole("link", { name: "New streak" }).waitFor();
    expect(await guest.audit()).toEqual([]);
  });

  it("are linked from the menu and the home page", async () => {
    const guest = await visitors.create({ ...PHONE, viewport: { width: 320, height: 640 } });
    await guest.page.goto("/");
    await guest.page.locator("summary", { hasText: "Learn" }).click();
    expect(await guest.overflows()).toBe(false);
    await guest.page.getByRole("navigation", { name: "Lozenge" }).getByRole("link", { name: "Puzzles", exact: true }).first().click();
    await guest.page.locator(".p-daily").waitFor();
    expect(await guest.overflows()).toBe(false);
    expect(await guest.audit()).toEqual([]);
    await guest.page.goto("/");
    // By keyboard: what loads above may still move it away from under a pointer.
    await guest.page.locator(".daily a").last().press("Enter");
    await guest.page.waitForURL("**/puzzles/*");
  });
});
