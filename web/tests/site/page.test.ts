/** The page of a game itself: special moves, keys, typed moves, the torus. */
import type { BrowserContextOptions } from "playwright-core";
import { describe, expect, it } from "vitest";
import { canRun, seededRandom, DESKTOP, type Game, PHONE, pick, type Visitor, createVisitors } from "./harness.ts";

const ENGINE = { kind: "engine", level: 1 } as const;
const PROMOTION = "1q5k/4P3/8/8/8/8/8/K7 w - - 0 1";
const CASTLING = "**2rnbmk/**1pppppq/7pb/1P5pn/RP5pr/NP5p1/BP7/MPPPPP1**/K3R2** w KQkq - 0 1";

describe.skipIf(!canRun)("the game page", () => {
  const visitors = createVisitors();
  let guest: Visitor;
  let game: Game;
  const openGame = async (
    terms: Parameters<Visitor["createGame"]>[0],
    options: BrowserContextOptions = DESKTOP,
  ): Promise<void> => {
    guest = await visitors.create(options);
    game = await guest.createGame(terms);
    await guest.open(game.id);
  };
  it("gets its scripts and styles in the smallest form", async () => {
    guest = await visitors.create(DESKTOP);
    const codings: string[] = [];
    guest.page.on("response", (response) => {
      if (/\/assets\/.*\.(js|css)$/.test(response.url())) {
        codings.push(response.headers()["content-encoding"] ?? "none");
      }
    });
    game = await guest.createGame({ variant: "diamond", opponent: ENGINE });
    await guest.open(game.id);
    expect(codings.length).toBeGreaterThan(3);
    expect(new Set(codings)).toEqual(new Set(["br"]));
  });

  it("opens the promotion chooser", async () => {
    await openGame({ variant: "diamondback", fen: PROMOTION, opponent: ENGINE }, PHONE);
    await guest.click("e7", "e8");
    const offered = guest.page.locator("loz-board .chooser button");
    await offered.first().waitFor();
    expect(await offered.allInnerTexts()).toEqual(["Queen", "Rook", "Bishop", "Knight"]);
    await offered.filter({ hasText: "Knight" }).click();
    await expect.poll(async () => (await guest.game(game.id)).history[0]?.uci).toBe("e7e8n");
    await expect.poll(() => guest.moveCount()).toBeGreaterThan(0);
  });

  it("castles by clicking the King and its target", async () => {
    await openGame({ variant: "doublediamond", fen: CASTLING, opponent: ENGINE });
    const castling = game.state.castlings[0];
    expect(castling, game.state.moves.join(" ")).toBeDefined();
    await guest.play(castling?.move ?? "");
    expect((await guest.game(game.id)).history[0]?.san).toMatch(/^O-O/);
  });

  it("accepts typed moves and commands, and explains errors", async () => {
    await openGame({ variant: "diamond", opponent: ENGINE });
    const line = guest.page.getByLabel("Type a move or a command");
    await line.fill("Qz99");
    await line.press("Enter");
    await expect.poll(() => guest.page.locator("#g-problem").innerText()).not.toBe("");
    await line.fill(game.state.moves[0] ?? "");
    await line.press("Enter");
    await expect.poll(async () => (await guest.game(game.id)).history.length).toBe(2);
    await guest.turn();
    await line.fill("takeback");
    await line.press("Enter");
    await expect.poll(() => guest.moveCount()).toBe(0);
    await line.fill("help");
    await line.press("Enter");
    // Keys are those of the dialog, also where nothing in it has the focus.
    await guest.page.locator("dialog h2").first().click();
    await guest.page.keyboard.press("f");
    expect(await guest.page.evaluate(() => document.querySelector("loz-board")?.turns)).toBe(0);
    await guest.page.keyboard.press("Escape");
    await guest.page.locator("dialog").waitFor({ state: "detached" });
    await line.fill("resign");
    await line.press("Enter");
    await guest.button("Yes, resign").click();
    await guest.result.waitFor();
    expect(await guest.page.getByRole("status").first().innerText()).toContain("Black wins");
  });

  it("steps by keys, and starts a game from an earlier position", async () => {
    await openGame({ variant: "diamondback", opponent: ENGINE });
    for (let turn = 0; turn < 3; turn += 1) await guest.play(pick(await guest.turn(), seededRandom(turn + 3)));
    await guest.turn();
    const current = () => guest.page.locator(".g-moves [aria-current]").innerText();
    const { history } = await guest.game(game.id);
    await guest.page.keyboard.press("ArrowLeft");
    expect(await current()).toBe(history.at(-2)?.san);
    await guest.page.keyboard.press("k");
    expect(await current()).toBe(history.at(-3)?.san);
    await guest.page.keyboard.press("j");
    expect(await current()).toBe(history.at(-2)?.san);
    await guest.page.keyboard.press("Home");
    await guest.page.locator(".g-turn").getByText("Starting position").waitFor();
    expect(await guest.page.evaluate(() => document.querySelector("loz-board")?.destinations.length)).toBe(0);
    await guest.page.keyboard.press("End");
    expect((await guest.turn()).length).toBeGreaterThan(0);
    await guest.page.keyboard.press("f");
    expect(await guest.page.evaluate(() => document.querySelector("loz-board")?.turns)).toBe(2);
    await guest.button("View").click();
    await guest.page.reload();
    await guest.ready();
    expect(await guest.page.evaluate(() => document.querySelector("loz-board")?.view)).toBe("square");
    await guest.resign();
    await guest.page.keyboard.press("ArrowLeft");
    await guest.button("Continue from here").click();
    await guest.button("Start").click();
    await guest.page.waitForURL((url) => !url.pathname.endsWith(game.id));
    await guest.ready();
    const id = new URL(guest.page.url()).pathname.split("/").at(-1) ?? "";
    expect((await guest.game(id)).start_fen).toBe(history.at(-2)?.fen);
  });

  it.each(["diamondback", "doublediamond", "diamondring"])("shows board and clocks of %s on a phone in landscape", async (variant) => {
    const clock = { kind: "live", initial_s: 300, increment_s: 3 } as const;
    await openGame({ variant, opponent: ENGINE, clock }, { ...PHONE, viewport: { width: 844, height: 390 } });
    const isInViewport = (selector: string): Promise<boolean> =>
      guest.page.locator(selector).evaluate((element) => {
        const visible = element.shadowRoot?.querySelector(".frame") ?? element;
        const { top, bottom, left, right } = visible.getBoundingClientRect();
        const bar = document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0;
        return top >= bar && bottom <= innerHeight && left >= 0 && right <= innerWidth;
      });
    for (const part of ["loz-board", ".g-top .g-clock", ".g-bottom .g-clock"]) expect(await isInViewport(part), part).toBe(true);
    expect(await guest.overflows()).toBe(false);
  });

  it("deselects with Escape, wherever the focus is", async () => {
    await openGame({ variant: "diamond", opponent: ENGINE });
    const [, from = ""] = /^([a-z]\d+)/.exec(game.state.moves[0] ?? "") ?? [];
    const selected = () => guest.page.evaluate(() => document.querySelector("loz-board")?.selection.selected ?? null);
    await guest.page.mouse.click(...(await guest.at(from)));
    expect(await selected()).not.toBeNull();
    await guest.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await guest.page.keyboard.press("Escape");
    expect(await selected()).toBeNull();
  });

  it("shows small squares on a phone with level ranks, and asks before a move", async () => {
    await openGame({ variant: "diamondring", opponent: ENGINE }, PHONE);
    await guest.page.evaluate(() => localStorage.removeItem("lozenge.confirm-moves"));
    expect(await guest.page.locator("loz-board").getAttribute("view")).toBe("square");
    const [move = ""] = await guest.turn();
    const [, from = "", to = ""] = /^([a-z]\d+)([a-z]\d+)/.exec(move) ?? [];
    await guest.click(from, to);
    await guest.page.locator(".g-confirm .g-good").click();
    await guest.moves(2);
  });

  it("supports scrolling and playing on a torus", async () => {
    await openGame({ variant: "diamondring", opponent: ENGINE }, PHONE);
    const origin = () =>
      guest.page.evaluate(() => document.querySelector("loz-board")?.plane?.options.origin.file ?? NaN);
    const home = await origin();
    await guest.page.locator("loz-board [data-scroll=right]").click();
    await expect.poll(origin).toBe((home + 1) % 12);
    await guest.play(pick(await guest.turn(), seededRandom(9)));
    expect(await origin()).toBe((home + 1) % 12);
    expect((await guest.turn()).length).toBeGreaterThan(0);
  });
});
