/** Games of three and four on the whole site. Not here: four browsers who play one to its end (`four_outages`). */
import { describe, expect, it } from "vitest";
import { ADDRESS, canRun, createVisitors, DESKTOP, PHONE, type Visitor } from "./harness.ts";

describe.skipIf(!canRun)("games of four", () => {
  const visitors = createVisitors();

  it("are played to the end by three browsers, and go on from a position", async () => {
    const { players, id } = await visitors.startGameOfFour({ variant: "threearmies" }, 3);
    const [red, blue, yellow] = players as [Visitor, Visitor, Visitor];
    const turns = (player: Visitor): Promise<number> => player.page.evaluate(() => (document.querySelector("loz-board") as HTMLElement & { turns: number }).turns);
    expect(await Promise.all(players.map(turns))).toEqual([0, 1, 2]);
    expect(await blue.page.locator(".g-player").count()).toBe(3);
    // A link that comes too late shows the game.
    const late = await visitors.create(PHONE);
    await late.page.goto(`${ADDRESS}/game/${id}?seat=blue`);
    await late.page.locator(".g-taken", { hasText: "The place of Blue is taken. You are watching." }).waitFor();
    expect(await late.audit()).toEqual([]);
    for (const player of [red, blue, yellow, red]) {
      const [move = ""] = await player.turn();
      await player.type(move);
    }
    for (const player of [blue, yellow]) {
      await player.turn();
      await player.button("Resign").click();
      await player.page.getByRole("button", { name: /resign/i }).last().click();
    }
    await red.result.waitFor();
    expect((await red.game(id)).state.result).toBe("1-3-2");
    expect(await red.page.locator(".g-places li").count()).toBe(3);
    for (const player of players) {
      expect(await player.overflows()).toBe(false);
      expect(await player.audit()).toEqual([]);
    }
    await red.page.locator(`.g-finished a[href^="/analysis/"]`).click();
    await expect.poll(() => red.page.locator(".a-move").count()).toBe(6);
    await red.page.keyboard.press("Home");
    const from = red.page.locator('.g-tools a[href^="/?variant=threearmies"]');
    await from.waitFor();
    for (let step = 0; step < 2; step += 1) await red.page.keyboard.press("ArrowRight");
    await from.click();
    await expect.poll(() => red.page.locator(".seats select").count()).toBe(3);
    expect(await red.page.locator("#fen").inputValue()).toContain(" y ");
    await red.page.locator('.play button[type="submit"]').click();
    await red.page.waitForURL("**/game/*");
    await red.ready();
    const started = await red.game(new URL(red.page.url()).pathname.split("/").at(-1) ?? "");
    expect([started.start_fen.split(" ")[1], started.seats?.length]).toEqual(["y", 3]);
    // The engine plays Yellow.
    expect((await red.turn()).length).toBeGreaterThan(0);
  });

  it("wait in the lobby until all places are taken", async () => {
    const [host, guest] = [await visitors.create(DESKTOP), await visitors.create(PHONE)];
    const anybody = { kind: "anybody" } as const;
    const { id } = await host.createGame({
      variant: "diamondring-teams",
      opponent: undefined,
      side: undefined,
      seats: [{ kind: "me" }, anybody, { kind: "engine", level: 1 }, { kind: "link" }],
    });
    await host.open(id);
    await host.page.locator(".g-seats li", { hasText: "in the lobby" }).waitFor();
    await guest.page.goto(`${ADDRESS}/`);
    await guest.page.goto(`${ADDRESS}/game/${id}?seat=yellow`);
    await guest.page.locator(".g-taken", { hasText: "The place of Yellow is taken." }).waitFor();
    await guest.page.goto(`${ADDRESS}/`);
    const row = guest.page.locator("#lobby .seek", { hasText: "2 of 4" }).first();
    await row.waitFor();
    expect(await guest.overflows()).toBe(false);
    expect(await guest.audit()).toEqual([]);
    await row.getByRole("button").click();
    await guest.page.waitForURL(`**/game/${id}`);
    await expect.poll(async () => (await guest.game(id)).you).toBe("blue");
    await host.page.goto(`${ADDRESS}/`);
    await host.page.locator("#lobby .notice").waitFor();
  });

  it("are made in the form, and played against three engines", async () => {
    const visitor = await visitors.create(DESKTOP);
    const engine = { kind: "engine", level: 1 } as const;
    const { id } = await visitor.createGame({
      variant: "diamondring-teams",
      opponent: undefined,
      side: undefined,
      seats: [engine, engine, { kind: "me" }, engine],
    });
    await visitor.open(id);
    const [move = ""] = await visitor.turn();
    await visitor.type(move);
    await visitor.moves(6);
    await visitor.turn();
  });

  it("are analyzed on a board with variations, the engine's lines and PGN", async () => {
    for (const options of [DESKTOP, PHONE]) {
      const guest = await visitors.create(options);
      const { page } = guest;
      await page.goto("/analysis?variant=diamondring-four");
      await page.waitForFunction(() => (document.querySelector("loz-board")?.destinations.length ?? 0) > 0);
      const moves = (): Promise<string[]> => page.locator(".a-move").allInnerTexts();
      const type = async (text: string, count: number): Promise<void> => {
        await page.locator("#a-typed").fill(text);
        await page.locator("#a-typed").press("Enter");
        await expect.poll(async () => (await moves()).length).toBe(count);
      };
      await type("b1", 1);
      await type("a2", 2);
      await type("R", 3);
      await type("T", 4);
      expect(await page.locator(".g-turn").innerText()).toMatch(/Red to move/);
      // Blue plays another move.
      for (let step = 0; step < 3; step += 1) await page.keyboard.press("Escape");
      await page.locator("h1").click();
      for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowLeft");
      await type("T", 5);
      expect(await page.locator(".a-variation").count()).toBe(1);
      await page.keyboard.press("Escape");
      await page.locator("h1").click();
      await page.keyboard.press("l");
      await expect.poll(() => page.locator(".a-line button").count(), { timeout: 30_000 }).toBeGreaterThan(1);
      expect(await page.locator(".a-wdl, .a-bar, .a-review").count()).toBe(0);
      const turns = (): Promise<number> => page.evaluate(() => (document.querySelector("loz-board") as HTMLElement & { turns: number }).turns);
      expect(await turns()).toBe(0);
      await page.keyboard.press("f");
      expect(await turns()).toBe(1);
      expect(await guest.overflows()).toBe(false);
      expect(await guest.audit()).toEqual([]);
      // What is read is what was written.
      const tree = await page.evaluate(async () => {
        const pgn = "[Variant \"diamondring-four\"]\n\n1. b1 a2 (1... T 1... R) R T 2. R *";
        const json = { "content-type": "application/json" };
        const read = await fetch("/api/pgn/read", { method: "POST", headers: json, body: JSON.stringify({ pgn }) });
        const { tree, faults } = (await read.json()) as { tree: { variant: string; fen: string; nodes: object[] }; faults: object[] };
        const write = await fetch("/api/pgn/write", { method: "POST", headers: json, body: JSON.stringify({ variant: tree.variant, fen: tree.fen, nodes: tree.nodes.map((node) => ({ parent: (node as { parent?: number }).parent ?? null, uci: (node as { uci: string }).uci })) }) });
        return { faults, text: await write.text() };
      });
      expect(tree.faults).toEqual([]);
      expect(tree.text).toContain("1. b1 a2 (1... T R) 1... R T 2. R *");
    }
  });
});
