/** The board in a real browser: what a pointer does. Keyboard and torus have files of their own. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { at, demoSite, drag, eventsOf, faultsOf, hasBrowser, piecesOf } from "./harness.ts";

describe.skipIf(!hasBrowser)("pointers", () => {
  const site = demoSite();
  let page: Page;
  const visit = async (query: string): Promise<Page> => {
    page = await site.visit(query);
    return page;
  };

  it("works under a content security policy without inline code", async () => {
    const context = await site.browser.newContext();
    page = await context.newPage();
    const refused: string[] = [];
    page.on(
      "console",
      (message) => /content security policy/i.test(message.text()) && refused.push(message.text()),
    );
    await page.route("**/demo/board.html*", async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), "content-security-policy": "default-src 'self'" };
      await route.fulfill({ response, headers });
    });
    await page.goto(`${site.address}demo/board.html?game=diamondring&view=square`);
    const piece = page.locator("loz-board .piece").first();
    await piece.waitFor({ state: "attached" });
    // Of the demo's own: its empty icon, and the connection of vite's server.
    expect(refused.filter((text) => !/data:,|'ws:/.test(text))).toEqual([]);
    const color = await page.locator("loz-board .dark").evaluate((cells) => getComputedStyle(cells).fill);
    expect(color).not.toBe("rgb(0, 0, 0)");
  });

  for (const [game, move] of [
    ["diamond", "e4e5"],
    ["diagonal", "d1e2"],
    ["diamondback", "a4b4"],
    ["diamondring", "f4f5"],
    ["doublediamond", "d4e5"],
  ] as const) {
    for (const view of ["diamond", "square"]) {
      it(`moves by drag and by two clicks in ${game}, ${view}`, async () => {
        await visit(`game=${game}&view=${view}`);
        const legal = await page.evaluate(() => (window as never as Demo).fixture.state.moves);
        const chosen = legal.includes(move) ? move : (legal[0] ?? "");
        const [from, to] = [chosen.slice(0, 2), chosen.slice(2, 4)];
        await drag(page, from, to);
        expect(await eventsOf(page, "move")).toEqual([
          expect.objectContaining({ move: chosen, premove: false }),
        ]);
        expect((await piecesOf(page))[from]).toBeUndefined();

        await visit(`game=${game}&view=${view}&turns=2`);
        await page.mouse.click(...(await at(page, from)));
        await page.mouse.click(...(await at(page, to)));
        expect(await eventsOf(page, "move")).toEqual([expect.objectContaining({ move: chosen })]);
        expect(faultsOf(page)).toEqual([]);
      });
    }
  }
});

interface Demo {
  fixture: { state: { moves: string[] } };
}
