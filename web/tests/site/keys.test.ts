/** A whole game by keyboard alone, as with a screen reader. */
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, PHONE, createVisitors, type Visitor } from "./harness.ts";

const CLOCK = { kind: "live", initial_s: 600, increment_s: 5 } as const;

describe.skipIf(!canRun)("keyboard-only players", () => {
  const visitors = createVisitors();
  /** Presses Tab until the element is there. */
  const tabTo = async ({ page }: Visitor, role: string, name: string): Promise<void> => {
    for (let step = 0; step < 80; step += 1) {
      await page.keyboard.press("Tab");
      const focused = await page.evaluate(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
        const text = element?.getAttribute("aria-label") ?? (labels[0] ?? element)?.textContent ?? "";
        return [element?.getAttribute("role") ?? element?.localName, text.trim()];
      });
      if (focused[0] === role && focused[1]?.includes(name)) return;
    }
    throw new Error(`expected the ${role} ${name} on the way of Tab, found none`);
  };
  const typeLine = async ({ page }: Visitor, text: string): Promise<void> => {
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };

  it("can start, play and resign a game", async () => {
    const guest = await visitors.create(DESKTOP);
    const { keyboard } = guest.page;
    await guest.page.goto("/");
    await guest.page.locator(".play-form").waitFor();
    await tabTo(guest, "input", "Diamond");
    // From the game that is suggested to the one before it.
    await keyboard.press("ArrowLeft");
    await tabTo(guest, "summary", "Side, time control, position");
    await keyboard.press("Enter");
    await tabTo(guest, "input", "Random");
    await keyboard.press("ArrowLeft");
    expect(await guest.page.getByRole("radio", { name: "White" }).isChecked()).toBe(true);
    await tabTo(guest, "button", "Play Diamondback Chess");
    await keyboard.press("Enter");
    await guest.page.waitForURL("**/game/*");
    await guest.ready();

    // The first link leads past the bar at the top; then the line is near.
    await keyboard.press("Tab");
    expect(await guest.page.evaluate(() => document.activeElement?.className)).toBe("skip");
    await keyboard.press("Enter");
    await keyboard.press("m");
    await expect.poll(() => guest.page.evaluate(() => document.activeElement?.id)).toBe("g-command");
    await typeLine(guest, "clock");
    await expect.poll(() => guest.page.locator("#g-problem").innerText()).toBe("This game has no clock.");
    await typeLine(guest, "last");
    await expect.poll(() => guest.announcement.innerText()).toBe("No moves yet.");
    await typeLine(guest, "c1e2");
    await guest.moves(2);
    await guest.turn();
    // The board announces the engine's move.
    await expect.poll(() => guest.page.locator("loz-board .live-region").innerText()).toMatch(/^Black|^black/);
    const id = new URL(guest.page.url()).pathname.split("/").at(-1) ?? "";
    const { history } = await guest.game(id);
    await typeLine(guest, "last");
    await expect.poll(() => guest.announcement.innerText()).toContain(history[1]?.san ?? "?");
    await typeLine(guest, "e2z9");
    await expect.poll(() => guest.page.locator("#g-problem").innerText()).not.toBe("");
    const knight = (await guest.turn()).find((move) => move.startsWith("e2c1"));
    await typeLine(guest, knight ?? (await guest.turn())[0] ?? "");
    await guest.moves(4);
    await guest.turn();
    await typeLine(guest, "resign");
    // The question has the focus: Enter confirms.
    await guest.button("Yes, resign").waitFor();
    await keyboard.press("Enter");
    await guest.result.waitFor();
    expect(await guest.announcement.innerText()).toContain("Black wins by resignation");
  });

  it("offers and accepts draws by commands, announces clocks", async () => {
    const { white, black } = await visitors.startGame({ variant: "diamondback", clock: CLOCK });
    for (const [player, move] of [[white, "c1e2"], [black, "f8d7"]] as const) {
      await player.turn();
      await player.page.keyboard.press("m");
      await typeLine(player, move);
    }
    await white.moves(2);
    await typeLine(white, "clock");
    await expect.poll(() => white.announcement.innerText()).toMatch(/^White has \d+:\d\d, Black has \d+:\d\d\.$/);
    await typeLine(white, "draw");
    await expect.poll(() => black.announcement.innerText()).toContain("offers a draw");
    await typeLine(black, "no");
    await expect.poll(() => white.announcement.innerText()).toBe("Draw offer declined.");
    await typeLine(white, "accept");
    await expect.poll(() => white.page.locator("#g-problem").innerText()).toBe("There is no offer to answer.");
    await typeLine(black, "draw");
    await expect.poll(() => white.announcement.innerText()).toContain("offers a draw");
    await typeLine(white, "yes");
    for (const player of [white, black]) {
      await player.result.waitFor();
      expect(await player.announcement.innerText()).toContain("Draw by agreement");
    }
  });

  it("can play on the board cell by cell", async () => {
    const guest = await visitors.create(PHONE);
    const game = await guest.createGame({ variant: "diamondback", opponent: { kind: "engine", level: 1 } });
    await guest.open(game.id);
    await tabTo(guest, "gridcell", "a1, white king");
    const cell = guest.page.locator("loz-board [role=gridcell]:focus");
    const name = (): Promise<string | null> => cell.getAttribute("aria-label");
    await guest.page.keyboard.press("ArrowRight");
    await guest.page.keyboard.press("ArrowRight");
    expect(await name()).toBe("c1, white knight, can move");
    await guest.page.keyboard.press("Enter");
    for (const key of ["ArrowUp", "ArrowRight", "ArrowRight"]) await guest.page.keyboard.press(key);
    expect(await name()).toBe("e2, empty, possible move");
    await guest.page.keyboard.press("Enter");
    await guest.moves(2);
    expect((await guest.game(game.id)).history[0]?.uci).toBe("c1e2");
  });
});
