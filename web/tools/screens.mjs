/**
 * Pictures of the pages for `docs/screens`: `npm run screens -- ADDRESS [FILTER]`, on a phone and on a desktop, light
 * and dark. The site should be empty but for what is made here.
 */
import { mkdirSync, writeFileSync } from "node:fs";
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
/** States of pages that only tests look at. */
const EXCLUDED = /^(looks|api-open|rules-|game-help|game-from-here)/;
/** Parts of pages that lie below, with pictures of their own. */
const PARTS = { home: ["lobby", "#lobby"], rules: ["pieces", "#pieces"] };
const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};

/** In the page: whether all pictures in sight are there, those of pieces too. */
const hasPictures = () => {
  const isInViewport = (element) => {
    const box = element.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  };
  const isLoading = [...document.images].some((image) => isInViewport(image) && !image.complete);
  const hasPlaceholders = [...document.querySelectorAll("loz-board")].some((board) => {
    if (!isInViewport(board)) return false;
    const symbols = [...(board.shadowRoot?.querySelectorAll("symbol") ?? [])];
    const drawnRoles = board.board?.roles.filter(({ glyph }) => glyph).map(({ id }) => id);
    const hasSymbols = symbols.some(({ id }) => !id.startsWith("letter-"));
    return !drawnRoles || (!hasSymbols && board.pieces.some((piece) => drawnRoles.includes(piece.role)));
  });
  return !isLoading && !hasPlaceholders;
};

mkdirSync(folder, { recursive: true });
const siteData = await populate(address);
const browser = await launch();
const converterPage = await browser.newPage();

/** Writes down what is on the screen. As WebP it takes a quarter of the room. */
async function saveScreenshot(page, name) {
  const png = (await page.screenshot()).toString("base64");
  const picture = await converterPage.evaluate(async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.9).split(",")[1];
  }, png);
  writeFileSync(`${folder}/${name}.webp`, Buffer.from(picture, "base64"));
}
for (const each of EACH_PAGE.filter(({ name }) => !EXCLUDED.test(name))) {
  for (const [device, options] of Object.entries(DEVICES)) {
    const context = await browser.newContext({
      baseURL: address,
      reducedMotion: "reduce",
      ...options,
      ...(each.visitor && { storageState: siteData[each.visitor] }),
    });
    for (const colorScheme of ["light", "dark"]) {
      const name = `${each.name}-${device}-${colorScheme}`;
      if (!new RegExp(filter).test(name)) continue;
      const page = await context.newPage();
      await page.emulateMedia({ colorScheme });
      // A hint is shown once, and it would cover the board.
      await page.addInitScript(() => localStorage.setItem("lozenge.torus-hint", "seen"));
      await visit(page, each, siteData);
      await page.waitForFunction(hasPictures);
      await saveScreenshot(page, name);
      const [part, selector] = PARTS[each.name] ?? [];
      if (part) {
        await page.evaluate((selector) => document.querySelector(selector).scrollIntoView(), selector);
        // Boards come when they are in sight, and there is nothing before that could be waited for.
        await page.waitForTimeout(1_000);
        await page.waitForFunction(hasPictures);
        await saveScreenshot(page, `${part}-${device}-${colorScheme}`);
      }
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
