/** Cards of pieces and the panel of rules beside boards: on games, analysis boards, lessons and puzzles. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { LozBoard } from "../../src/board/index.ts";
import { canRun, DESKTOP, PHONE, type Visitor, createVisitors } from "./harness.ts";

describe.skipIf(!canRun)("explanations", () => {
  const visitors = createVisitors();
  const ready = (page: Page) => page.waitForFunction(() => document.querySelector("loz-board")?.shadowRoot?.querySelector(".piece"));
  const spoken = (page: Page): Promise<string> =>
    page.evaluate(() => document.querySelector("loz-board")?.shadowRoot?.querySelector(".live-region")?.textContent ?? "");
  const focus = (page: Page, square: string) =>
    page.evaluate((square) => {
      const cells = document.querySelector("loz-board")?.shadowRoot?.querySelectorAll<HTMLElement>("[role=gridcell]") ?? [];
      [...cells].find((cell) => cell.getAttribute("aria-label")?.startsWith(`${square},`))?.focus();
    }, square);
  const marks = (page: Page): Promise<number> =>
    page.evaluate(() => (document.querySelector(".piece-card loz-board") as LozBoard).marks.length);
  const againstEngine = { opponent: { kind: "engine", level: 1 } } as const;
  const openGame = async (visitor: Visitor, variant: string): Promise<void> => {
    const { id } = await visitor.createGame({ variant, ...againstEngine });
    await visitor.open(id);
  };

  it("of a piece show while the mouse rests on it, between moves", async () => {
    const visitor = await visitors.create(DESKTOP);
    const { page } = visitor;
    await openGame(visitor, "diamond");
    const card = page.locator(".piece-card");
    await page.mouse.move(...(await visitor.at("e8")));
    await card.waitFor();
    expect(await card.innerText()).toMatch(/^Knight\s+Moves or captures like the knight of chess/);
    // Its own square, and eight others.
    await expect.poll(() => marks(page)).toBe(9);
    expect(await visitor.audit()).toEqual([]);
    await page.mouse.move(...(await visitor.at("e4")));
    await card.waitFor();
    await visitor.play("e4d4");
    expect(await card.count()).toBe(0);
  });

  it("of a piece are spoken by `?` on its square, in German too", async () => {
    const visitor = await visitors.create({ ...DESKTOP, locale: "de" });
    const { page } = visitor;
    await page.goto("/analysis?variant=diamond");
    await ready(page);
    await focus(page, "e8");
    await page.keyboard.press("?");
    await page.locator(".piece-card").waitFor();
    expect(await spoken(page)).toMatch(/^Springer\. Zieht oder schlägt wie der Springer/);
    // It is no key for the help of the page.
    expect(await page.locator("dialog").count()).toBe(0);
    await page.keyboard.press("Escape");
    expect(await page.locator(".piece-card").count()).toBe(0);
    await focus(page, "c5");
    await page.keyboard.press("?");
    await page.locator("dialog").waitFor();
  });

  it("of a piece show in the editor, on and beside the board", async () => {
    const visitor = await visitors.create(DESKTOP);
    const { page } = visitor;
    await page.goto("/editor?variant=diamond");
    await ready(page);
    const card = page.locator(".piece-card");
    await page.mouse.move(...(await visitor.at("e8")));
    await card.waitFor();
    expect(await card.innerText()).toMatch(/^Knight/);
    await page.getByRole("button", { name: "White Vizier" }).hover();
    await expect.poll(() => card.innerText()).toMatch(/^Vizier/);
    expect(await visitor.audit()).toEqual([]);
    await page.getByRole("button", { name: "White Pawn" }).focus();
    await page.keyboard.press("?");
    await expect.poll(() => spoken(page)).toMatch(/^Pawn\. /);

    const phone = await visitors.create(PHONE);
    await phone.page.goto("/editor?variant=diamond");
    await ready(phone.page);
    const touch = await phone.context.newCDPSession(phone.page);
    const piece = phone.page.getByRole("button", { name: "White Archbishop" });
    const box = await piece.boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    await phone.page.locator(".piece-card").waitFor();
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    expect(await phone.page.locator(".piece-card").innerText()).toMatch(/^Archbishop/);
  });

  it("of a piece show for a held finger, until the next tap", async () => {
    const visitor = await visitors.create(PHONE);
    const { page, context } = visitor;
    await page.goto("/learn/diamond#piece-r-1");
    await ready(page);
    const square = await page.evaluate(() => {
      const board = document.querySelector("loz-board") as LozBoard;
      return board.board?.squares[board.pieces.find(({ role }) => role === "rook")?.square ?? 0]?.name ?? "";
    });
    const touch = await context.newCDPSession(page);
    const [x, y] = await visitor.at(square);
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    await page.locator(".piece-card").waitFor();
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await page.waitForTimeout(400);
    expect(await page.locator(".piece-card").innerText()).toContain("Rook");
    expect(await visitor.overflows()).toBe(false);
    await page.touchscreen.tap(20, 20);
    await page.locator(".piece-card").waitFor({ state: "detached" });
  });

  it("of the game open in a panel beside the running game", async () => {
    const visitor = await visitors.create(DESKTOP);
    const { page } = visitor;
    await openGame(visitor, "diamondback");
    const button = visitor.button("Rules");
    await button.click();
    const panel = page.locator(".rules-panel");
    await panel.locator(".rules-panel-piece").first().waitFor();
    expect(await panel.locator("h4").allInnerTexts()).toEqual(["King", "Queen", "Rook", "Bishop", "Knight", "Pawn"]);
    expect(await panel.innerText()).toContain("A white King or Pawn that arrives on h8 by a legal move wins at once");
    expect(await visitor.audit()).toEqual([]);
    await visitor.useDarkColors();
    expect(await visitor.audit(["color-contrast"])).toEqual([]);
    const [move = ""] = await visitor.turn();
    await visitor.play(move);
    await panel.getByRole("group").focus();
    await page.keyboard.press("Escape");
    expect(await panel.count()).toBe(0);
    await button.click();
    await panel.getByRole("button", { name: "Close the rules" }).click();
    expect(await panel.count()).toBe(0);
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it.each(["/analysis?variant=diamondring", "/learn/diamond#piece-r-1", "/puzzles/next?variant=diamond"])(
    "of the whole game are a sheet on a phone at %s",
    async (path) => {
      const visitor = await visitors.create(PHONE);
      const { page } = visitor;
      await page.goto(path);
      await ready(page);
      await visitor.button("Rules").click();
      await page.locator(".rules-panel-piece").first().waitFor();
      expect(await visitor.overflows()).toBe(false);
      expect(await visitor.audit()).toEqual([]);
    },
  );
});
