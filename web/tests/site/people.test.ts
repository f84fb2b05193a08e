/** Two people play each other: link, moves, offers, chat, rematch, a broken connection, time. */
import { describe, expect, it } from "vitest";
import { canRun, seededRandom, DESKTOP, type Game, PHONE, pick, type Terms, type Visitor, createVisitors } from "./harness.ts";

const CLOCK = { kind: "live", initial_s: 180, increment_s: 2 } as const;

describe.skipIf(!canRun)("two players", () => {
  const visitors = createVisitors();
  let white: Visitor;
  let black: Visitor;
  let game: Game;
  /** A game that both have opened. */
  const startGame = async (terms: Terms): Promise<void> => {
    ({ white, black, game } = await visitors.startGame(terms));
  };

  it("can join by a link, play, chat, make offers and rematch", async () => {
    [white, black] = [await visitors.create(DESKTOP), await visitors.create(PHONE)];
    game = await white.createGame({ variant: "diagonal", clock: CLOCK });
    await white.open(game.id);
    const link = await white.page.getByLabel("Link to this game").inputValue();
    expect(link).toContain(`/game/${game.id}`);
    await black.join(game.id);
    const random = seededRandom(7);
    for (let ply = 0; ply < 6; ply += 1) {
      const mover = ply % 2 === 0 ? white : black;
      await mover.play(pick(await mover.turn(), random));
    }
    await white.moves(6);
    expect((await black.game(game.id)).history).toHaveLength(6);

    await white.page.getByPlaceholder("Write a message").fill("Good luck!");
    await white.page.keyboard.press("Enter");
    await black.page.locator(".g-messages", { hasText: "Good luck!" }).waitFor();

    await white.button("Draw").click();
    await white.button("Yes, offer").click();
    await black.page.getByText("offers a draw").first().waitFor();
    await black.button("Decline").click();
    await white.button("Draw").waitFor();

    // White takes back a move and the answer to it.
    await white.button("Takeback").click();
    await black.button("Accept").dblclick();
    await white.moves(4);
    await black.moves(4);
    expect((await white.turn()).length).toBeGreaterThan(0);
    // The second click is no request of Black's.
    expect(await white.page.getByText("asks to take").count()).toBe(0);

    const before = await secondsOf(black);
    await white.button("+15 s").click();
    await expect.poll(() => secondsOf(black)).toBeGreaterThan(before);

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

  it("lose no move when the connection breaks", async () => {
    await startGame({ variant: "diamond", clock: CLOCK });
    for (const player of [white, black]) player.ignoreErrors(/ERR_INTERNET/);
    const random = seededRandom(3);
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
    await black.moves(3);
    await white.moves(3);

    // The other side misses a move and receives it on reconnect.
    await black.context.setOffline(true);
    await black.page.getByText("Reconnecting").first().waitFor();
    await black.context.setOffline(false);
    await black.play(pick(await black.turn(), random));
    await white.moves(4);
    const { history } = await white.game(game.id);
    expect(history).toHaveLength(4);
    expect(history[2]?.uci).toBe(move);
  });

  it("get premoves played at once", async () => {
    await startGame({ variant: "diagonal" });
    const reach = (await (
      await black.context.request.get(`${new URL(black.page.url()).origin}/api/games/${game.id}/reach?ply=0`)
    ).json()) as number[][];
    const names = await black.page.evaluate(() =>
      (document.querySelector("loz-board")?.board?.squares ?? []).map((square) => square.name),
    );
    const shown = await black.page.evaluate(() => document.querySelector("loz-board")?.pieces ?? []);
    const pieces = new Map(shown.map((piece) => [piece.square, piece]));
    const pawn = [...pieces.values()].find(
      (piece) => piece.color === "black" && piece.role === "pawn" && reach[piece.square]?.some((at) => !pieces.has(at)),
    );
    const target = reach[pawn?.square ?? -1]?.find((at) => !pieces.has(at));
    const [from = "", to = ""] = [names[pawn?.square ?? -1], names[target ?? -1]];
    await black.page.mouse.click(...(await black.at(from)));
    // Asked for by the choice, or before it by the mouse on its way.
    await black.page.waitForFunction(() => {
      const board = document.querySelector("loz-board");
      return board?.reach && board.selection.selected !== null;
    });
    await black.page.mouse.click(...(await black.at(to)));
    expect(await black.moveCount()).toBe(0);
    // A move of White's own pieces beside it, so that the premove stays legal.
    await white.play(pick(await white.turn(), seededRandom(1)));
    await white.moves(2);
    expect((await white.game(game.id)).history[1]?.uci).toBe(`${from}${to}`);
  });

  it("can lose on time", async () => {
    await startGame({ variant: "diamondback", clock: { kind: "live", initial_s: 1, increment_s: 1 } });
    for (const mover of [white, black]) await mover.play(pick(await mover.turn(), seededRandom(5)));
    await white.result.waitFor();
    expect(await white.result.innerText()).toContain("Black wins on time");
    await black.result.waitFor();
    expect(await black.page.locator(".g-won").innerText()).toBe("You won");
  });

  it("can be watched by spectators", async () => {
    await startGame({ variant: "diamondring" });
    const guest = await visitors.create(PHONE);
    await guest.open(game.id);
    await guest.page.getByText("You are watching").first().waitFor();
    await white.play(pick(await white.turn(), seededRandom(2)));
    await guest.moves(1);
    expect(await guest.page.getByRole("button", { name: "Resign" }).count()).toBe(0);
    expect(await guest.overflows()).toBe(false);
  });
});

/** Black's clock, in seconds. */
async function secondsOf(visitor: Visitor): Promise<number> {
  const [minutes = 0, seconds = 0] = (await visitor.clock("black")).split(":").map(Number);
  return minutes * 60 + seconds;
}
