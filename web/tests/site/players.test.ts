/** A game's page for its players: ratings after the end, captures, the turn, zen mode, and confirmation of moves. */
import { describe, expect, it } from "vitest";
import { ADDRESS, canRun, PHONE, type Visitor, createVisitors } from "./harness.ts";

const CAPTURE = "8/8/7k/3p4/4P3/8/8/K7 w - - 0 1";

describe.skipIf(!canRun)("a player", () => {
  const visitors = createVisitors();
  const strip = (visitor: Visitor, side: "white" | "black") =>
    visitor.page.locator(".g-player", { has: visitor.page.locator(`.g-side-${side}`) });

  it("sees the rating changes of both players after a rated game", async () => {
    const [white, black] = [await visitors.create(), await visitors.create()];
    const tag = Date.now().toString(36).slice(-6);
    for (const [visitor, name] of [
      [white, `White_the_longest${tag.slice(-3)}`],
      [black, `Black_${tag}`],
    ] as const) {
      const data = { name, password: "correct horse battery" };
      const response = await visitor.context.request.post(`${ADDRESS}/api/account/register`, { data });
      expect(response.status(), await response.text()).toBe(200);
    }
    const clock = { kind: "live", initial_s: 15, increment_s: 1 } as const;
    const game = await white.createGame({ variant: "diagonal", rated: true, clock });
    await white.open(game.id);
    await black.join(game.id);
    for (const visitor of [white, black]) await visitor.play((await visitor.turn())[0] ?? "");
    // Tenths are shown, and still the name is whole.
    const name = strip(white, "white").locator(".g-name-text");
    expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth + 1)).toBe(true);
    await black.resign();
    for (const visitor of [white, black]) {
      await expect.poll(() => strip(visitor, "white").locator(".g-change").innerText()).toMatch(/^\+\d+$/);
      await expect.poll(() => strip(visitor, "black").locator(".g-change").innerText()).toMatch(/^\u2212\d+$/);
      const rating = await strip(visitor, "white").locator(".g-rating").last().innerText();
      expect(Number(/^\d+/.exec(rating)?.[0])).toBeGreaterThan(1500);
    }
    // Also for visitors who come later.
    await white.page.reload();
    await white.ready();
    expect(await strip(white, "white").locator(".g-change").innerText()).toMatch(/^\+\d+$/);
  });

  it("signs in from the link to a rated game, and comes back to it", async () => {
    const [white, guest] = [await visitors.create(), await visitors.create(PHONE)];
    const tag = Date.now().toString(36).slice(-6);
    const data = { name: `Host_${tag}`, password: "correct horse battery" };
    expect((await white.context.request.post(`${ADDRESS}/api/account/register`, { data })).status()).toBe(200);
    const clock = { kind: "live", initial_s: 300, increment_s: 3 } as const;
    const game = await white.createGame({ variant: "diamond", rated: true, clock });
    await guest.open(game.id);
    await guest.page.getByText("Sign in to play a rated game.").waitFor();
    expect(await guest.button("Join the game").count()).toBe(0);
    expect(await guest.audit()).toEqual([]);
    await guest.page.locator(".g-waiting").getByRole("link", { name: "Sign in" }).click();
    await guest.page.waitForURL(/\/login\?next=/);
    await guest.page.locator("#sign").getByRole("link", { name: "Register" }).click();
    await guest.page.waitForURL(/\/register\?next=/);
    await guest.page.getByLabel("Name").fill(`Guest_no_more_${tag.slice(-4)}`);
    await guest.page.getByLabel("Password").fill("correct horse battery");
    await guest.page.locator("#sign button[type=submit]").click();
    await guest.page.locator(".keep input[type=checkbox]").check();
    await guest.page.locator(".keep > button").click();
    await guest.page.waitForURL((url) => url.pathname === `/game/${game.id}`);
    await guest.button("Join the game").click();
    await guest.page.locator('.g-page[data-status="started"]').waitFor();
  });

  it("sees captured pieces, confirms moves if the setting is on", async () => {
    const { white, black } = await visitors.startGame({ variant: "chess", fen: CAPTURE });
    await white.page.locator(".looks summary").click();
    await white.page.locator('input[name="frame-confirm-moves"][value="on"]').check({ force: true });
    await white.page.keyboard.press("Escape");
    const capture = (await white.turn()).find((move) => move.startsWith("e4d5")) ?? "";
    expect(capture).not.toBe("");
    await white.click("e4", "d5");
    await white.page.locator(".g-confirm").getByRole("button", { name: "Cancel" }).click();
    await white.turn();
    expect(await white.moveCount()).toBe(0);
    await white.click("e4", "d5");
    await white.page.locator(".g-confirm").getByRole("button", { name: "Play" }).click();
    for (const visitor of [white, black]) {
      await visitor.moves(1);
      await expect.poll(() => strip(visitor, "white").locator(".g-pile > *").count()).toBe(1);
      expect(await strip(visitor, "black").locator(".g-pile").count()).toBe(0);
      expect(await strip(visitor, "white").locator(".g-ahead").innerText()).toMatch(/^\+\d$/);
    }
    const pile = strip(white, "white").getByRole("button", { name: "1 Pawn" });
    await pile.focus();
    await white.page.keyboard.press("Enter");
    await white.page.locator(".piece-card").waitFor();
    expect(await white.page.locator(".piece-card").innerText()).toMatch(/^Pawn/);
    expect(await white.audit()).toEqual([]);
    await white.page.keyboard.press("Escape");
    expect(await white.page.locator(".piece-card").count()).toBe(0);
  });

  it("gets a turn alert while the page is hidden", async () => {
    const { white, black } = await visitors.startGame({ variant: "diagonal" });
    const { page } = black;
    const setHidden = (hidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    const icon = () => page.locator('link[rel~="icon"]').getAttribute("href");
    const originalIcon = await icon();
    await setHidden(true);
    expect(await page.title()).not.toContain("Your turn");
    await white.play((await white.turn())[0] ?? "");
    await expect.poll(() => page.title()).toBe("● Your turn!");
    await expect.poll(() => page.title()).toContain("·");
    await expect.poll(icon).toMatch(/^data:image\/svg/);
    await setHidden(false);
    await expect.poll(() => page.title()).toContain("Your turn ·");
    expect(new URL((await icon()) ?? "", ADDRESS).pathname).toBe(new URL(originalIcon ?? "", ADDRESS).pathname);
  });

  it("sees only the game in zen mode", async () => {
    const { white } = await visitors.startGame({ variant: "diamondring" });
    const { page } = white;
    const top = page.locator(".top");
    await page.locator("body").click({ position: { x: 2, y: 400 } });
    await page.keyboard.press("z");
    await top.waitFor({ state: "hidden" });
    expect(await page.locator(".g-chat").isVisible()).toBe(false);
    expect(await page.locator(".g-clock, loz-board").first().isVisible()).toBe(true);
    await page.getByRole("button", { name: "Leave zen mode" }).click();
    await top.waitFor({ state: "visible" });
  });

  it("sees the torus hint, which covers no name", async () => {
    const { white, black } = await visitors.startGame({ variant: "diamondring" });
    for (const visitor of [white, black]) {
      const covered = await visitor.page.evaluate(() => {
        const hint = document.querySelector(".g-hint")?.getBoundingClientRect();
        const others = [...document.querySelectorAll(".g-player, .top, loz-board")];
        return !hint || others.some((other) => {
          const box = other.getBoundingClientRect();
          return box.left < hint.right && hint.left < box.right && box.top < hint.bottom && hint.top < box.bottom;
        });
      });
      expect(covered).toBe(false);
      await visitor.page.locator(".g-hint").getByRole("button").click();
      await visitor.page.locator(".g-hint").waitFor({ state: "detached" });
    }
  });
});
