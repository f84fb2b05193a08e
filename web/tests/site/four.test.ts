/** Games of four on the whole site: four browsers play one to its end while one reloads, one is offline and one leaves. */
import { describe, expect, it } from "vitest";
import { ADDRESS, canRun, createVisitors, DESKTOP, PHONE, type Visitor } from "./harness.ts";

const COLORS = ["red", "blue", "yellow", "green"] as const;

describe.skipIf(!canRun)("games of four", () => {
  const visitors = createVisitors();

  /** Four visitors at one table, by the order of the turns, seated by their own links. */
  async function sitDown(): Promise<{ players: Visitor[]; id: string }> {
    const players: Visitor[] = [];
    for (const options of [DESKTOP, PHONE, DESKTOP, PHONE]) players.push(await visitors.create(options));
    const [red, ...others] = players;
    if (!red) throw new Error("expected four visitors");
    const link = { kind: "link" } as const;
    const { id } = await red.createGame({
      variant: "diamondring-four",
      opponent: undefined,
      side: undefined,
      seats: [{ kind: "me" }, link, link, link],
    });
    await red.open(id);
    for (const [place, visitor] of others.entries()) {
      await visitor.page.goto(`${ADDRESS}/game/${id}?seat=${COLORS[place + 1]}`);
      await visitor.ready();
      await visitor.page.locator(".g-waiting .g-good").click();
      await expect.poll(async () => (await visitor.game(id)).you).toBe(COLORS[place + 1]);
    }
    await red.page.locator('.g-page[data-status="started"]').waitFor();
    return { players, id };
  }

  it("are played to the end by four browsers", async () => {
    const { players, id } = await sitDown();
    const turns = await Promise.all(
      players.map(({ page }) => page.evaluate(() => (document.querySelector("loz-board") as HTMLElement & { turns: number }).turns)),
    );
    expect(turns).toEqual([0, 1, 2, 3]);
    const round = async (): Promise<void> => {
      for (const player of players) {
        const [move] = await player.turn();
        if (move === undefined) throw new Error("expected a legal move");
        await player.type(move);
      }
    };
    await round();
    const [red, blue, yellow, green] = players as [Visitor, Visitor, Visitor, Visitor];
    // One reloads, one is offline for a while, and one leaves.
    await blue.page.reload();
    await blue.ready();
    yellow.ignoreErrors(/ERR_INTERNET_DISCONNECTED/);
    await yellow.context.setOffline(true);
    const [first = ""] = await red.turn();
    await red.type(first);
    const [second = ""] = await blue.turn();
    await blue.type(second);
    await yellow.context.setOffline(false);
    const [third = ""] = await yellow.turn();
    await yellow.type(third);
    const [fourth = ""] = await green.turn();
    await green.type(fourth);
    await green.button("Resign").click();
    await green.page.getByRole("button", { name: /resign/i }).last().click();
    for (const player of [red, blue, yellow]) {
      const [move = ""] = await player.turn();
      await player.type(move);
    }
    await red.page.locator(".g-player", { hasText: /resigned/i }).waitFor();
    for (const player of [red, blue]) {
      await player.turn();
      await player.button("Resign").click();
      await player.page.getByRole("button", { name: /resign/i }).last().click();
    }
    await yellow.result.waitFor();
    const game = await yellow.game(id);
    expect(game.state.result).toBe("3-2-1-4");
    for (const player of players) {
      expect(await player.overflows()).toBe(false);
      expect(await player.audit()).toEqual([]);
    }
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
});
