/** Tests of whole games in a real browser, on a server that runs at the address in LOZENGE_SITE. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/site/**/*.test.ts"],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    expect: { poll: { timeout: 15_000 } },
  },
});
