/** The page of a game of four in a real browser, with a fixture instead of a server. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { demoSite, faultsOf, hasBrowser } from "./harness.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };

interface Demo {
  sent: { type: string }[];
  axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

describe.skipIf(!hasBrowser)("the page of a game of four", () => {
  const site = demoSite();
  const visit = (query: string, options: object = DESKTOP): Promise<Page> => site.visit(query, options, "game");
  const names = (page: Page, place: string): Promise<string> => page.locator(`.g-${place} .g-name-text`).innerText();
  const box = async (page: Page, selector: string) => {
    const found = await page.locator(selector).boundingBox();
    if (!found) throw new Error(`expected ${selector} on the page`);
    return found;
  };

  it.each([
    ["red", "Guest 12", "wolfgang_the_long_named"],
    ["blue", "Lozenge, level 4", "ada"],
    ["yellow", "wolfgang_the_long_named", "Guest 12"],
    ["green", "ada", "Lozenge, level 4"],
  ])("has the players at their sides of the board, as %s sees it", async (you, left, right) => {
    const page = await visit(`you=${you}`);
    expect([await names(page, "left"), await names(page, "right")]).toEqual([left, right]);
    const [board, top, bottom] = [await box(page, ".g-stage"), await box(page, ".g-top"), await box(page, ".g-bottom")];
    expect(top.y + top.height).toBeLessThanOrEqual(board.y);
    expect(bottom.y).toBeGreaterThanOrEqual(board.y + board.height);
    expect((await box(page, ".g-left")).x).toBeLessThan(board.x);
    expect((await box(page, ".g-right")).x).toBeGreaterThan(board.x + board.width - 1);
    expect(await page.locator("loz-board").evaluate((board) => (board as HTMLElement & { turns: number }).turns)).toBe(
      ["red", "blue", "yellow", "green"].indexOf(you),
    );
    // The demo has no server with the site's pictures, until its own are set.
    expect(faultsOf(page).filter((fault) => !fault.includes("404"))).toEqual([]);
  });

  it("turns the board by a quarter, and the players with it", async () => {
    const page = await visit("you=red");
    await page.keyboard.press("f");
    expect(await names(page, "bottom")).toBe("Guest 12");
    expect(await page.locator(".g-player[data-turn]").getAttribute("class")).toContain("g-right");
  });

  it("sends a move by keys alone", async () => {
    const page = await visit("you=red");
    await page.locator("#g-command").fill("b1a1");
    await page.keyboard.press("Enter");
    const sent = await page.evaluate(() => (window as never as Demo).sent);
    expect(sent).toContainEqual(expect.objectContaining({ type: "move", move: "b1a1", ply: 46 }));
  });

  it.each([
    ["on a phone", PHONE],
    ["on a desktop", DESKTOP],
  ])("causes no axe violations and does not overflow %s", async (_, options) => {
    for (const theme of ["light", "dark"]) {
      const page = await visit(`you=green&theme=${theme}`, options);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => (window as never as Demo).axe.run());
      // The demo has no frame of the site around it.
      const own = violations.filter(({ id }) => !["region", "landmark-one-main"].includes(id));
      expect(own.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    }
  });
});
