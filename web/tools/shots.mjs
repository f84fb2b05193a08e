/**
 * Pictures of the demo page in every game and view, for people to look at: `node tools/shots.mjs DIR [FILTER]`.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { createServer } from "vite";

const [directory = "shots", filter = ""] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
const root = fileURLToPath(new URL("..", import.meta.url));
const server = await createServer({ root, logLevel: "error", server: { port: 0, host: "127.0.0.1" } });
await server.listen();
const address = server.resolvedUrls.local[0];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
const games = ["diamond", "diagonal", "diamondback", "diamondring", "doublediamond"];
for (const game of games) {
  for (const view of ["diamond", "square"]) {
    for (const theme of ["light", "dark"]) {
      for (const [device, viewport] of [
        ["phone", { width: 390, height: 844 }],
        ["desktop", { width: 1000, height: 900 }],
      ]) {
        const name = `${game}-${view}-${theme}-${device}`;
        if (filter && !new RegExp(filter).test(name)) continue;
        const page = await browser.newPage({ viewport });
        page.on("pageerror", (error) => console.log(name, String(error)));
        await page.goto(`${address}demo/board.html?game=${game}&view=${view}&theme=${theme}&movable=white`);
        await page.waitForFunction(() =>
          document.querySelector("loz-board")?.shadowRoot?.querySelector(".man"),
        );
        const script = process.env.SCRIPT;
        if (script) await page.evaluate(script);
        await page.waitForTimeout(120);
        await page.screenshot({ path: `${directory}/${name}.png` });
        await page.close();
      }
    }
  }
}
await browser.close();
await server.close();
