/** The panel beside and below the board of a game: what is in it, in which order, and that a window shows all of it. */
import { describe, expect, it } from "vitest";
import { ADDRESS, canRun, PHONE, type Visitor, createVisitors } from "./harness.ts";

/** The actions after a game. Some depend on the viewer; the order never does. */
const NEXT = ["Rematch", "New game", "Analysis", "Game review", "Study", "Continue from here", "Puzzles"];

describe.skipIf(!canRun)("panel of a game", () => {
  const visitors = createVisitors();

  /** The buttons after a game in the order in which they are read: by rows, each from left to right. */
  const nextButtons = async ({ page }: Visitor): Promise<string[]> => {
    const buttons = await page.locator(".g-next > *").evaluateAll((elements) =>
      elements.map((element) => {
        const { top, left } = element.getBoundingClientRect();
        return { text: (element as HTMLElement).innerText.trim(), top: Math.round(top / 8), left };
      }),
    );
    return buttons.sort((one, other) => one.top - other.top || one.left - other.left).map(({ text }) => text);
  };

  it("has no line to type in on phones without a keyboard", async () => {
    const { white, black } = await visitors.startGame({ variant: "diamond" });
    const typed = (visitor: Visitor) => visitor.page.locator(".g-typed form");
    expect((await typed(white).boundingBox())?.height).toBeGreaterThan(30);
    expect((await typed(black).boundingBox())?.height).toBeLessThanOrEqual(1);
    expect(await black.page.locator("#g-chat-input").isVisible()).toBe(false);
    await black.page.locator("#g-command").focus();
    expect((await typed(black).boundingBox())?.height).toBeGreaterThan(30);
    await black.page.locator("#g-command").blur();
    await black.button("Write a message").click();
    await expect.poll(() => black.page.evaluate(() => document.activeElement?.id)).toBe("g-chat-input");
    expect(await black.overflows()).toBe(false);
  });

  it("offers what comes next in one order to all", async () => {
    const { white, black, game } = await visitors.startGame({ variant: "diamond" });
    const spectator = await visitors.create(PHONE);
    const data = { name: `panel_${Date.now().toString(36).slice(-6)}`, password: "correct horse battery" };
    expect((await spectator.context.request.post(`${ADDRESS}/api/account/register`, { data })).ok()).toBe(true);
    await white.play((await white.turn())[0] ?? "");
    await black.play((await black.turn())[0] ?? "");
    await white.resign();
    await black.result.waitFor();
    await spectator.open(game.id);
    for (const visitor of [white, black, spectator]) {
      const labels = await nextButtons(visitor);
      expect(labels.length).toBeGreaterThanOrEqual(5);
      expect(labels).toEqual(NEXT.filter((label) => labels.includes(label)));
      expect(await visitor.overflows()).toBe(false);
    }
  });

  it("shows the whole of a game in a window of 800 pixels", async () => {
    const bottom = ({ page }: Visitor): Promise<number> =>
      page.evaluate(() => Math.max(...[...document.querySelectorAll(".g-page > *, .g-panel > *, .g-chat > *")].map((part) => part.getBoundingClientRect().bottom)));
    for (const variant of ["diamondring", "diamond", "doublediamond"]) {
      const { white, black } = await visitors.startGame({ variant, clock: { kind: "live", initial_s: 300, increment_s: 0 } });
      await expect.poll(() => bottom(white), { message: variant }).toBeLessThanOrEqual(800);
      await white.play((await white.turn())[0] ?? "");
      await black.play((await black.turn())[0] ?? "");
      await white.turn();
      await white.resign();
      await expect.poll(() => bottom(white), { message: `${variant}, finished` }).toBeLessThanOrEqual(800);
    }
  });
});
