/** How the site is built: several entries, hashed names, and a manifest that the server reads. */
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    manifest: true,
    modulePreload: { polyfill: false },
    rollupOptions: { input: { board: "src/board/index.ts" } },
  },
  test: { include: ["src/**/*.test.ts"] },
} as Parameters<typeof defineConfig>[0]);
