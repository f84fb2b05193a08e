/** The board in a real browser: premoves that may promote, and those that a page enters. */
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { at, demoSite, drag, eventsOf, faultsOf, hasBrowser } from "./harness.ts";

interface Demo {
  element: import("../src/board/index.ts").LozBoard;
}

describe.skipIf(!hasBrowser)("premoves", () => {
  const site = demoSite();
  let page: Page;
  beforeEach(async () => {
    page = await site.visit("game=diamondback&view=square&movable=black&premove&silent");
  });
  const moves = async (): Promise<unknown[]> => (await eventsOf(page, "move")).map((detail) => detail.move);
  const mark = (): Promise<string | null> => page.locator("loz-board .mark.premove").getAttribute("d");
  const readAnnouncement = () => page.locator("loz-board .live-region").textContent();
  const ghosts = () => page.locator("loz-board .premove-ghost use").count();
  /** Sets the board's promotions: black pawns on e4. */
  const setPromotions = (letters = ["q", "n"]): Promise<void> =>
    page.evaluate(async (letters) => {
      const { element } = window as never as Demo;
      const board = element.board;
      if (!board) throw new Error("no board yet");
      const squares = [board.squares.findIndex((square) => square.name === "e4")];
      element.board = { ...board, promotions: [{ role: "pawn", color: "black", squares, letters }] };
      await element.updated;
    }, letters);
  const turn = async (moves: string[]): Promise<void> => {
    await page.evaluate((moves) => {
      (window as never as Demo).element.destinations = moves;
    }, moves);
    await page.waitForTimeout(50);
  };

  it("open the chooser if promotions are known", async () => {
    await setPromotions();
    await drag(page, "e5", "e4");
    await page.locator("loz-board .chooser button", { hasText: "Knight" }).click();
    expect(await readAnnouncement()).toBe("premove e5 to e4, becomes knight");
    expect(await ghosts()).toBe(1);
    await turn(["e5e4q", "e5e4n", "h5g5"]);
    expect(await moves()).toEqual(["e5e4n"]);
    expect([await mark(), await ghosts()]).toEqual(["", 0]);
    expect(faultsOf(page)).toEqual([]);
  });

  it("are dropped without a chooser if the promotion is not legal", async () => {
    await setPromotions();
    await drag(page, "e5", "e4");
    await page.locator("loz-board .chooser button", { hasText: "Queen" }).click();
    await turn(["e5e4r", "e5e4n"]);
    expect(await moves()).toEqual([]);
    expect(await page.locator("loz-board .chooser").isVisible()).toBe(false);
    expect(await eventsOf(page, "premove-cancelled")).toEqual([{ reason: "illegal" }]);
    expect([await mark(), await ghosts()]).toEqual(["", 0]);
  });

  it("are not set if canceled while the chooser is open", async () => {
    await setPromotions();
    await drag(page, "e5", "e4");
    await page.locator("loz-board .chooser button", { hasText: "Queen" }).waitFor();
    await page.evaluate(() => (window as never as Demo).element.cancelPremove());
    await turn(["e5e4q", "e5e4n"]);
    expect(await page.locator("loz-board .chooser").isVisible()).toBe(false);
    expect([await moves(), await mark()]).toEqual([[], ""]);
  });

  it("are not set if the user cancels the chooser", async () => {
    await setPromotions();
    await drag(page, "e5", "e4");
    await page.locator("loz-board .chooser").waitFor();
    await page.keyboard.press("Escape");
    expect(await mark()).toBe("");
    expect(await eventsOf(page, "premove")).toEqual([]);
  });

  it("are played at once if the turn comes during the choice", async () => {
    await setPromotions();
    await drag(page, "e5", "e4");
    await page.locator("loz-board .chooser").waitFor();
    await turn(["e5e4q", "e5e4n"]);
    expect(await moves()).toEqual([]);
    await page.locator("loz-board .chooser button", { hasText: "Knight" }).click();
    expect(await moves()).toEqual(["e5e4n"]);
  });

  it("open the chooser on the turn if promotions were unknown", async () => {
    await drag(page, "e5", "e4");
    expect(await page.locator("loz-board .chooser").isVisible()).toBe(false);
    await turn(["e5e4q", "e5e4n"]);
    await page.locator("loz-board .chooser button", { hasText: "Knight" }).click();
    expect(await moves()).toEqual(["e5e4n"]);
  });

  it("can be set by the page, and look like those set by pointer", async () => {
    const enterPremove = (suffix: string): Promise<void> =>
      page.evaluate((suffix) => {
        const { element } = window as never as Demo;
        const number = (name: string) => element.board?.squares.findIndex((square) => square.name === name) ?? -1;
        element.setPremove(number("e5"), number("e4"), suffix);
      }, suffix);
    await enterPremove("");
    const typed = await mark();
    expect(await readAnnouncement()).toBe("premove e5 to e4");
    await page.evaluate(() => (window as never as Demo).element.cancelPremove());
    expect(await mark()).toBe("");
    expect(await readAnnouncement()).toBe("premove cancelled");
    await drag(page, "e5", "e4");
    expect(await mark()).toBe(typed);
    await enterPremove("n");
    await turn(["e5e4q", "e5e4n"]);
    expect(await moves()).toEqual(["e5e4n"]);
  });

  it("wait while the page shows an earlier position", async () => {
    await page.mouse.click(...(await at(page, "e5")));
    await page.mouse.click(...(await at(page, "e4")));
    const movable = (value: "none" | "black"): Promise<void> =>
      page.evaluate(async (value) => {
        const { element } = window as never as Demo;
        element.movable = value;
        await element.updated;
      }, value);
    await movable("none");
    expect(await mark()).toBe("");
    expect(await eventsOf(page, "premove-cancelled")).toEqual([]);
    await movable("black");
    expect(await mark()).not.toBe("");
    await turn(["e5e4"]);
    expect(await moves()).toEqual(["e5e4"]);
  });
});
