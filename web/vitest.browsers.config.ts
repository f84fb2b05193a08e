/** Tests of the site in browsers other than Chromium, on a server that runs at the address in LOZENGE_SITE. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/browsers/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: process.env.CI ? 1 : 0,
  },
});
