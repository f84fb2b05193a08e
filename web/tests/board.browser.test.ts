/** The board in a real browser: what a pointer does. Keyboard and torus have files of their own. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { at, close, demo, drag, eventsOf, faultsOf, hasBrowser, menOf, open, type Site } from "./harness.ts";

describe.skipIf(!hasBrowser)("pointers", () => {
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    site = await open();
  });
  afterAll(async () => {
    await close(site);
  });
  const visit = async (query: string): Promise<Page> => {
    page = await demo(site, query);
    return page;
  };

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
        expect((await menOf(page))[from]).toBeUndefined();

        await visit(`game=${game}&view=${view}&flipped`);
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
