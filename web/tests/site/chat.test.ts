/** Chat of players and of spectators: its readers, hiding it, and its limits. */
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, PHONE, type Visitor, createVisitors } from "./harness.ts";

/** Most lines of a player in a short time. */
const MAX_LINES = 8;

describe.skipIf(!canRun)("chat", () => {
  const visitors = createVisitors();
  const sendMessage = async (visitor: Visitor, text: string): Promise<void> => {
    // On phones the line opens first.
    const open = visitor.page.getByRole("button", { name: "Write a message" });
    if (await open.isVisible()) await open.click();
    const line = visitor.page.getByPlaceholder("Write a message");
    await line.fill(text);
    await line.press("Enter");
  };
  const lines = (visitor: Visitor): Promise<string[]> => visitor.page.locator(".g-messages p").allInnerTexts();
  const waitForMessage = async (visitor: Visitor, text: string): Promise<void> => {
    await visitor.page.locator(".g-messages p", { hasText: text }).waitFor();
  };
  const tabs = (visitor: Visitor): Promise<string[]> => visitor.page.getByRole("tab").allInnerTexts();

  it("separates players and spectators until the game is over", async () => {
    const { white, black, game } = await visitors.startGame({ variant: "diamond" });
    const [guest, other] = [await visitors.create(PHONE), await visitors.create(DESKTOP)];
    await guest.open(game.id);
    await other.open(game.id);
    expect(await tabs(white)).toEqual(["Players"]);
    expect(await tabs(guest)).toEqual(["Spectators"]);
    await sendMessage(white, "Good luck!");
    await waitForMessage(black, "Good luck!");
    await sendMessage(guest, "White is <b>winning</b>");
    await waitForMessage(other, "White is <b>winning</b>");
    // Readers who come later read the same.
    await other.page.reload();
    await waitForMessage(other, "White is <b>winning</b>");
    expect(await lines(other)).toHaveLength(1);
    await black.page.reload();
    await waitForMessage(black, "Good luck!");
    expect(await lines(black)).toHaveLength(1);
    expect(await tabs(black)).toEqual(["Players"]);

    await white.button("Abort").click();
    await black.result.waitFor();
    expect(await black.result.innerText()).toContain("Game aborted");
    // Now the players may read the spectators' chat.
    await black.page.reload();
    await waitForMessage(black, "Good luck!");
    // Arrows go from tab to tab, and mean nothing to the moves there and among the lines.
    const [players, spectators] = [
      black.page.getByRole("tab", { name: "Players" }),
      black.page.getByRole("tab", { name: "Spectators" }),
    ];
    await players.focus();
    await black.page.keyboard.press("ArrowRight");
    await expect.poll(() => spectators.evaluate((tab) => tab === document.activeElement)).toBe(true);
    await waitForMessage(black, "White is <b>winning</b>");
    const turns = () => black.page.evaluate(() => document.querySelector("loz-board")?.turns);
    await black.page.locator(".g-messages").focus();
    await black.page.keyboard.press("f");
    expect(await turns()).toBe(2);
    await black.page.keyboard.press("Shift+Tab");
    expect(await spectators.getAttribute("aria-selected")).toBe("true");
    await other.page.reload();
    await waitForMessage(other, "White is");
    expect(await tabs(other)).toEqual(["Spectators"]);
    expect((await lines(other)).join()).not.toContain("Good luck");
  });

  it("stays muted on the next page", async () => {
    const { white, black } = await visitors.startGame({ variant: "diamond" });
    await sendMessage(white, "Hello");
    await waitForMessage(black, "Hello");
    await black.button("Mute").click();
    await black.page.getByText("The chat is muted").waitFor();
    await sendMessage(white, "Are you there?");
    await waitForMessage(white, "Are you there?");
    await sendMessage(black, "Later");
    await waitForMessage(black, "Later");
    await waitForMessage(white, "Later");
    expect((await lines(black)).join()).not.toContain("there");
    await black.page.reload();
    await black.button("Unmute").click();
    await waitForMessage(black, "Are you there?");
  });

  it("explains its rate limit", async () => {
    const { white, black } = await visitors.startGame({ variant: "diamond" });
    for (let line = 1; line <= MAX_LINES; line += 1) await sendMessage(white, `Line ${line} of many`);
    await waitForMessage(black, `Line ${MAX_LINES} of many`);
    await sendMessage(white, "One more");
    const problem = white.page.locator("#g-chat-problem");
    await expect.poll(() => problem.innerText()).toContain("Too many requests");
    // The unsent text stays.
    expect(await white.page.getByPlaceholder("Write a message").inputValue()).toBe("One more");
    await sendMessage(black, "I may still speak");
    await waitForMessage(white, "I may still speak");
    expect((await lines(black)).join()).not.toContain("One more");
  });
});
