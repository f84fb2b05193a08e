/** How the site is built: one entry a page, hashed names, and a manifest that the server reads. */
import { existsSync, readFileSync } from "node:fs";
import preact from "@preact/preset-vite";
import { defineConfig, type Plugin } from "vite";

/** The license of the fonts goes where the fonts go. */
const fontsLicense: Plugin = {
  name: "fonts-license",
  generateBundle() {
    const source = readFileSync(new URL("fonts/LICENSE", import.meta.url), "utf8");
    this.emitFile({ type: "asset", fileName: "assets/fonts-license.txt", source });
  },
};

/** The JavaScript package, as `cargo xtask wasm` builds it; without it the engine thinks on the server alone. */
const folder = process.env.LOZENGE_NPM ?? new URL("../target/npm/lozenge", import.meta.url).pathname;
const isBuilt = existsSync(`${folder}/lozenge_bg.wasm`);

const browserEngine: Plugin = {
  name: "browser-engine",
  resolveId: (id) => (id.startsWith("virtual:lozenge") ? `\0${id}` : null),
  load(id) {
    if (id === "\0virtual:lozenge-module") {
      if (!isBuilt) return "export default null;";
      return `export { default } from ${JSON.stringify(`${folder}/lozenge_bg.wasm?url`)};`;
    }
    if (id !== "\0virtual:lozenge") return null;
    const file = JSON.stringify(`${folder}/lozenge.js`);
    if (isBuilt) return `export * from ${file}; export { default as init } from ${file};`;
    return "export const Engine = null, init = null, initSync = null, Position = null, Variant = null;";
  },
};

export default defineConfig({
  plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false }), fontsLicense, browserEngine],
  worker: { format: "es", plugins: () => [browserEngine] },
  build: {
    manifest: true,
    // The content security policy takes no fonts from data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: [
        "src/home/main.tsx",
        "src/game/main.tsx",
        "src/analysis/main.tsx",
        "src/editor/main.tsx",
        "src/study/main.tsx",
        "src/study/new.tsx",
        "src/study/embed.tsx",
        "src/puzzles/main.tsx",
        "src/learn/main.tsx",
        "src/learn/list.ts",
        "src/drills/main.tsx",
        "src/coordinates/main.tsx",
        "src/storm/main.tsx",
        "src/rules/main.tsx",
        "src/live/main.tsx",
        "src/account/main.tsx",
        "src/studio/main.tsx",
        "src/api/main.ts",
        "src/common/plain.ts",
      ],
      output: {
        // A browser fetches six files of a page at once: what several pages share is in few files.
        codeSplitting: {
          groups: [
            { name: "codemirror", test: /node_modules\/(@codemirror|@lezer|@marijn|crelt|style-mod|w3c-keyname)/ },
            { name: "preact", test: /node_modules/ },
            { name: "common", test: /src\/(common\/(?!board_texts|plain)|board\/(sounds|storage|armies|colors|svg)|game\/seats)/ },
            { name: "board", test: /src\/(board\/|common\/board_texts)/ },
          ],
        },
      },
    },
  },
  test: { include: ["src/**/*.test.ts", "src/**/*.test.tsx"] },
} as Parameters<typeof defineConfig>[0]);
