/** Two people play each other: link, moves, offers, chat, rematch, a broken connection, time. */
import { beforeEach, describe, expect, it } from "vitest";
import { canRun, chance, DESKTOP, type Game, PHONE, pick, type Visitor, visits } from "./harness.ts";

const CLOCK = { kind: "live", initial_s: 180, increment_s: 2 } as const;

describe.skipIf(!canRun)("two people", () => {
  const here = visits();
  let white: Visitor;
  let black: Visitor;
  let game: Game;
  beforeEach(async () => {
    white = await here.come(DESKTOP);
    black = await here.come(PHONE);
  });

  /** A game that both have opened. */
  const meet = async (terms: Parameters<Visitor["make"]>[0]): Promise<void> => {
    game = await white.make(terms);
    await white.open(game.id);
    await black.join(game.id);
    await white.page.locator('.g-page[data-status="started"]').waitFor();
  };
  const count = (visitor: Visitor, moves: number): Promise<unknown> =>
    visitor.page.waitForFunction(
      (moves) => document.querySelectorAll(".g-moves li button").length === moves,
      moves,
      { timeout: 15_000 },
    );

  it("meet by a link, play, talk, offer and play again", async () => {
    game = await white.make({ variant: "diagonal", clock: CLOCK });
    await white.open(game.id);
    const link = await white.page.getByLabel("Link to this game").inputValue();
    expect(link).toContain(`/game/${game.id}`);
    await black.join(game.id);
    const random = chance(7);
    for (let ply = 0; ply < 6; ply += 1) {
      const mover = ply % 2 === 0 ? white : black;
      await mover.play(pick(await mover.turn(), random));
    }
    await count(white, 6);
    expect((await black.game(game.id)).history).toHaveLength(6);

    await white.page.getByPlaceholder("Say something").fill("Good luck!");
    await white.page.keyboard.press("Enter");
    await black.page.locator(".g-lines", { hasText: "Good luck!" }).waitFor();

    await white.button("Draw").click();
    await black.page.getByText("offers a draw").first().waitFor();
    await black.button("Decline").click();
    await white.button("Draw").waitFor();

    // White takes the own move back, and the answer to it.
    await white.button("Take back").click();
    await black.button("Accept").click();
    await count(white, 4);
    await count(black, 4);
    expect((await white.turn()).length).toBeGreaterThan(0);

    const before = await clockOf(black, "Black");
    await white.button("+15 s").click();
    await expect.poll(() => clockOf(black, "Black")).toBeGreaterThan(before);

    await white.resign();
    expect(await white.result.innerText()).toContain("Black wins by resignation");
    await black.result.waitFor();
    await black.button("Rematch").click();
    await white.button("Accept").click();
    await white.page.waitForURL((url) => !url.pathname.endsWith(game.id));
    await black.page.waitForURL((url) => !url.pathname.endsWith(game.id));
    expect(black.page.url()).toBe(white.page.url());
    await black.ready();
    expect((await black.turn()).length).toBeGreaterThan(0);
  });

  it("lose the connection and no move", async () => {
    for (const player of [white, black]) player.forgive(/ERR_INTERNET/);
    await meet({ variant: "diamond", clock: CLOCK });
    const random = chance(3);
    await white.play(pick(await white.turn(), random));
    await black.play(pick(await black.turn(), random));
    const move = pick(await white.turn(), random);

    await white.context.setOffline(true);
    await white.page.getByText("Reconnecting").first().waitFor();
    const [, from = "", to = ""] = /^([a-z]\d+)([a-z]\d+)/.exec(move) ?? [];
    await white.click(from, to);
    await white.page.getByText("Your move will be sent").first().waitFor();
    await black.page.locator(".g-top .g-presence:not([data-there])").waitFor();
    expect((await black.game(game.id)).history).toHaveLength(2);
    await white.context.setOffline(false);
    await count(black, 3);
    await count(white, 3);

    // The other side misses a move and is told of it.
    await black.context.setOffline(true);
    await black.page.getByText("Reconnecting").first().waitFor();
    await black.context.setOffline(false);
    await black.play(pick(await black.turn(), random));
    await count(white, 4);
    const { history } = await white.game(game.id);
    expect(history).toHaveLength(4);
    expect(history[2]?.uci).toBe(move);
  });

  it("play a premove at once", async () => {
    await meet({ variant: "diagonal" });
    const reach = (await (
      await black.context.request.get(`${new URL(black.page.url()).origin}/api/games/${game.id}/reach?ply=0`)
    ).json()) as number[][];
    const names = await black.page.evaluate(() =>
      (document.querySelector("loz-board")?.board?.squares ?? []).map((square) => square.name),
    );
    const men = new Map(game.state.men.map((man) => [man.square, man]));
    const pawn = [...men.values()].find(
      (man) => man.color === "black" && man.role === "pawn" && reach[man.square]?.some((at) => !men.has(at)),
    );
    const target = reach[pawn?.square ?? -1]?.find((at) => !men.has(at));
    const [from = "", to = ""] = [names[pawn?.square ?? -1], names[target ?? -1]];
    const asked = black.page.waitForResponse((response) => response.url().includes("/reach"));
    const [x, y] = await black.at(from);
    await black.page.mouse.click(x, y);
    await asked;
    await black.page.waitForFunction(() => document.querySelector("loz-board")?.reach);
    await black.page.mouse.click(...(await black.at(to)));
    expect(await black.moveCount()).toBe(0);
    // A move of White's own men beside it, so that the premove stays legal.
    await white.play(pick(await white.turn(), chance(1)));
    await count(white, 2);
    expect((await white.game(game.id)).history[1]?.uci).toBe(`${from}${to}`);
  });

  it("lose on time", async () => {
    await meet({ variant: "diamondback", clock: { kind: "live", initial_s: 1, increment_s: 1 } });
    for (const mover of [white, black]) await mover.play(pick(await mover.turn(), chance(5)));
    await white.result.waitFor();
    expect(await white.result.innerText()).toContain("Black wins on time");
    await black.result.waitFor();
    expect(await black.page.locator(".g-won").innerText()).toBe("You won");
  });

  it("are watched", async () => {
    await meet({ variant: "diamondring" });
    const guest = await here.come(PHONE);
    await guest.open(game.id);
    await guest.page.getByText("You are watching").first().waitFor();
    await white.play(pick(await white.turn(), chance(2)));
    await count(guest, 1);
    expect(await guest.page.getByRole("button", { name: "Resign" }).count()).toBe(0);
    expect(await guest.overflows()).toBe(false);
  });
});

/** What a clock shows, in seconds. */
async function clockOf(visitor: Visitor, side: "White" | "Black"): Promise<number> {
  const place = visitor.page.locator(".g-player", { has: visitor.page.locator(`.g-side-${side.toLowerCase()}`) });
  const [minutes = 0, seconds = 0] = (await place.locator(".g-clock").innerText()).split(":").map(Number);
  return minutes * 60 + seconds;
}
