/** The analysis board: moves and variations, notes, the engine, PGN in and out, and the review of a game. */
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, PHONE, type Visitor, createVisitors } from "./harness.ts";

describe.skipIf(!canRun)("analysis board", () => {
  const visitors = createVisitors();
  const open = async (visitor: Visitor, query: string): Promise<void> => {
    await visitor.page.goto(`/analysis${query}`);
    await visitor.page.waitForFunction(() => {
      const board = document.querySelector("loz-board");
      return board?.shadowRoot?.querySelector(".piece") && board.destinations.length > 0;
    }, null, { timeout: 30_000 });
  };
  const moves = (visitor: Visitor): Promise<string[]> => visitor.page.locator(".a-move").allInnerTexts();
  const type = async (visitor: Visitor, move: string, count: number): Promise<void> => {
    const field = visitor.page.locator("#a-typed");
    await field.fill(move);
    await field.press("Enter");
    await expect.poll(async () => (await moves(visitor)).length).toBe(count);
  };

  it("shows whole lines of the engine, and no idle buttons", async () => {
    const guest = await visitors.create(DESKTOP);
    await guest.page.goto("/analysis?variant=diamond");
    await guest.page.waitForFunction(() => (document.querySelector("loz-board")?.destinations.length ?? 0) > 0);
    expect(await guest.page.locator(".a-tools button:disabled, .g-tools button:disabled").count()).toBe(0);
    await guest.page.keyboard.press("l");
    await expect.poll(() => guest.page.locator(".a-line button").count(), { timeout: 30_000 }).toBeGreaterThan(8);
    expect(await guest.page.locator(".a-head").innerText()).toMatch(/Engine (on the server|in this browser)/);
    expect(await guest.overflows()).toBe(false);
  });

  it("shows what the endgame table has about each move", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    const fen = "****k****/***3***/**5**/*7*/4*4/*7*/**1A3**/***3***/****K**** w - - 0 1";
    await open(guest, `?${new URLSearchParams({ variant: "diamond", fen })}`);
    const panel = page.locator(".a-tables");
    await panel.waitFor({ timeout: 30_000 });
    expect(await panel.locator("p").innerText()).toBe("White wins with best play: 23 half moves to the end.");
    expect(await panel.locator("[data-category]").first().getAttribute("data-category")).toBe("win");
    expect(await guest.audit()).toEqual([]);
    await panel.getByRole("button", { name: /^Play / }).first().click();
    await expect.poll(() => panel.locator("p").innerText()).toBe("White wins with best play: 22 half moves to the end.");
    expect(await moves(guest)).toHaveLength(1);
    expect(await panel.locator("[data-category=loss] td").first().innerText()).toBe("22");
    // More pieces than the tables have.
    await open(guest, "?variant=diamond");
    expect(await panel.count()).toBe(0);
  });

  it("builds a tree from clicks and typed moves, and stores it", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "?variant=diamondback");
    await guest.click("c1", "e2");
    await expect.poll(() => moves(guest)).toHaveLength(1);
    await type(guest, "f8d7", 2);
    await page.keyboard.press("Escape");
    await page.locator("h1").click();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => page.locator(".a-move[aria-current]").innerText()).toContain("Ne2");
    // Another answer is a variation.
    const other = await page.evaluate(() => document.querySelector("loz-board")?.destinations[0] ?? "");
    await type(guest, other, 3);
    expect(await page.locator(".a-variation .a-move").count()).toBe(1);
    await guest.button("Promote variation").click();
    await expect.poll(() => page.locator(".a-variation .a-move").innerText()).toContain("Nd7");
    await page.locator("#a-comment").fill("as I like it");
    await page.getByText("Annotations").click();
    await guest.button("Brilliant move").click();
    await expect.poll(() => page.locator(".a-move[aria-current]").innerText()).toContain("!!");
    await guest.button("White is slightly better").click();
    await expect.poll(() => page.locator(".a-move[aria-current]").innerText()).toContain("+/=");
    await page.waitForTimeout(900);
    await page.reload();
    await page.locator(".a-move").first().waitFor();
    expect(await moves(guest)).toHaveLength(3);
    expect(await page.locator(".a-comment").first().innerText()).toContain("as I like it");
    await page.locator(".a-variation .a-move").click();
    await guest.button("Delete from here").click();
    await expect.poll(() => moves(guest)).toHaveLength(2);
    expect(await guest.audit()).toEqual([]);
    expect(await guest.overflows()).toBe(false);
  });

  it("is linked from the home page, also for pasted games", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await page.goto("/");
    await page.getByRole("link", { name: "Opening explorer" }).last().click();
    await page.waitForURL(/\/analysis#explorer$/);
    await page.locator('.a-explorer [aria-expanded="true"]').waitFor();
    await page.goto("/");
    await page.locator(".learn").getByRole("link", { name: "Game review" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/Paste a game in PGN/).fill('[Variant "Diamond Chess"]\n[White "Ann"]\n[Black "Bob"]\n\n1. dd4 Nd6 2. ff4 *\n');
    await dialog.getByRole("button", { name: "Review this game" }).click();
    await page.waitForURL(/\/analysis\/\w+#review$/);
    await page.getByText("Ann – Bob").waitFor();
    // It was requested at once: it is in the making, or done.
    await page.locator(".a-review progress, .a-report").first().waitFor({ state: "attached", timeout: 30_000 });
    expect(await page.getByRole("button", { name: "Review this game" }).count()).toBe(0);
    // Limits of the engine, which are stored.
    await page.getByRole("switch", { name: "Engine" }).click();
    await page.getByRole("combobox", { name: "Time" }).selectOption("30 s");
    await page.reload();
    expect(await page.getByRole("combobox", { name: "Time" }).inputValue()).toBe("30000");
    expect(await guest.audit()).toEqual([]);
  });

  it("shows the engine's lines and plays the best move by click", async () => {
    const guest = await visitors.create(PHONE);
    const { page } = guest;
    await open(guest, "?variant=diamond");
    await page.getByRole("switch", { name: "Engine" }).click();
    await page.locator(".a-line button").first().waitFor({ timeout: 30_000 });
    await expect.poll(() => page.locator(".a-score").innerText()).toMatch(/^[+−]?\d|^#/);
    // Read and pressed in one step: a deeper iteration may put another move first in between.
    const best = await page.locator(".a-line button").first().evaluate((button) => {
      const text = (button as HTMLElement).innerText;
      (button as HTMLElement).click();
      return text;
    });
    await expect.poll(() => page.locator(".a-move[aria-current]").innerText()).toContain(best.replace(/^\d+\. /, ""));
    expect(await guest.overflows()).toBe(false);
    await guest.useDarkColors();
    expect(await guest.audit()).toEqual([]);
  });

  it("shows each camp of a torus in one piece at the start", async () => {
    const guest = await visitors.create(DESKTOP);
    await open(guest, "?variant=diamondring");
    const origin = await guest.page.evaluate(() => document.querySelector("loz-board")?.scroller?.origin);
    expect(origin).toEqual({ file: 3, rank: 9 });
  });

  it("reads PGN, lists all errors, and writes PGN", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "?variant=gardner");
    await page.getByRole("button", { name: "FEN & PGN" }).click();
    await page.locator("#a-pgn").fill("1. a3 {why not} (1. Qh9) bxa3 *");
    await guest.button("Read").click();
    await expect.poll(() => page.locator(".a-faults li").allInnerTexts()).toHaveLength(1);
    await page.locator("#a-fen").fill("nonsense");
    guest.ignoreErrors(/422/);
    await guest.button("Set up").click();
    await page.locator("dialog .g-problem").waitFor();
    await page.keyboard.press("Escape");
    expect(await moves(guest)).toHaveLength(2);
    // The players and their clocks are restored after a reload.
    const clocks = '[White "Ann"]\n[Black "Bob"]\n[Event "Cup"]\n\n1. a3 {[%clk 0:01:00]} bxa3 {[%clk 0:00:58]} *';
    await page.getByRole("button", { name: "FEN & PGN" }).click();
    await page.locator("#a-pgn").fill(clocks);
    await guest.button("Read").click();
    await page.getByText("Ann – Bob").waitFor();
    await page.waitForTimeout(700);
    await page.reload();
    await page.getByText("Ann – Bob").waitFor();
    const pgnResponse = page.waitForResponse("**/api/pgn/write");
    await page.getByRole("button", { name: "FEN & PGN" }).click();
    await guest.button("Copy PGN").click();
    const pgn = await (await pgnResponse).text();
    for (const expected of ['[White "Ann"]', '[Event "Cup"]', "[%clk 0:00:58]"]) expect(pgn).toContain(expected);
  });

  it("replaces the stored moves with an imported PGN", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "?variant=diamond");
    await type(guest, "c4", 1);
    await type(guest, "c6", 2);
    await page.getByRole("button", { name: "FEN & PGN" }).click();
    await page.locator("#a-pgn").fill('[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. dd4 {first} Nd6 2. ff4 1-0');
    await guest.button("Read").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.getByText("Ann – Bob").waitFor();
    await expect.poll(() => moves(guest)).toHaveLength(3);
    expect(await page.locator(".a-variation").count()).toBe(0);
    // At its start: the next move is its first.
    await page.locator(".a-move[aria-current]").waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.locator(".a-move[aria-current]").innerText()).toContain("dd4");
    const pgnResponse = page.waitForResponse("**/api/pgn/write");
    await page.getByRole("button", { name: "FEN & PGN" }).click();
    await guest.button("Copy PGN").click();
    const pgn = await (await pgnResponse).text();
    expect(pgn).toMatch(/1\. dd4 .*first.*Nd6.*ff4/s);
    expect(pgn).not.toContain("c6");
  });

  it("opens a PGN of another variant on a new board", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "?variant=diamond");
    await page.getByRole("button", { name: "FEN & PGN" }).click();
    await page.locator("#a-pgn").fill('[Variant "Diagonal Chess"]\n[FEN "8/6P1/8/8/3k4/8/1p6/7K w - - 0 1"]\n\n1. Kh2 a1 0-1');
    await guest.button("Read").click();
    await page.getByText("This is a game of Diagonal Chess.").waitFor();
    await guest.button("Open").click();
    await page.waitForURL(/\/analysis\?variant=diagonal&/);
    await expect.poll(() => moves(guest)).toHaveLength(2);
  });

  it("rejects a PGN that is longer than its label allows", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "?variant=diamond");
    await page.getByRole("button", { name: "FEN & PGN" }).click();
    await page.locator("#a-pgn").fill(`1. dd4 {${"a".repeat(60_000)}} *`);
    await guest.button("Read").click();
    await page.locator("dialog [role=alert]", { hasText: "At most 60,000 are allowed." }).waitFor();
  });

  it("ignores shortcuts while a dialog is open", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "?variant=diamond");
    const engine = page.getByRole("switch", { name: "Engine" });
    const before = await engine.getAttribute("aria-checked");
    for (const name of ["Help", "FEN & PGN"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.locator("dialog h2").first().click();
      await page.keyboard.press("l");
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
    }
    expect(await engine.getAttribute("aria-checked")).toBe(before);
    await page.keyboard.press("l");
    await expect.poll(() => engine.getAttribute("aria-checked")).not.toBe(before);
  });

  it("shows only board, engine and moves in zen mode", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "?variant=diamond");
    await type(guest, "c4", 1);
    await guest.button("Help").click();
    await page.locator("dialog").getByText("Zen mode").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    const leaveButton = guest.button("Leave zen mode");
    const others = [".top", ".a-about h1", ".a-typed", ".a-explorer", ".a-notes", ".g-tools"];
    expect(await leaveButton.isVisible()).toBe(false);
    await page.locator("h1").click();
    await page.keyboard.press("z");
    await leaveButton.waitFor({ state: "visible" });
    for (const name of others) expect([name, await page.locator(name).first().isVisible()]).toEqual([name, false]);
    for (const name of ["loz-board", ".a-engine", ".a-moves"]) expect([name, await page.locator(name).isVisible()]).toEqual([name, true]);
    expect(await guest.audit()).toEqual([]);
    // By the key, and without a keyboard.
    await page.keyboard.press("z");
    await leaveButton.waitFor({ state: "hidden" });
    await page.keyboard.press("z");
    await leaveButton.click();
    await leaveButton.waitFor({ state: "hidden" });
    for (const name of others) expect([name, await page.locator(name).first().isVisible()]).toEqual([name, true]);
  });

  it("toggles inline variations by a key, and stores the setting", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "?variant=diamond");
    await page.getByRole("button", { name: "FEN & PGN" }).click();
    await page.locator("#a-pgn").fill("1. dd4 (1. c4) 1... Nd6 2. ff4 *");
    await guest.button("Read").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    const variation = page.locator(".a-variation");
    const display = (): Promise<string> => variation.evaluate((element) => getComputedStyle(element).display);
    await variation.waitFor();
    expect(await display()).toBe("block");
    await page.locator("h1").click();
    await page.keyboard.press("Shift+I");
    await expect.poll(display).toBe("inline");
    await expect.poll(() => page.evaluate(() => localStorage.getItem("lozenge.analysis.inline"))).toBe("on");
    await page.reload();
    await page.locator(".a-tree[data-inline]").waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("Shift+I");
    await page.locator(".a-tree:not([data-inline])").waitFor();
  });

  it("clears the error of a mistyped move when help is typed", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "?variant=diamond");
    guest.ignoreErrors(/422/);
    const field = page.locator("#a-typed");
    const fault = page.locator(".g-turn [role=alert]");
    await field.fill("Qh99");
    await field.press("Enter");
    await fault.waitFor();
    await field.fill("help");
    await field.press("Enter");
    await page.locator("dialog h2").first().waitFor();
    await fault.waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.locator(".g-turn", { hasText: "White to move" }).waitFor();
  });

  it("lists the errors of a pasted game before the review", async () => {
    const guest = await visitors.create(PHONE);
    const { page } = guest;
    await open(guest, "?variant=diamond");
    await page.getByRole("button", { name: "FEN & PGN" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator("#a-pgn").fill("1. dd4 Qh9 2. foo bar {unclosed");
    await dialog.getByRole("button", { name: "Review this game" }).click();
    await dialog.locator(".a-faults li").first().waitFor();
    expect(await dialog.getByText("Moves read: 1.").count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe("/analysis");
    expect(await guest.audit()).toEqual([]);
    expect(await guest.overflows()).toBe(false);
    await dialog.getByRole("link", { name: "Review this game" }).click();
    await page.waitForURL(/\/analysis\/\w+#review$/);
    await page.locator(".a-review progress, .a-report").first().waitFor({ state: "attached", timeout: 30_000 });
  });

  it("reviews a finished game", async () => {
    const { white, black, game } = await visitors.startGame({ variant: "diamond" });
    for (const player of [white, black]) {
      const legal = await player.turn();
      await player.play(legal[0] ?? "");
    }
    await white.moves(2);
    await white.resign();
    // No help while it went on; now there is a way to the analysis.
    await white.page.getByRole("link", { name: "Analysis" }).click();
    await white.page.waitForURL("**/analysis/*");
    await white.page.locator(".a-move").first().waitFor();
    expect(await moves(white)).toHaveLength(2);
    await white.button("Review this game").click();
    await white.page.locator(".a-graph").waitFor({ timeout: 60_000 });
    expect(await white.page.locator(".a-report").innerText()).toContain("%");
    const response = await white.context.request.get(`/api/games/${game.id}/review`);
    const { games } = (await response.json()) as { games: { moves: unknown[] }[] };
    expect(games[0]?.moves).toHaveLength(2);
    expect(await white.audit()).toEqual([]);
  });

  it("does not restart a canceled review after a reload", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    const response = await guest.context.request.post("/api/games/import", { data: { variant: "diamond", pgn: "1. dd4 Nd6 2. ff4 *" } });
    const { id } = (await response.json()) as { id: string };
    // A review that takes as long as the test.
    const requests: string[] = [];
    await page.route(`**/api/games/${id}/review`, async (route) => {
      const method = route.request().method();
      requests.push(method);
      await (method === "DELETE" ? route.fulfill({ status: 204 }) : route.fulfill({ status: 202, json: { positions: 4, done: 1 } }));
    });
    await page.goto(`/analysis/${id}#review`);
    await guest.button("Cancel").click();
    await guest.button("Review this game").waitFor();
    expect(new URL(page.url()).hash).toBe("");
    await page.reload();
    await guest.button("Review this game").waitFor();
    expect(requests.filter((method) => method === "POST")).toHaveLength(1);
  });

  it("supports learning from mistakes by keyboard alone", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    // White walks away from the goal.
    const pgn = '[Variant "Diagonal Chess"]\n[FEN "8/6P1/8/8/3k4/8/1p6/7K w - - 0 1"]\n\n1. Kh2 a1 0-1';
    const response = await guest.context.request.post("/api/games/import", { data: { pgn } });
    const { id } = (await response.json()) as { id: string };
    await page.goto(`/analysis/${id}#review`);
    const learnButton = guest.button("Learn from White's mistakes");
    await learnButton.waitFor({ timeout: 60_000 });
    // The game does not name its players.
    expect(await page.locator(".a-report th[scope=col]").allInnerTexts()).toEqual(["White", "Black"]);
    await learnButton.focus();
    await page.keyboard.press("Enter");
    await page.getByText("Kh2 was played. Find a better move.").last().waitFor();
    // The button is gone, and the question has the focus, so that the next Tab leads to its buttons.
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "");
    await expect.poll(focused).toBe("Learn from your mistakes");
    await page.keyboard.press("t");
    await page.keyboard.type("Kh2");
    await page.keyboard.press("Enter");
    await page.getByText("You can do better. Try another move.").last().waitFor();
    await guest.button("Show the solution").focus();
    await page.keyboard.press("Enter");
    await page.getByText("This was the best move.").last().waitFor();
    await expect.poll(focused).toBe("Learn from your mistakes");
    await page.keyboard.press("Tab");
    await expect.poll(focused).toBe("Next");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect.poll(focused).toBe("Finish");
    await page.keyboard.press("Enter");
    await expect.poll(focused).toBe("Review");
    expect(await guest.audit()).toEqual([]);
  });
});
