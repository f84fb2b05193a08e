/**
 * What a first visit costs: `npm run budget -- ADDRESS [--check] [--runs=N] [--requests]`. A phone's window and an empty
 * cache, the processor slowed 4 times, 1.6 Mbit/s down and 0.75 Mbit/s up with 150 ms to every answer. For each page
 * the bytes that are transferred without pictures, and the time from the beginning of the navigation until a click has
 * been answered on the screen. `--check` fails beyond the budget, by the best run: other work on the machine can only
 * make a run slower. Of that the processor time of the page's main thread, slowed as it is, changes little with other
 * work, and stands beside it. `--requests` shows when each request of the last run began and ended.
 */
import { request } from "playwright-core";
import { launch } from "./chromium.mjs";

const BYTES = 100_000;
const INTERACTIVE_MS = 1000;
const SLOWER = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };

const [address = "", ...flags] = process.argv.slice(2);
const runs = Number(/^--runs=(\d+)$/.exec(flags.find((flag) => flag.startsWith("--runs=")) ?? "")?.[1] ?? 7);
if (!/^https?:\/\//.test(address)) {
  console.error("expected a site's address, such as: npm run budget -- http://127.0.0.1:8080 --check");
  process.exit(2);
}

/**
 * The pages. `target` is where a click goes, in the page's own coordinates, or null while there is nothing to be
 * clicked; `answered` tells whether it had an effect. Both run in the page.
 */
const PAGES = [
  {
    name: "home",
    path: () => "/",
    target: () => {
      const label = document.querySelector('[data-choice="against"] label:nth-child(2)');
      return label && middleOf(label.getBoundingClientRect());
    },
    // Not that the button is taken, which the browser does itself, but what the page says to it.
    answered: () => document.querySelector(".play-form > .hint") !== null,
  },
  {
    name: "rules",
    path: () => "/rules/diamondring",
    target: () => squareOf(document.querySelector("loz-board"), (board) => board.men[0]?.square - 1),
    answered: () => document.querySelector("loz-board").men[0].square === window.clicked,
  },
  {
    name: "game",
    path: (game) => `/game/${game}`,
    target: () =>
      squareOf(document.querySelector("loz-board"), (board) =>
        board.men.map((man) => man.square).find((square) => board.hand.grip(square) === "move"),
      ),
    answered: () => document.querySelector("loz-board").hand.selected === window.clicked,
  },
];

/** In the page: helpers, and a watch that says when there is something to click and when the click was answered. */
const watch = ([target, answered]) => {
  window.middleOf = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  window.squareOf = (board, choose) => {
    const drawn = board?.plane && board.shadowRoot?.querySelector(".man") && board.destinations.length > 0;
    const square = drawn ? choose(board) : undefined;
    if (square === undefined) return null;
    window.clicked = square;
    const [x, y] = board.stage.toFrame(board.plane.center(board.plane.placeOf(square)));
    const box = board.stage.frame.getBoundingClientRect();
    return [box.left + x, box.top + y];
  };
  const [find, test] = [target, answered].map((source) => window.eval(`(${source})`));
  let found = null;
  const look = () => {
    if (!found) {
      found = document.body && find();
      if (found && found[1] > innerHeight - 20) {
        // A click can only go where it is seen.
        scrollTo(0, found[1] - innerHeight / 2);
        found = find();
      }
      if (found) window.toClick(found);
    } else if (test()) {
      // The next frame shows it.
      requestAnimationFrame(() => window.wasAnswered(performance.now()));
      return;
    }
    setTimeout(look, POLL_MS);
  };
  // Not by frames: asking for them would make the page draw more of them than it does by itself.
  const POLL_MS = 8;
  setTimeout(look, POLL_MS);
};

const browser = await launch();

/** One first visit. */
async function visit(page, path, storageState) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    ...(storageState && { storageState }),
  });
  try {
    const tab = await context.newPage();
    const devtools = await context.newCDPSession(tab);
    const requests = new Map();
    let start;
    devtools.on("Network.requestWillBeSent", ({ requestId, request, timestamp, type }) => {
      start ??= timestamp;
      requests.set(requestId, { path: new URL(request.url).pathname, type, began: timestamp - start, bytes: 0 });
    });
    devtools.on("Network.responseReceived", ({ requestId, response }) => {
      const known = requests.get(requestId);
      if (known) known.mime = response.mimeType;
    });
    devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
      const known = requests.get(requestId);
      if (known) Object.assign(known, { ended: timestamp - start, bytes: encodedDataLength });
    });
    await devtools.send("Network.enable");
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    await devtools.send("Network.emulateNetworkConditions", NETWORK);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    await tab.exposeFunction("toClick", ([x, y]) => void tab.mouse.click(x, y));
    const answered = new Promise((resolve, reject) => {
      void tab.exposeFunction("wasAnswered", resolve);
      setTimeout(() => reject(new Error(`${path}: expected an answer to a click within 30 s`)), 30_000).unref();
    });
    await tab.addInitScript(watch, [String(page.target), String(page.answered)]);
    await tab.goto(address.replace(/\/$/, "") + path);
    const interactive = await answered;
    const { metrics } = await devtools.send("Performance.getMetrics");
    const busy = 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
    const painted = await tab.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
    );
    await tab.waitForLoadState("load");
    const all = [...requests.values()];
    const pictures = all.filter(({ mime }) => mime?.startsWith("image/"));
    const sum = (some) => some.reduce((total, { bytes }) => total + bytes, 0);
    return { interactive, painted, busy, bytes: sum(all) - sum(pictures), pictures: sum(pictures), all };
  } finally {
    await context.close();
  }
}

const guest = await request.newContext({ baseURL: address });
const made = await guest.post("/api/games", {
  data: { variant: "diamondback", opponent: { kind: "engine", level: 1 }, side: "white" },
});
const { id } = await made.json();
const storageState = await guest.storageState();
await guest.dispose();

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
const ms = (value) => `${Math.round(value)} ms`.padStart(9);
const kb = (value) => `${(value / 1000).toFixed(1)} kB`.padStart(9);
let within = true;
console.log(`${runs} first visits each; CPU slowed ${SLOWER} times, 1.6/0.75 Mbit/s, 150 ms`);
console.log("page    transferred  pictures  requests  first paint: best   median  interactive: best   median  main thread");
for (const page of PAGES) {
  const found = [];
  for (let run = 0; run < runs; run += 1) {
    found.push(await visit(page, page.path(id), page.name === "game" ? storageState : undefined));
  }
  const last = found.at(-1);
  const bytes = Math.max(...found.map((one) => one.bytes));
  const [times, paints] = [found.map((one) => one.interactive), found.map((one) => one.painted)];
  const best = Math.min(...times);
  const ok = bytes < BYTES && best < INTERACTIVE_MS;
  within &&= ok;
  console.log(
    `${page.name.padEnd(8)}  ${kb(bytes)} ${kb(last.pictures)} ${String(last.all.length).padStart(9)}  ` +
      `       ${ms(Math.min(...paints))}${ms(median(paints))}         ${ms(best)}${ms(median(times))}    ${ms(median(found.map((one) => one.busy)))}` +
      `${ok ? "" : "  beyond the budget"}`,
  );
  if (flags.includes("--requests")) {
    for (const { path, type, began, ended, bytes } of last.all) {
      console.log(`  ${ms(1000 * began)} –${ms(1000 * (ended ?? NaN))} ${kb(bytes)}  ${type} ${path}`);
    }
  }
}
await browser.close();
console.log(`budget: ${BYTES / 1000} kB without pictures, a click answered within ${INTERACTIVE_MS} ms`);
if (flags.includes("--check") && !within) process.exit(1);
