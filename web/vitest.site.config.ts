/**
 * Tests of whole games in a real browser, on a server that runs at the address in LOZENGE_SITE. With several addresses, between
 * spaces, as many files are tested at once, each on a server that no other uses meanwhile.
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/site/**/*.test.ts"],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    maxWorkers: (process.env.LOZENGE_SITE ?? "").split(" ").length,
    expect: { poll: { timeout: 15_000 } },
    // A browser on a busy machine loses an event now and then. A test that fails twice has found a fault; one that passes the second
    // time is named with "retry x1".
    retry: process.env.CI ? 1 : 0,
  },
});
