/** The studio makes a game of three players: checked, drawn, published, and played with engines on two seats. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LozBoard } from "../../src/board/index.ts";
import { canRun, createVisitors, DESKTOP, PHONE } from "./harness.ts";

const THREE = readFileSync(new URL("../../../variants/examples/threearmies.toml", import.meta.url), "utf8");
const SHOTS = process.env["LOZENGE_SHOTS"];

describe.skipIf(!canRun)("the studio with a game of three", () => {
  const visitors = createVisitors();

  it.each([
    ["on a desktop", DESKTOP, "light"],
    ["on a phone", PHONE, "dark"],
  ] as const)("publishes and plays it %s", { timeout: 300_000 }, async (_, options, colorScheme) => {
    const ann = await visitors.create({ ...options, colorScheme });
    const { page } = ann;
    const unique = `${colorScheme}${Date.now().toString(36)}`;
    const account = { name: `Three${unique}`, password: "a long password" };
    expect((await ann.context.request.post("/api/account/register", { data: account })).status()).toBe(200);
    const name = `Armies ${unique}`;
    const source = THREE.replace('id = "threearmies"', `id = "armies-${unique}"`).replace('"Three Armies"', `"${name}"`);
    const tab = (text: string) => page.locator(".panes label", { hasText: text }).click();
    const write = async (text: string): Promise<void> => {
      const editor = page.locator(".cm-content");
      if (!(await editor.isVisible())) await tab("File");
      await editor.click();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(text);
    };
    const state = (): Promise<string> => page.locator(".workbench-head .state").first().innerText();
    const shot = async (view: string): Promise<void> => {
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/${view}-${colorScheme}.png`, fullPage: true });
    };
    await page.goto("/studio");
    await ann.button("A small game with comments").click();
    await page.locator(".cm-content").waitFor({ state: "attached" });
    // A fault of a game of three has its place.
    await write(source.replace('blue = "mirror-rising"', 'blue = "turn"'));
    await expect.poll(state).toMatch(/1 fault/);
    await expect.poll(() => page.locator(".faults").innerText()).toContain("a symmetry of its own for each seat");
    await write(source);
    await expect.poll(state).toMatch(/No faults/);
    await page.getByText("The engine measures games of two players.").waitFor();

    // The armies stand on the board; a piece is placed for all three.
    await tab("Board");
    const board = page.locator(".preview loz-board");
    const colors = () => board.evaluate((element) => [...new Set((element as LozBoard).pieces.map(({ color }) => color))].sort());
    await expect.poll(colors).toEqual(["blue", "red", "yellow"]);
    await shot("board");
    await tab("Form");
    await ann.button("Red: Knight").click();
    await ann.button("d3").click();
    for (const square of ["d3, Red: Knight", "c4, Blue: Knight", "i10, Yellow: Knight"]) await ann.button(square).waitFor();
    await shot("form");
    await ann.button("Empty").click();
    await ann.button("d3, Red: Knight").click();
    await ann.button("c4").waitFor();
    await expect.poll(state).toMatch(/No faults/);
    await tab("Pieces");
    await ann.button("Pawn").click();
    await page.locator(".preview label", { hasText: "Blue" }).click();
    await expect.poll(() => page.locator(".pieces-count").innerText()).toMatch(/^Pawn on b\d+: \d squares?$/);
    await shot("pieces");
    await tab("Rules");
    await page.locator(".preview .written", { hasText: "Blue" }).waitFor();
    expect(await ann.overflows()).toBe(false);
    expect(await ann.audit()).toEqual([]);

    await page.locator(".publish label", { hasText: "Anyone with the link" }).click();
    await ann.button("Publish").click();
    await page.getByText("Version 1 is published.").waitFor();
    // The page of the game explains it and leads to a game; it has lessons, but nothing that is for two.
    await page.locator(".publish").getByRole("link", { name: "Page of the game" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.locator("#balance", { hasText: "The engine measures games of two players." }).waitFor();
    expect(await page.locator('a[href^="/learn/~"]').count()).toBe(1);
    expect(await ann.overflows()).toBe(false);
    expect(await ann.audit()).toEqual([]);
    await shot("page");
    await page.locator('a[href^="/?game=~"]').click();
    await expect.poll(() => page.locator(".seats select").count()).toBe(3);
    await page.locator('.play button[type="submit"]').click();
    await page.waitForURL("**/game/*");
    await ann.ready();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const game = await ann.game(id);
    expect([game.variant_name, game.seats?.length, game.seats?.filter((seat) => seat.player?.kind === "engine").length]).toEqual([name, 3, 2]);
    const [move = ""] = await ann.turn();
    await ann.type(move);
    // Both engines answer.
    await expect.poll(async () => (await ann.game(id)).state.ply, { timeout: 120_000 }).toBe(3);
    await shot("game");
  });
});
