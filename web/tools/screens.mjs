/**
 * Pictures of the pages for `docs/screens`: `npm run screens -- ADDRESS [FILTER]`, on a phone and on a desktop, light
 * and dark. The site should be empty but for what is made here.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch } from "./chromium.mjs";
import { EACH_PAGE, visit } from "./each_page.mjs";
import { populate } from "./world.mjs";

const [address = "", filter = "", folder = fileURLToPath(new URL("../../docs/screens", import.meta.url))] =
  process.argv.slice(2);
if (!/^https?:\/\//.test(address)) {
  console.error("expected a site's address, such as: npm run screens -- http://127.0.0.1:8080");
  process.exit(2);
}
const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};

/** In the page: whether all pictures in sight are there, those of men too. */
const isDrawn = () => {
  const inSight = (element) => {
    const box = element.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  };
  const waits = [...document.images].some((image) => inSight(image) && !image.complete);
  const lettered = [...document.querySelectorAll("loz-board")].some((board) => {
    const drawn = [...board.shadowRoot.querySelectorAll("symbol")].some(({ id }) => !id.startsWith("letter-"));
    return inSight(board) && !drawn && board.men.some((man) => board.board.roles.find(({ id }) => id === man.role).glyph);
  });
  return !waits && !lettered;
};

mkdirSync(folder, { recursive: true });
const world = await populate(address);
const browser = await launch();
for (const each of EACH_PAGE) {
  for (const [device, options] of Object.entries(DEVICES)) {
    const context = await browser.newContext({
      baseURL: address,
      reducedMotion: "reduce",
      ...options,
      ...(each.as && { storageState: world[each.as] }),
    });
    for (const colorScheme of ["light", "dark"]) {
      const name = `${each.name}-${device}-${colorScheme}`;
      if (!new RegExp(filter).test(name)) continue;
      const page = await context.newPage();
      await page.emulateMedia({ colorScheme });
      // Nobody sees the same hint twice, and it would cover the board.
      await page.addInitScript(() => localStorage.setItem("lozenge.torus-hint", "seen"));
      await visit(page, each, world);
      await page.waitForFunction(isDrawn);
      await page.screenshot({ path: `${folder}/${name}.png` });
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
