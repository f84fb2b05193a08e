/**
 * Pictures of the demo page in every game and view, for people to look at: `node tools/shots.mjs DIR [FILTER]`.
 */
import { mkdirSync } from "node:fs";
import { launch } from "./chromium.mjs";
import { servePages } from "./pages.mjs";

const [directory = "shots", filter = ""] = process.argv.slice(2);
mkdirSync(directory, { recursive: true });
const { server, address } = await servePages();
const browser = await launch();
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
          document.querySelector("loz-board")?.shadowRoot?.querySelector(".piece"),
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
