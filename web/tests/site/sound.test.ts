/** The switch for sounds of a game's page, and the one at the top of every page: turning one turns both. */
import { describe, expect, it } from "vitest";
import { canRun, createVisitors } from "./harness.ts";

describe.skipIf(!canRun)("the sound controls", () => {
  const visitors = createVisitors();

  it("stay in sync", async () => {
    const visitor = await visitors.create();
    const game = await visitor.createGame({ variant: "diagonal", opponent: { kind: "engine", level: 1 } });
    await visitor.open(game.id);
    const { page } = visitor;
    const button = page.locator(".g-tools button", { hasText: "Sound" });
    const radio = (value: string) => page.locator(`input[name="frame-sound"][value="${value}"]`);
    await page.locator(".looks summary").click();
    expect([await button.getAttribute("aria-pressed"), await radio("on").isChecked()]).toEqual(["true", true]);
    await radio("off").check({ force: true });
    expect([await button.getAttribute("aria-pressed"), await radio("off").isChecked()]).toEqual(["false", true]);
    await button.evaluate((element: HTMLElement) => element.click());
    expect([await button.getAttribute("aria-pressed"), await radio("on").isChecked()]).toEqual(["true", true]);
  });
});
