/** The pages on which games are explained: each has a diagram that answers. */
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { LozBoard } from "../../src/board/index.ts";
import { ADDRESS, canRun, DESKTOP, PHONE, createVisitors } from "./harness.ts";

interface Summary {
  id: string;
  name: string;
  main: boolean;
}

const games: Summary[] = canRun
  ? ((await (await fetch(`${ADDRESS}/api/variants`)).json()) as Summary[])
  : [];

describe.skipIf(!canRun)("rules pages", () => {
  const visitors = createVisitors();

  it("are linked from the list for every game", async () => {
    const guest = await visitors.create(PHONE);
    await guest.page.goto("/rules");
    const links = await guest.page.locator(".card h3 a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    // Games of users have pages of their own.
    const builtIn = games.filter(({ id }) => !id.startsWith("~"));
    expect([...links].sort()).toEqual(builtIn.map(({ id }) => `/rules/${id}`).sort());
    expect(links.length).toBeGreaterThan(4);
  });

  // One page after the other in the same window, as a reader does.
  it("show diagrams for each piece of the five main games", { timeout: 240_000 }, async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    for (const { id, name, main } of games) {
      await page.goto(`/rules/${id}`);
      expect(await page.locator("h1").innerText()).toBe(name);
      const pieces = page.locator("section.piece");
      const count = await pieces.count();
      expect(count, name).toBeGreaterThan(2);
      for (let index = 0; index < (main ? count : 1); index += 1) {
        const piece = pieces.nth(index);
        await piece.scrollIntoViewIfNeeded();
        const count = piece.locator(".pieces-count");
        await expect.poll(() => count.innerText(), { message: `${name}, ${index}` }).toMatch(/ on \w+: \d+ squares?$/);
        // The count equals the number of marked squares.
        const marked = await piece.locator("loz-board").evaluate((board) => {
          const { marks } = board as LozBoard;
          return new Set(marks.filter(({ kind }) => kind !== "from").map(({ square }) => square)).size;
        });
        expect(marked, `${name}, ${index}`).toBeGreaterThan(0);
        expect(await count.innerText(), name).toContain(`: ${marked} square`);
      }
    }
  });

  /** The board of a piece, once it is drawn. */
  const piece = async (page: Page, name: string): Promise<Locator> => {
    const section = page.locator("section.piece", { has: page.locator("h4", { hasText: name }) });
    await section.scrollIntoViewIfNeeded();
    await expect.poll(() => section.locator(".pieces-count").innerText()).not.toBe("");
    return section;
  };

  /** The position of a square of a piece's board in the window. */
  const at = (section: Locator, square: string): Promise<[number, number]> =>
    section.locator("loz-board").evaluate((element, square) => {
      const board = element as LozBoard;
      const plane = board.plane;
      const number = board.board?.squares.findIndex(({ name }) => name === square) ?? -1;
      if (!plane || number < 0) throw new Error("no such square");
      const [x, y] = board.layers.toFrame(plane.center(plane.placeOf(number)));
      const box = board.layers.frame.getBoundingClientRect();
      return [box.left + x, box.top + y];
    }, square);

  it("move the diagram's piece to the clicked square", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await page.goto("/rules/diamondring");
    const rook = await piece(page, "Rook");
    const count = rook.locator(".pieces-count");
    const click = async (square: string): Promise<void> => {
      await page.mouse.click(...(await at(rook, square)));
      await expect.poll(() => count.innerText()).toContain(`Rook on ${square}:`);
    };
    await click("c4");
    const white = await count.innerText();
    await page.getByRole("radio", { name: "Diamond" }).check();
    await page.getByRole("radio", { name: "Square" }).check();
    await rook.scrollIntoViewIfNeeded();
    await click("k9");
    await page.getByRole("radio", { name: "Black" }).check();
    await rook.scrollIntoViewIfNeeded();
    await click("c4");
    // The moves of such a piece do not depend on its color.
    expect(await count.innerText()).toBe(white);
    const pieces = await rook.locator("loz-board").evaluate((board) => (board as LozBoard).pieces.map(({ color }) => color));
    expect(pieces).toEqual(["black"]);
    // The piece itself, and the ground beside the board, change nothing; the next press does.
    await page.mouse.click(...(await at(rook, "c4")));
    await click("e4");
    expect(await guest.overflows()).toBe(false);
  });

  it("expose the same number of squares to screen readers", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await page.goto("/rules/diamondring");
    const bishop = await piece(page, "Bishop");
    expect(await bishop.locator(".pieces-count").innerText()).toBe("Bishop on f6: 21 squares");
    const cells = bishop.locator("loz-board [role=gridcell]");
    const countReachable = async (): Promise<number> =>
      (await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute("aria-label") ?? ""))).filter((name) =>
        name.includes("possible move"),
      ).length;
    await expect.poll(countReachable).toBe(21);
    const announcement = bishop.locator("loz-board .live-region");
    await page.mouse.click(...(await at(bishop, "c4")));
    await expect.poll(() => bishop.locator(".pieces-count").innerText()).toContain("Bishop on c4:");
    expect(await announcement.innerText()).not.toContain("143");
  });

  it("offer squares from which a piece moves differently", async () => {
    const guest = await visitors.create(PHONE);
    const { page } = guest;
    await page.goto("/rules/diamondring");
    const pawn = await piece(page, "Pawn");
    const chips = pawn.locator(".chip");
    expect(await chips.count()).toBeGreaterThan(1);
    const square = await chips.nth(1).innerText();
    await chips.nth(1).click();
    await expect.poll(() => pawn.locator(".pieces-count").innerText()).toContain(`Pawn on ${square}:`);
    // Each piece once, and no section twice.
    const headings = await page.locator("h2, h3").allInnerTexts();
    expect(new Set(headings).size).toBe(headings.length);
  });

  it("prints the moves of all pieces, scrolled to or not", async () => {
    const reader = await visitors.create(DESKTOP);
    const { page } = reader;
    await page.goto("/rules/diamondring-fusion");
    await page.locator(".piece-board").first().scrollIntoViewIfNeeded();
    await page.locator(".piece-board loz-board").first().waitFor();
    const shown = (): Promise<boolean[]> =>
      page.locator(".piece-board").evaluateAll((places) => places.map((place) => place.querySelector("loz-board, pre") !== null));
    expect(await shown()).toContain(false);
    await page.pdf();
    expect(await shown()).not.toContain(false);
    // On the screen they are boards.
    const last = page.locator(".piece-board").last();
    await last.scrollIntoViewIfNeeded();
    await last.locator("loz-board").waitFor();
    expect(await last.locator("pre").count()).toBe(0);
  });

  it("use the reader's language, also on the board", async () => {
    const guest = await visitors.create({ ...PHONE, locale: "de-DE" });
    const { page } = guest;
    await page.goto("/rules/diamondring");
    expect(await page.locator(".lead").innerText()).toMatch(/^Ein Brett/);
    expect(await page.locator(".written h3").allInnerTexts()).toContain("Die Figuren");
    const rook = await piece(page, "Turm");
    expect(await rook.innerText()).toContain("Zieht oder schlägt beliebig viele Felder");
    expect(await guest.overflows()).toBe(false);
    expect(await rook.locator("loz-board").getByRole("grid").getAttribute("aria-label")).toContain("Pfeiltasten");
  });
});
