/** The board editor: pieces placed, moved and removed, and the faults of the position beside them. */
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, PHONE, type Visitor, createVisitors } from "./harness.ts";

describe.skipIf(!canRun)("board editor", () => {
  const visitors = createVisitors();
  const open = async (visitor: Visitor, query: string): Promise<void> => {
    await visitor.page.goto(`/editor${query}`);
    await visitor.page.waitForFunction(() => document.querySelector("loz-board")?.shadowRoot?.querySelector(".piece"), null, { timeout: 30_000 });
    await visitor.page.getByText("This position can be played.").waitFor();
  };
  const fen = (visitor: Visitor): string => new URL(visitor.page.url()).searchParams.get("fen") ?? "";
  const press = async (visitor: Visitor, square: string): Promise<void> => {
    const [x, y] = await visitor.at(square);
    await visitor.page.mouse.click(x, y);
  };

  it("sets up a position, marks errors, and opens it in analysis", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await open(guest, "?variant=diagonal");
    await guest.button("Clear").click();
    await expect.poll(() => page.locator(".e-faults li").allInnerTexts()).toEqual([
      "White needs exactly one king.",
      "Black needs exactly one king.",
    ]);
    await guest.button("White King").click();
    await press(guest, "a1");
    await guest.button("Black King").click();
    await press(guest, "d4");
    await guest.button("White Pawn").click();
    await press(guest, "h8");
    await press(guest, "g7");
    await page.locator(".e-faults li").first().waitFor();
    // Pressed again it is gone; then the position is good.
    await press(guest, "h8");
    await page.getByText("This position can be played.").waitFor();
    expect(fen(guest)).toMatch(/^8\/6P1\/8\/8\/3k4\/8\/8\/K7 w - - 0 1/);
    // Dragged to another square, and off the board.
    await guest.button("Move pieces").click();
    const [from, to] = [await guest.at("g7"), await guest.at("f6")];
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => fen(guest)).toContain("8/8/5P2/8/3k4/8/8/K7");
    await page.getByLabel("Black", { exact: true }).check();
    await expect.poll(() => fen(guest)).toContain(" b ");
    // A FEN without counters is accepted; an invalid one is reported, and the board stays.
    const field = page.getByLabel("FEN", { exact: true });
    await field.fill("8/6P1/8/8/3k4/8/8/K7 b - -");
    await expect.poll(() => fen(guest)).toBe("8/6P1/8/8/3k4/8/8/K7 b - - 0 1");
    await page.getByRole("link", { name: "Analyze" }).waitFor();
    await field.fill("nonsense");
    await page.getByText(/^This FEN cannot be read/).first().waitFor();
    expect(await page.getByRole("link", { name: "Analyze" }).count()).toBe(0);
    await guest.button("Starting position").click();
    await field.fill("8/6P1/8/8/3k4/8/8/K7 b - -");
    await page.getByRole("link", { name: "Analyze" }).waitFor();
    expect(await guest.audit()).toEqual([]);
    await page.getByRole("link", { name: "Analyze" }).click();
    await page.waitForURL("**/analysis?*");
    await page.locator(".a-panel").waitFor();
    expect(await page.locator(".g-turn").innerText()).toBe("Black to move");
  });

  it("shows the errors of the FEN in its address, keeps the text", async () => {
    const guest = await visitors.create(DESKTOP);
    const { page } = guest;
    await page.goto("/editor?variant=diamond&fen=bad");
    await page.locator(".e-faults li").first().waitFor();
    const field = page.getByLabel("FEN", { exact: true });
    expect(await field.inputValue()).toBe("bad");
    expect(fen(guest)).toBe("bad");
    expect(await page.getByRole("link", { name: "Analyze" }).count()).toBe(0);
    await guest.button("Starting position").click();
    await page.getByText("This position can be played.").waitFor();
    await expect.poll(() => fen(guest)).not.toBe("bad");
    // One without counters is that of a position.
    const original = fen(guest);
    await page.goto(`/editor?${new URLSearchParams({ variant: "diamond", fen: original.split(" ").slice(0, 4).join(" ") })}`);
    await page.getByText("This position can be played.").waitFor();
    await page.getByRole("link", { name: "Analyze" }).waitFor();
  });

  it("sets up positions of three and four players", async () => {
    for (const options of [DESKTOP, PHONE]) {
      const guest = await visitors.create(options);
      const { page } = guest;
      await open(guest, "?variant=diamondring-four");
      const start = fen(guest);
      expect(start).toMatch(/ r - - 0 1 rbyg$/);
      expect(await page.locator(".e-palette > div").count()).toBe(6);
      // Blue goes out: the King leaves, the other pieces stay without an owner.
      await page.getByRole("group", { name: "Out of the game" }).getByLabel("Blue").check();
      await expect.poll(() => fen(guest)).toMatch(/ r - - 0 1 ryg\/b$/);
      expect(fen(guest).split(" ")[0]).not.toMatch(/b[A-Z]/);
      expect(fen(guest)).toContain("dR");
      await page.getByText("This position can be played.").waitFor();
      await page.getByRole("group", { name: "Side to move" }).getByLabel("Yellow").check();
      await expect.poll(() => fen(guest)).toContain(" y - -");
      // A held and moved finger, or the mouse, drags a piece.
      const [from, to] = [await guest.at("g6"), await guest.at("f5")];
      const name = (square: string): Promise<string> =>
        page.evaluate((square) => {
          const cells = document.querySelector("loz-board")?.shadowRoot?.querySelectorAll<HTMLElement>("[role=gridcell]");
          return [...(cells ?? [])].map((cell) => cell.getAttribute("aria-label") ?? "").find((label) => label.startsWith(`${square},`)) ?? "";
        }, square);
      await guest.button("Green Rook").click();
      await press(guest, "g6");
      await expect.poll(() => name("g6")).toMatch(/green rook/i);
      await guest.button("Move pieces").click();
      if (options === PHONE) {
        const touch = await page.context().newCDPSession(page);
        const send = (type: "touchStart" | "touchMove" | "touchEnd", at?: [number, number]) =>
          touch.send("Input.dispatchTouchEvent", { type, touchPoints: at ? [{ x: at[0], y: at[1], id: 0 }] : [] });
        await send("touchStart", from);
        await page.waitForTimeout(700);
        for (let step = 1; step <= 4; step += 1) {
          await send("touchMove", [from[0] + ((to[0] - from[0]) * step) / 4, from[1] + ((to[1] - from[1]) * step) / 4]);
        }
        await send("touchEnd");
      } else {
        await page.mouse.move(...from);
        await page.mouse.down();
        await page.mouse.move(...to, { steps: 4 });
        await page.mouse.up();
      }
      await expect.poll(() => name("f5")).toMatch(/green rook/i);
      expect(await name("g6")).not.toMatch(/rook/i);
      // The right button gives a piece to the next player, and last to nobody.
      await page.mouse.click(...(await guest.at("f5")), { button: "right" });
      await expect.poll(() => name("f5")).toMatch(/dead rook/i);
      // Faults are shown, and a FEN that is typed is read.
      const field = page.getByLabel("FEN", { exact: true });
      await field.fill(start.replace(" r - - 0 1 rbyg", " r - - 0 1 byg/r"));
      await page.getByText("The player to move must still be in the game.").waitFor();
      await field.fill(start.replace(" r - - 0 1 rbyg", " g - - 4 9 rbyg"));
      await page.getByText("This position can be played.").waitFor();
      expect(await page.getByRole("group", { name: "Side to move" }).getByLabel("Green").isChecked()).toBe(true);
      expect(await guest.overflows()).toBe(false);
      expect(await guest.audit()).toEqual([]);
      await guest.useDarkColors();
      expect(await guest.audit()).toEqual([]);
      await page.getByRole("link", { name: "Play from here" }).click();
      await page.waitForURL(/\/\?variant=diamondring-four/);
      expect(await page.locator("#fen").inputValue()).toContain(" g - - 4 9 rbyg");
    }
    const guest = await visitors.create(DESKTOP);
    await open(guest, "?variant=fourplayerchess");
    await guest.page.getByLabel("Castling right bK").uncheck();
    await expect.poll(() => fen(guest)).toMatch(/ r rKrQbQyKyQgKgQ - 0 1 rbyg$/);
    await open(guest, "?variant=threearmies");
    expect(await guest.page.locator(".e-palette > div").count()).toBe(5);
  });

  it("places, moves and erases pieces by taps on a phone", async () => {
    const guest = await visitors.create(PHONE);
    const { page } = guest;
    const tap = async (square: string): Promise<void> => page.touchscreen.tap(...(await guest.at(square)));
    await open(guest, "?variant=diagonal");
    await guest.button("Clear").tap();
    for (const [piece, square] of [["White King", "a1"], ["Black King", "d4"], ["White Rook", "f2"], ["Black Pawn", "c7"]] as const) {
      await guest.button(piece).tap();
      await tap(square);
    }
    await expect.poll(() => fen(guest)).toContain("8/2p5/8/8/3k4/8/5R2/K7");
    await page.getByText("This position can be played.").waitFor();
    // A tap takes a piece up, the next one puts it down, also where another piece stands.
    await guest.button("Move pieces").tap();
    await tap("f2");
    await tap("f5");
    await expect.poll(() => fen(guest)).toContain("8/2p5/8/5R2/3k4/8/8/K7");
    await tap("f5");
    await tap("c7");
    await expect.poll(() => fen(guest)).toContain("8/2R5/8/8/3k4/8/8/K7");
    await guest.button("Remove pieces").tap();
    await tap("c7");
    await expect.poll(() => fen(guest)).toContain("8/8/8/8/3k4/8/8/K7");
    expect(await guest.overflows()).toBe(false);
    // On a board without edges a tap means the square that is in sight there.
    await open(guest, "?variant=diamondring");
    const start = fen(guest);
    await guest.button("Remove pieces").tap();
    await tap("d2");
    await expect.poll(() => fen(guest)).not.toBe(start);
    await guest.button("White Pawn").tap();
    await tap("d2");
    await expect.poll(() => fen(guest)).toBe(start);
  });

  it("works by keyboard, on a torus and on a phone", async () => {
    const guest = await visitors.create(PHONE);
    const { page } = guest;
    await open(guest, "?variant=diamondring");
    const focus = (label: string): Promise<void> =>
      page.evaluate((label) => {
        const cells = document.querySelector("loz-board")?.shadowRoot?.querySelectorAll<HTMLElement>("[role=gridcell]");
        [...(cells ?? [])].find((cell) => new RegExp(label, "i").test(cell.getAttribute("aria-label") ?? ""))?.focus();
      }, label);
    // Enter takes a piece up and puts it down.
    const start = fen(guest);
    await focus("^d2, white pawn");
    await page.keyboard.press("Enter");
    await page.getByText("White Pawn on d2 selected.").waitFor({ state: "attached" });
    await focus("^d5,");
    await page.keyboard.press("Enter");
    await expect.poll(() => fen(guest)).not.toBe(start);
    await guest.button("Remove pieces").click();
    const before = fen(guest);
    await focus("white pawn");
    await page.keyboard.press("Enter");
    await expect.poll(() => fen(guest)).not.toBe(before);
    await page.getByText("This position can be played.").waitFor();
    expect(await guest.overflows()).toBe(false);
    await guest.useDarkColors();
    expect(await guest.audit()).toEqual([]);
  });
});
