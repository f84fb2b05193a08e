/**
 * Frames a second of the board on a slowed machine: Diamond Ring (144 cells, 80 pieces), a phone's window,
 * 4 times CPU throttling: `node tools/frames.mjs [THROTTLE]`. A measurement, not a test. Beside the frames
 * stands the processor time of the page's main thread for each, which other work on the machine changes little.
 */
import { launch } from "./chromium.mjs";
import { servePages } from "./pages.mjs";

const throttle = Number(process.argv[2] ?? 4);
const { server, address } = await servePages();
const browser = await launch();

/** Runs in the page: performs an action and returns the times between frames. */
const measure = async (work) => {
  const intervals = [];
  let before = performance.now();
  let isRunning = true;
  const tick = (now) => {
    intervals.push(now - before);
    before = now;
    if (isRunning) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  await work();
  isRunning = false;
  return intervals.slice(2);
};

/** Processor time of the main thread so far, in milliseconds. */
const mainThreadTime = async () => {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return 1000 * (metrics.find((metric) => metric.name === "TaskDuration")?.value ?? 0);
};

let devtools;
let before = 0;

const summary = async (name, intervals) => {
  const now = await mainThreadTime();
  const perFrame = (now - before) / intervals.length;
  const sorted = [...intervals].sort((a, b) => a - b);
  const total = intervals.reduce((sum, interval) => sum + interval, 0);
  const percentile = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  const slow = intervals.filter((interval) => interval > 25).length;
  console.log(
    `${name.padEnd(34)} ${((1000 * intervals.length) / total).toFixed(1).padStart(5)} frames/s, median ${percentile(0.5).toFixed(1)} ms, ` +
      `95% ${percentile(0.95).toFixed(1)} ms, worst ${percentile(1).toFixed(1)} ms, ${slow} of ${intervals.length} over 25 ms, ` +
      `main thread ${perFrame.toFixed(1)} ms a frame`,
  );
  before = await mainThreadTime();
};

for (const view of ["square", "diamond"]) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
  });
  const page = await context.newPage();
  await page.goto(`${address}demo/board.html?game=diamondring&view=${view}&silent`);
  await page.waitForFunction(() => document.querySelector("loz-board")?.shadowRoot?.querySelector(".piece"));
  await page.evaluate(() => {
    localStorage.setItem("lozenge.torus-hint", "seen");
    window.element.shadowRoot.querySelector(".hint").hidden = true;
  });
  devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: throttle });
  await page.evaluate(`window.measure = ${measure}`);
  before = await mainThreadTime();
  console.log(`${view} view, 390x844 at 2x, CPU slowed ${throttle} times`);

  await summary(
    "nothing happens",
    await page.evaluate(() => window.measure(() => new Promise((r) => setTimeout(r, 1500)))),
  );
  await summary(
    "a piece moves every 300 ms",
    await page.evaluate(() =>
      window.measure(async () => {
        const board = window.element;
        for (let turn = 0; turn < 10; turn += 1) {
          const occupied = new Set(board.pieces.map((piece) => piece.square));
          const free = board.board.squares.findIndex((_, square) => !occupied.has(square) && square > 60 + turn);
          const mover = board.pieces[(turn * 7) % board.pieces.length];
          board.pieces = board.pieces.map((piece) => (piece === mover ? { ...piece, square: free } : piece));
          board.last = [mover.square, free];
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
      }),
    ),
  );
  const dragIntervals = page.evaluate(() =>
    window.measure(() => new Promise((resolve) => window.addEventListener("pointerup", resolve, { once: true }))),
  );
  const box = await page.evaluate(() => {
    const frame = window.element.layers.frame.getBoundingClientRect();
    const plane = window.element.plane;
    const piece = window.element.pieces.find(({ square }) => window.element.selection.movability(square) === "move");
    const [x, y] = window.element.layers.toFrame(plane.center(plane.placeOf(piece.square)));
    return { x: frame.left + x, y: frame.top + y };
  });
  await page.mouse.move(box.x, box.y);
  await page.mouse.down();
  for (let step = 0; step < 150; step += 1) {
    await page.mouse.move(195 + 120 * Math.cos(step / 12), 195 + 120 * Math.sin(step / 12));
    await new Promise((resolve) => setTimeout(resolve, 12));
  }
  await page.mouse.up();
  await summary("a piece is dragged round", await dragIntervals);
  await summary(
    "the board is scrolled",
    await page.evaluate(() =>
      window.measure(async () => {
        const { scroller } = window.element;
        for (let step = 0; step < 120; step += 1) {
          scroller.scrollBy({ file: 0.08, rank: 0.05 });
          await new Promise((resolve) => requestAnimationFrame(resolve));
        }
        scroller.end();
        await new Promise((resolve) => setTimeout(resolve, 250));
      }),
    ),
  );
  await context.close();
}
await browser.close();
await server.close();
