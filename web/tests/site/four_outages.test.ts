/** Four browsers play a game to its end, although one leaves, one reloads, one is offline for a while, and the server is killed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canRun, createVisitors, type Visitor } from "./harness.ts";
import { canKill, OwnServer } from "./server.ts";

/** How long a browser is offline, in milliseconds. */
const OFFLINE_MS = 10_000;
/** Wait this long for the claim against an absent player, in milliseconds: the site lets 30 seconds pass. */
const CLAIM_MS = 45_000;

describe.skipIf(!canRun || !canKill)("a game of four with outages", () => {
  const visitors = createVisitors();
  let server: OwnServer;
  beforeAll(async () => {
    server = await OwnServer.start();
  });
  afterAll(async () => server?.remove());

  const play = async (...players: Visitor[]): Promise<void> => {
    for (const player of players) {
      const [move] = await player.turn();
      if (move === undefined) throw new Error("expected a legal move");
      await player.type(move);
    }
  };

  it("is played to the end by four browsers", async () => {
    const { players, id } = await visitors.startGameOfFour(
      { variant: "diamondring-four", clock: { kind: "live", initial_s: 300, increment_s: 3 } },
      4,
      { baseURL: server.address },
    );
    const [red, blue, yellow, green] = players as [Visitor, Visitor, Visitor, Visitor];
    const turns = (): number => (document.querySelector("loz-board") as HTMLElement & { turns: number }).turns;
    expect(await Promise.all(players.map(({ page }) => page.evaluate(turns)))).toEqual([0, 1, 2, 3]);
    for (const player of players) player.ignoreErrors(/ERR_INTERNET_DISCONNECTED/, /ERR_CONNECTION_REFUSED/, /WebSocket/);
    await play(...players);

    // One leaves, one is offline, and the server is killed as soon as a move is acknowledged.
    await green.page.close();
    await yellow.context.setOffline(true);
    const online = new Promise((resolve) => setTimeout(resolve, OFFLINE_MS)).then(() => yellow.context.setOffline(false));
    await play(red);
    await red.moves(5);
    const before = await red.game(id);
    await server.kill();
    await server.startAgain();
    const after = await red.game(id);
    expect([after.history, after.state.fen, after.seats]).toEqual([before.history, before.state.fen, before.seats]);
    expect(after.history.length).toBe(5);

    // One reloads.
    await blue.page.reload();
    await blue.ready();
    await play(blue);
    await red.moves(6);
    expect(await yellow.moveCount()).toBeLessThan(6);
    await online;
    await play(yellow);
    await red.page.getByRole("button", { name: "Remove from the game" }).click({ timeout: CLAIM_MS });
    await play(red, blue, yellow);
    for (const player of [red, blue]) {
      await player.turn();
      await player.button("Resign").click();
      await player.page.getByRole("button", { name: /resign/i }).last().click();
    }
    await yellow.result.waitFor();
    const game = await green.game(id);
    expect(game.state.result).toBe("3-2-1-4");
    expect(game.history.slice(0, 5)).toEqual(before.history);
    expect(await yellow.page.locator(".g-places li").count()).toBe(4);

    // The analysis board has all turns, with the own army at the bottom.
    await blue.page.locator(`.g-finished a[href^="/analysis/"]`).click();
    await expect.poll(() => blue.page.locator(".a-move").count()).toBe(game.history.length);
    expect(await blue.page.evaluate(turns)).toBe(1);
    expect(await blue.audit()).toEqual([]);
    for (const player of [red, yellow]) {
      expect(await player.overflows()).toBe(false);
      expect(await player.audit()).toEqual([]);
    }
  });
});
