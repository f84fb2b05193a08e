/** The home page: games begin as chosen there, and the lobby brings two people together. */
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, type Game, PHONE, type Visitor, createVisitors } from "./harness.ts";

const FEN = "1q5k/4P3/8/8/8/8/8/K7 w - - 0 1";

describe.skipIf(!canRun)("the home page", () => {
  const visitors = createVisitors();
  const home = async (options = DESKTOP): Promise<Visitor> => {
    const guest = await visitors.create(options);
    await guest.page.goto("/");
    await guest.page.locator(".play-form").waitFor();
    await guest.page.locator("#lobby").waitFor();
    return guest;
  };
  const openOptions = (guest: Visitor): Promise<void> => guest.page.getByText("Side, time control, position").click();
  const choose = (guest: Visitor, name: string): Promise<void> =>
    guest.page.getByRole("radio", { name, exact: true }).check();
  /** The game whose page has come up. */
  const waitForGame = async (guest: Visitor): Promise<Game> => {
    await guest.page.waitForURL("**/game/*");
    await guest.ready();
    return guest.game(new URL(guest.page.url()).pathname.split("/").at(-1) ?? "");
  };

  it("starts a game with the selected options, and stores them", async () => {
    const guest = await home(PHONE);
    expect(await guest.page.locator(".tile.more > span").last().innerText()).toBe("More games");
    await guest.page.locator(".tile", { hasText: "Diamondback" }).click();
    await guest.page.locator("label", { has: guest.page.getByRole("radio", { name: /^Level 2,/ }) }).click();
    await openOptions(guest);
    await choose(guest, "Black");
    await choose(guest, "5+3");
    await choose(guest, "Start 3");
    await guest.button("Play Diamondback Chess").click();
    const game = await waitForGame(guest);
    expect(game).toMatchObject({ variant: "diamondback", you: "black", white: { kind: "engine", level: 2 } });
    expect(game.clock).toEqual({ kind: "live", initial_s: 300, increment_s: 3 });
    expect(game.start_fen).not.toMatch(/^3prnqk/);
    // Black sits at the bottom, and the engine begins.
    expect(await guest.page.evaluate(() => document.querySelector("loz-board")?.turns)).toBe(2);
    await guest.moves(1);
    await guest.page.goto("/");
    await openOptions(guest);
    for (const name of ["Black", "5+3", "Start 3"]) {
      expect(await guest.page.getByRole("radio", { name, exact: true }).isChecked()).toBe(true);
    }
    expect(await guest.page.getByRole("radio", { name: /^Level 2,/ }).isChecked()).toBe(true);
    // It is among one's own games now.
    await guest.page.getByRole("heading", { name: "Your games" }).waitFor();
    await guest.page.locator(`section:has(#mine-title) a[href="/game/${game.id}"]`).click();
    await waitForGame(guest);
  });

  it("starts from a FEN, and explains an invalid one", async () => {
    const guest = await home();
    guest.ignoreErrors(/status of 422/);
    await guest.page.locator(".tile", { hasText: "Diamondback" }).click();
    await openOptions(guest);
    await choose(guest, "White");
    const fen = guest.page.getByLabel("From a position (FEN)");
    await fen.fill("1q5k/4P3/9/8/8/8/8/K7 w - - 0 1");
    // The board beside it checks at once, and the fault is shown there only.
    const fault = guest.page.locator("#fen-fault");
    await expect.poll(() => fault.innerText()).toMatch(/^This is not a valid position\. FEN, column 10/);
    await guest.page.getByText("Side, time control, position").click();
    await guest.button("Play Diamondback Chess").click();
    await expect.poll(() => fen.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await guest.page.locator(".play-form .fault:not(:empty)").count()).toBe(1);
    expect(new URL(guest.page.url()).pathname).toBe("/");
    await fen.fill(FEN);
    await expect.poll(() => fault.innerText()).toBe("");
    await guest.button("Play Diamondback Chess").click();
    expect((await waitForGame(guest)).start_fen).toBe(FEN);
  });

  it("starts a game of the variant whose rules page linked here", async () => {
    const guest = await visitors.create(DESKTOP);
    await guest.page.goto("/rules/capablanca");
    await guest.page.getByRole("link", { name: "Play this game" }).click();
    await guest.page.locator(".play-form").waitFor();
    await guest.button("Play Capablanca Chess").click();
    expect((await waitForGame(guest)).variant).toBe("capablanca");
  });

  it("rejects an invalid clock", async () => {
    const guest = await home();
    await openOptions(guest);
    await choose(guest, "Custom");
    await guest.page.getByLabel("Minutes per side").fill("0");
    await guest.page.getByLabel("Increment in seconds").fill("0");
    await guest.page.locator(".play-form button[type=submit]").click();
    await expect.poll(() => guest.page.locator(".play-form > .fault").innerText()).toContain("at least 30 seconds");
  });

  it("shows seeks with rating ranges, to be filtered and accepted", async () => {
    const [white, black] = [await home(), await home(PHONE)];
    await white.page.locator(".tile", { hasText: "Double Diamond" }).click();
    await choose(white, "Anyone");
    await openOptions(white);
    await choose(white, "White");
    await choose(white, "10+5");
    await white.page.getByLabel("Minimum").fill("1000");
    await white.button("Find an opponent").click();
    await white.page.getByText("You are waiting").waitFor();

    const accept = black.page.getByRole("button", { name: /^Play Double Diamond against/ });
    await accept.waitFor();
    const seek = black.page.locator(".seek", { has: accept });
    expect(await seek.innerText()).toMatch(/10\+5[^]*White[^]*for ≥ 1000/);
    const speed = black.page.locator("#filter-speed");
    await speed.selectOption({ label: "Bullet" });
    await black.page.getByText("No open game matches").waitFor();
    await speed.selectOption({ label: "Rapid" });
    await accept.click();
    const [one, other] = [await waitForGame(white), await waitForGame(black)];
    expect(one.id).toBe(other.id);
    expect([one.you, other.you]).toEqual(["white", "black"]);
    await white.play((await white.turn())[0] ?? "");
    await black.moves(1);
    // A later visitor sees no seek.
    const laterVisitor = await home();
    expect(await laterVisitor.page.getByRole("button", { name: /^Play Double Diamond against/ }).count()).toBe(0);
  });

  it("pairs players of the same quick pairing, cancels a seek", async () => {
    const [one, other] = [await home(), await home()];
    const quickPairing = (guest: Visitor, name: RegExp) => guest.page.locator(".quick-one", { hasText: name });
    for (const guest of [one, other]) await guest.page.locator(".tile", { hasText: "Diagonal" }).click();
    await quickPairing(one, /^1\+0/).click();
    await other.page.getByRole("button", { name: /^Play Diagonal Chess against/ }).waitFor();
    await one.button("Cancel").click();
    await other.page.getByRole("button", { name: /^Play Diagonal Chess against/ }).waitFor({ state: "detached" });
    await quickPairing(one, /^3\+2/).click();
    await one.page.getByText("Looking for an opponent").waitFor();
    await quickPairing(other, /^3\+2/).click();
    const [ownGame, otherGame] = [await waitForGame(one), await waitForGame(other)];
    expect(ownGame.id).toBe(otherGame.id);
    expect(ownGame).toMatchObject({ variant: "diagonal", clock: { kind: "live", initial_s: 180, increment_s: 2 } });
    expect(new Set([ownGame.you, otherGame.you])).toEqual(new Set(["white", "black"]));
  });

  it("draws boards of live games near the viewport", async () => {
    const creator = await visitors.create(DESKTOP);
    await creator.createGame({ variant: "diamond", opponent: { kind: "engine", level: 1 } });
    const guest = await home(PHONE);
    const liveGames = guest.page.locator("section:has(#watch-title)");
    await liveGames.waitFor({ state: "attached" });
    // A phone shows the form first; the boards' code has not been requested.
    expect(await guest.page.locator("loz-board").count()).toBe(0);
    await liveGames.scrollIntoViewIfNeeded();
    await liveGames.locator("loz-board").first().waitFor();
  });
});
