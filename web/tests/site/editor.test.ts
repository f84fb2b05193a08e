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

  it("works by keyboard, on a torus and on a phone", async () => {
    const guest = await visitors.create(PHONE);
    const { page } = guest;
    await open(guest, "?variant=diamondring");
    await guest.button("Remove pieces").click();
    const before = fen(guest);
    await page.evaluate(() => {
      const cells = document.querySelector("loz-board")?.shadowRoot?.querySelectorAll<HTMLElement>("[role=gridcell]");
      [...(cells ?? [])].find((cell) => /white pawn/i.test(cell.getAttribute("aria-label") ?? ""))?.focus();
    });
    await page.keyboard.press("Enter");
    await expect.poll(() => fen(guest)).not.toBe(before);
    await page.getByText("This position can be played.").waitFor();
    expect(await guest.overflows()).toBe(false);
    await guest.useDarkColors();
    expect(await guest.audit()).toEqual([]);
  });
});
