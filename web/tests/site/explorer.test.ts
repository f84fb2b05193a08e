/** The explorer beside the analysis board: a game that was played is in it, and its moves can be played on. */
import { describe, expect, it } from "vitest";
import { canRun, PHONE, createVisitors } from "./harness.ts";

describe.skipIf(!canRun)("explorer", () => {
  const visitors = createVisitors();

  it("shows played moves by filter, and plays them", async () => {
    const variant = "gardner";
    const { white, black } = await visitors.startGame({ variant });
    const first = (await white.turn())[0] ?? "";
    await white.play(first);
    await black.play((await black.turn())[0] ?? "");
    await white.moves(2);
    await white.resign();
    const countMoves = async (): Promise<number> => {
      const response = await white.context.request.get(`/api/explorer/${variant}?games=site`);
      return ((await response.json()) as { moves: unknown[] }).moves.length;
    };
    await expect.poll(countMoves, { timeout: 30_000 }).toBeGreaterThan(0);

    const guest = await visitors.create(PHONE);
    const { page } = guest;
    await page.goto(`/analysis?variant=${variant}`);
    await page.locator(".a-fold").click();
    await page.locator(".a-explored tbody tr").first().waitFor();
    expect(await page.locator(".a-recent li").first().innerText()).toContain("0-1");
    expect(await guest.overflows()).toBe(false);
    expect(await guest.audit()).toEqual([]);
    await page.locator(".a-explored tbody button").first().click();
    await expect.poll(() => page.locator(".a-move[aria-current]").count()).toBe(1);
    await page.locator("h1").click();
    await page.locator('.a-fold + div[aria-busy="false"] .a-explored tbody tr').first().waitFor();
    await page.keyboard.press("Shift+Space");
    await expect.poll(() => page.locator(".a-move").count()).toBe(2);
    await page.keyboard.press("Home");
    await page.locator(".a-filter summary").click();
    await page.getByLabel("Games of").selectOption("book");
    await page.getByText("No games with this position.").waitFor();
    await page.getByLabel("Games of").selectOption("site");
    await page.locator(".a-explored tbody tr").first().waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("e");
    expect(await page.locator(".a-fold").getAttribute("aria-expanded")).toBe("false");
  });
});
