/** The report on a game's balance, inside the site's frame. */
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, PHONE, createVisitors } from "./harness.ts";

describe.skipIf(!canRun)("balance report", () => {
  const visitors = createVisitors();

  it("shows each figure with its sentence, on desktop and phone", async () => {
    for (const device of [DESKTOP, PHONE]) {
      const reader = await visitors.create(device);
      await reader.page.goto("/variants/diamondring/report");
      const figures = await reader.page.locator(".report .figure").evaluateAll((all) =>
        all.map((figure) => {
          const sentence = figure.querySelector("p");
          return {
            isWhole: sentence !== null && sentence.scrollHeight <= sentence.clientHeight + 1,
            share: (sentence?.clientWidth ?? 0) / figure.clientWidth,
          };
        }),
      );
      expect(figures.length).toBeGreaterThanOrEqual(6);
      for (const { isWhole, share } of figures) {
        expect(isWhole).toBe(true);
        expect(share).toBeGreaterThan(0.8);
      }
      expect(await reader.overflows()).toBe(false);
      expect(await reader.audit()).toEqual([]);
    }
  });
});
