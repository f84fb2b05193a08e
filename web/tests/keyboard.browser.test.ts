/** The board in a real browser, by keys alone and as it is read aloud. */
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { demoSite, eventsOf, faultsOf, hasBrowser } from "./harness.ts";

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[];
}

describe.skipIf(!hasBrowser)("keyboard and screen readers", () => {
  const site = demoSite();
  let page: Page;
  const visit = async (query: string): Promise<void> => {
    page = await site.visit(query);
  };
  const focused = () =>
    page.evaluate(() =>
      document.querySelector("loz-board")?.shadowRoot?.activeElement?.getAttribute("aria-label"),
    );
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const announced = () => page.locator("loz-board .live-region").textContent();

  it("can move a piece", async () => {
    await visit("game=diamondback&view=square");
    await press("Tab");
    expect(await focused()).toMatch(/^a1, white king/);
    await press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp");
    expect(await focused()).toBe("d4, white pawn, can move");
    await press("Enter");
    expect(await focused()).toBe("d4, white pawn, selected");
    expect(await announced()).toMatch(/^white pawn, d4: \d moves$/);
    await press("ArrowUp");
    expect(await focused()).toBe("d5, empty, possible move");
    await press("Enter");
    expect((await eventsOf(page, "move")).map((detail) => detail.move)).toEqual(["d4d5"]);
    expect(await announced()).toBe("white pawn, d4 to d5");
    expect(faultsOf(page)).toEqual([]);
  });

  it("have one cell in the tab order and a label for every cell", async () => {
    await visit("game=diamond");
    const cells = page.locator("loz-board [role=gridcell]");
    expect(await cells.count()).toBe(40);
    expect(await page.locator("loz-board [role=gridcell][tabindex='0']").count()).toBe(1);
    const names = await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute("aria-label") ?? ""));
    expect(names.every((name) => /^[a-i][1-9], (empty|(white|black) [a-z -]+)/.test(name))).toBe(true);
    expect(await page.locator("loz-board [role=grid]").getAttribute("aria-label")).toContain("Diamond Chess");
  });

  it("deselect with Escape", async () => {
    await visit("game=diamondback&view=square");
    await press("Tab", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", "Enter");
    expect(await focused()).toContain("selected");
    await press("Escape");
    expect(await focused()).not.toContain("selected");
    expect(await announced()).toBe("selection cleared");
  });

  it("can choose a promotion, and then focuses the board", async () => {
    await visit("game=promotion&view=square");
    await press("Tab");
    await press(...Array(4).fill("ArrowRight"), ...Array(6).fill("ArrowUp"), "Enter", "ArrowUp", "Enter");
    await page.locator("loz-board .chooser").waitFor();
    await press("ArrowRight", "ArrowRight", "Enter");
    expect((await eventsOf(page, "move")).map((detail) => detail.move)).toEqual(["e7e8q"]);
    expect(await focused()).toMatch(/^e8, white queen/);
  });

  it("can choose a promotion by its letter", async () => {
    await visit("game=promotion&view=square");
    await press("Tab");
    await press(...Array(4).fill("ArrowRight"), ...Array(6).fill("ArrowUp"), "Enter", "ArrowUp", "Enter");
    await page.locator("loz-board .chooser").waitFor();
    await press("n");
    expect((await eventsOf(page, "move")).map((detail) => detail.move)).toEqual(["e7e8n"]);
  });

  it("cross joined edges and scroll with Shift", async () => {
    await visit("game=diamondring&view=square");
    await press("Tab");
    expect(await focused()).toMatch(/^g1, white king|^a6|, white king/);
    const start = (await focused()) ?? "";
    for (let count = 0; count < 12; count += 1) await press("ArrowLeft");
    expect(await focused()).toBe(start);
    await press("Shift+ArrowRight");
    await page.waitForTimeout(300);
    expect((await eventsOf(page, "scrolled")).at(-1)).toEqual({ file: 1, rank: 0 });
    expect(await focused()).toBe(start);
  });

  it("can click a cell", async () => {
    await visit("game=diamondback&view=square");
    await page.locator("loz-board [role=gridcell][aria-label^='d4,']").dispatchEvent("click");
    await page.locator("loz-board [role=gridcell][aria-label^='d5,']").dispatchEvent("click");
    expect((await eventsOf(page, "move")).map((detail) => detail.move)).toEqual(["d4d5"]);
  });

  it.each(["diamond", "diamondring"])("cause no axe violations (%s)", async (game) => {
    await visit(`game=${game}`);
    await page.addScriptTag({ path: fileURLToPath(import.meta.resolve("axe-core/axe.min.js")) });
    const violations = await page.evaluate(async () => {
      const { axe } = window as never as { axe: { run(element: Element): Promise<AxeResults> } };
      const board = document.querySelector("loz-board");
      return board ? (await axe.run(board)).violations : null;
    });
    expect(violations?.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
  });

  it("get an announcement of the opponent's move", async () => {
    await visit("game=diamondback&view=square&movable=white&silent");
    await page.evaluate(() => {
      const { element, fixture } = window as never as {
        element: import("../src/board/index.ts").LozBoard;
        fixture: { state: { pieces: import("../src/board/index.ts").Piece[] } };
      };
      const square = (name: string) => element.board?.squares.findIndex((square) => square.name === name) ?? -1;
      element.pieces = fixture.state.pieces
        .filter((piece) => piece.square !== square("d4"))
        .map((piece) => (piece.square === square("e5") ? { ...piece, square: square("d4") } : piece));
      element.last = [square("e5"), square("d4")];
      element.check = square("a1");
    });
    expect(await announced()).toBe("black pawn, e5 to d4, takes white pawn, check");
  });
});
