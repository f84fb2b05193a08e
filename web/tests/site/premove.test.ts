/** Moves that wait for their turn, typed and entered, in a game of two people. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { ADDRESS, canRun, type Terms, type Visitor, createVisitors } from "./harness.ts";

/** White's pawn is about to promote, and Black's rook can take it. */
const NEAR = "8/4P2r/8/8/8/7k/8/K7 w - - 0 1";

describe.skipIf(!canRun)("a typed premove", () => {
  const visitors = createVisitors();
  let white: Visitor;
  let black: Visitor;
  const meet = async (terms: Terms): Promise<string> => {
    const players = await visitors.startGame(terms);
    ({ white, black } = players);
    return players.game.id;
  };
  const type = async (page: Page, line: string): Promise<void> => {
    await page.locator("#g-command").fill(line);
    await page.keyboard.press("Enter");
  };
  const waits = (page: Page) => page.locator("loz-board .mark.premove").getAttribute("d");
  const moves = (page: Page) => page.locator(".g-moves li button").count();

  it("is shown, announced, canceled and played", async () => {
    await meet({ variant: "diagonal" });
    const { page } = black;
    const [first = ""] = await white.turn();
    await type(page, "Nf3");
    await page.getByText("type both squares").waitFor();
    const example = /: ([a-h]\d[a-h]\d)/.exec(await page.locator("#g-problem").innerText())?.[1] ?? "";
    await type(page, example);
    await expect.poll(() => waits(page)).not.toBe("");
    expect(await page.locator("loz-board .live-region").textContent()).toContain("premove");
    expect(await page.locator("#g-problem").innerText()).toBe("");
    await type(page, "cancel");
    await expect.poll(() => waits(page)).toBe("");
    expect(await page.locator("loz-board .live-region").textContent()).toContain("premove cancelled");
    await type(page, "cancel");
    await page.getByText("You have no premove.").waitFor();
    await type(page, example);
    await expect.poll(() => waits(page)).not.toBe("");
    await white.play(first);
    await expect.poll(() => moves(page)).toBe(2);
    await expect.poll(() => waits(page)).toBe("");
    expect([...white.faults, ...black.faults]).toEqual([]);
  });

  it("promotes to the selected piece", async () => {
    const id = await meet({ variant: "diamondback", fen: NEAR });
    // White selects the pawn and does something else; then the pawn waits.
    await white.turn();
    await white.play("a1a2");
    const [x, y] = await white.at("e7");
    await white.page.mouse.click(x, y);
    await expect.poll(() => white.page.locator("loz-board .mark.pre-dots").getAttribute("d")).not.toBe("");
    await white.page.mouse.click(...(await white.at("e8")));
    const chooser = white.page.locator("loz-board .chooser");
    await chooser.locator("button", { hasText: "Knight" }).click();
    await expect.poll(() => waits(white.page)).not.toBe("");
    expect(await white.page.locator("loz-board .premove-ghost use").count()).toBe(1);
    await black.turn();
    await black.play("h3h4");
    await expect.poll(async () => (await white.game(id)).history.at(-1)?.uci).toBe("e7e8n");
    expect(white.faults).toEqual([]);
  });

  it("is cancelled for both sides by a takeback", async () => {
    const id = await meet({ variant: "diamondback", fen: NEAR });
    const act = (visitor: Visitor, type: string) =>
      visitor.context.request.post(`${ADDRESS}/api/games/${id}/actions`, { data: { type } });
    const takeBack = async (from: Visitor, by: Visitor): Promise<void> => {
      await act(from, "takeback");
      await act(by, "takeback");
    };
    await white.turn();
    await white.play("a1a2");
    // The next turn would be White's own again, at once.
    await type(white.page, "a2a3");
    await expect.poll(() => waits(white.page)).not.toBe("");
    await takeBack(white, black);
    await white.moves(0);
    await expect.poll(() => waits(white.page)).toBe("");
    await white.turn();
    await white.play("a1a2");
    await black.turn();
    await black.play("h3h4");
    await type(black.page, "h4h5");
    await expect.poll(() => waits(black.page)).not.toBe("");
    await takeBack(white, black);
    await black.moves(0);
    await expect.poll(() => waits(black.page)).toBe("");
    await white.turn();
    await white.play("a1b1");
    await black.turn();
    expect((await white.game(id)).history.map(({ uci }) => uci)).toEqual(["a1b1"]);
  });

  it("is dropped with a message if it is not legal", async () => {
    const id = await meet({ variant: "diamondback", fen: NEAR });
    await white.turn();
    await white.play("a1a2");
    await type(white.page, "e7e8");
    await white.page.getByText("Add the letter of the promotion").waitFor();
    await type(white.page, "e7e8n");
    await expect.poll(() => waits(white.page)).not.toBe("");
    // To look back takes nothing away.
    await white.button("First position").click();
    expect(await waits(white.page)).toBe("");
    await white.button("Latest move").click();
    await expect.poll(() => waits(white.page)).not.toBe("");
    await black.turn();
    await black.play("h7e7");
    await white.page.getByText("Your premove e7e8n was illegal and has been cancelled.").waitFor();
    expect(await waits(white.page)).toBe("");
    expect((await white.game(id)).history).toHaveLength(2);
    expect(white.faults).toEqual([]);
  });
});
