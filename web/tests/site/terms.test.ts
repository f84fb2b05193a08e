/** Offers and claims: correspondence clocks, draws, rematches, the win over a player who has left. */
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, PHONE, type Visitor, createVisitors } from "./harness.ts";

/** Knights out and home again. */
const ROUND = ["c1e2", "f8d7", "e2c1", "d7f8"];

describe.skipIf(!canRun)("game terms", () => {
  const visitors = createVisitors();
  /** Both type their moves in turn, from White's, in a game with `played` moves. */
  const type = async (white: Visitor, black: Visitor, moves: readonly string[], played = 0): Promise<void> => {
    for (const [index, move] of moves.entries()) {
      const mover = index % 2 === 0 ? white : black;
      await mover.turn();
      await mover.type(move);
      // The opponent may receive a move before the player receives its acknowledgment.
      await mover.moves(played + index + 1);
    }
    for (const player of [white, black]) await player.moves(played + moves.length);
  };

  it("support correspondence games while a player is offline", async () => {
    const white = await visitors.create(DESKTOP);
    await white.page.goto("/");
    await white.page.locator(".tile", { hasText: "Diamondback" }).click();
    await white.page.getByRole("radio", { name: "A friend" }).check();
    await white.page.getByText("Side, time control, position").click();
    await white.page.getByRole("radio", { name: "White" }).check();
    await white.page.getByRole("radio", { name: "Days" }).check();
    await white.page.getByLabel("Per move").selectOption({ label: "2 days" });
    await white.button("Create a link").click();
    await white.page.waitForURL("**/game/*");
    await white.ready();
    const { pathname } = new URL(white.page.url());
    const black = await visitors.create(PHONE);
    await black.join(pathname.split("/").at(-1) ?? "");
    expect(await white.page.locator(".g-about").innerText()).toContain("2 days");
    await type(white, black, ROUND.slice(0, 2));
    await expect.poll(() => black.clock("white")).toBe("1 d 23 h");
    expect(await black.clock("black")).toBe("2 d 0 h");
    await black.page.goto("about:blank");
    await white.type("e2c1");
    await white.moves(3);
    await white.page.reload();
    await white.ready();
    await white.moves(3);
    await black.page.goto(pathname);
    await black.ready();
    await black.moves(3);
    await black.turn();
    await black.type("d7f8");
    for (const player of [white, black]) await player.moves(4);
    expect(await black.page.locator(".g-about").innerText()).toContain("2 days");
    // There is no presence check in correspondence games.
    expect(await white.page.getByText("Your opponent left").count()).toBe(0);
    expect(await white.page.getByRole("button", { name: "+15 s" }).count()).toBe(0);
  });

  it("let the side to move claim a draw by repetition", async () => {
    const { white, black } = await visitors.startGame({ variant: "diamondback" });
    await type(white, black, ROUND);
    expect(await white.button("Claim a draw").count()).toBe(0);
    await white.type("claim");
    await expect.poll(() => white.page.locator("#g-problem").innerText()).toContain("nothing to claim");
    await type(white, black, ROUND, ROUND.length);
    await white.page.getByText("you can claim a draw").waitFor();
    expect(await black.button("Claim a draw").count()).toBe(0);
    await white.button("Claim a draw").click();
    for (const player of [white, black]) {
      await player.result.waitFor();
      expect(await player.result.innerText()).toBe("Draw by repetition");
      expect(await player.page.locator(".g-points").allInnerTexts()).toEqual(["½", "½"]);
    }
  });

  it("support draw offers and rematches with swapped sides", async () => {
    const { white, black, game } = await visitors.startGame({ variant: "diamondback" });
    expect(await white.button("Draw").isDisabled()).toBe(true);
    await type(white, black, ROUND.slice(0, 2));
    const offerDraw = async (): Promise<void> => {
      await black.button("Draw").click();
      await black.button("Yes, offer").click();
    };
    await offerDraw();
    await black.button("Offered").waitFor();
    await white.page.getByText("offers a draw").first().waitFor();
    // Playing on turns the offer down.
    await white.turn();
    await white.type("e2c1");
    await black.moves(3);
    await offerDraw();
    await white.button("Accept").click();
    for (const player of [white, black]) {
      await player.result.waitFor();
      expect(await player.result.innerText()).toBe("Draw by agreement");
    }
    await white.button("Rematch").click();
    await white.button("Rematch offered").waitFor();
    await black.page.getByText("offers a rematch").first().waitFor();
    await black.button("Decline").click();
    await white.button("Rematch").click();
    await black.button("Accept").click();
    for (const player of [white, black]) {
      await player.page.waitForURL((url) => !url.pathname.endsWith(game.id));
      await player.ready();
    }
    const [next = ""] = new URL(black.page.url()).pathname.split("/").slice(-1);
    const { you, previous } = await black.game(next);
    expect([you, previous]).toEqual(["white", game.id]);
    expect(await black.turn()).toContain("c1e2");
    await black.page.goto(`/game/${game.id}`);
    await black.ready();
    await black.page.getByRole("link", { name: "To the rematch" }).click();
    await black.page.waitForURL(`**/game/${next}`);
  });

  it("let a player claim the win 30 seconds after the other left", async () => {
    const { white, black, game } = await visitors.startGame({
      variant: "diamondback",
      clock: { kind: "live", initial_s: 300, increment_s: 0 },
    });
    await type(white, black, ROUND.slice(0, 2));
    await black.page.goto("about:blank");
    const left = white.page.getByText(/Your opponent left the game. You can claim victory in \d+ s/);
    await left.waitFor();
    await black.page.goto(`/game/${game.id}`);
    await black.ready();
    await left.waitFor({ state: "detached" });
    await black.page.goto("about:blank");
    await left.waitFor();
    await white.type("claim");
    await expect.poll(() => white.page.locator("#g-problem").innerText()).toContain("nothing to claim");
    const claim = white.button("Claim victory");
    expect(await claim.count()).toBe(0);
    await claim.click({ timeout: 40_000 });
    await white.result.waitFor();
    expect(await white.result.innerText()).toBe("White wins because the opponent left");
    await black.page.goto(`/game/${game.id}`);
    await black.result.waitFor();
    expect(await black.page.locator(".g-won").innerText()).toBe("You lost");
  });
});
