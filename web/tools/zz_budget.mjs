/**
 * The cost of a first visit: `npm run budget -- ADDRESS [--check] [--runs=N] [--requests]`. A phone's window and an empty
 * cache, the processor slowed 4 times, 1.6 Mbit/s down and 0.75 Mbit/s up with 150 ms to every answer, which are
 * Lighthouse's. For each page the bytes that are transferred without pictures, and two times from the beginning of the
 * navigation: until the page is interactive as Lighthouse's Time to Interactive has it (painted, parsed, and the last
 * task of the main thread that took 50 ms is over, before five seconds without any and with at most two requests in the
 * way), and, in visits of their own, until a tap has been answered on the screen. `--check` fails beyond the budget, by
 * the median of the first. Of the other work on the machine the processor time of the page's main thread, slowed as it
 * is, depends little, and stands beside it. `--requests` shows when each request of the last run began and ended.
 */
import { request } from "playwright-core";
import { launch } from "./chromium.mjs";

const MAX_BYTES = 100_000;
const MAX_INTERACTIVE_MS = 1000;
/** Time to Interactive: how long nothing may happen after it. */
const QUIET_MS = 5000;
const CPU_SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };

const [address = "", ...flags] = process.argv.slice(2);
const runs = Number(/^--runs=(\d+)$/.exec(flags.find((flag) => flag.startsWith("--runs=")) ?? "")?.[1] ?? 7);
if (!/^https?:\/\//.test(address)) {
  console.error("expected a site's address, such as: npm run budget -- http://127.0.0.1:8080 --check");
  process.exit(2);
}

/** A click that selects a piece; see `PAGES`. */
const SELECTION = {
  target: () =>
    squareOf(document.querySelector("loz-board"), (board) =>
      board.pieces.map((piece) => piece.square).find((square) => board.selection.movability(square) === "move"),
    ),
  answered: () => document.querySelector("loz-board").selection.selected === window.clicked,
};

/**
 * The pages. `target` is where a click goes, in the page's own coordinates, or null while there is nothing to be
 * clicked; `answered` returns whether it had an effect. Both run in the page.
 */
const PAGES = [
  {
    name: "home",
    path: () => "/",
    target: () => {
      const label = document.querySelector('[data-choice="against"] label:nth-child(2)');
      return label && middleOf(label.getBoundingClientRect());
    },
    // Not the button's own state, which the browser sets, but the page's response.
    answered: () => document.querySelector(".play-form > .hint") !== null,
  },
  {
    name: "rules",
    path: () => "/rules/diamondring",
    // Boards are drawn once they are nearly in sight.
    target: () => {
      const board = document.querySelector("loz-board");
      if (!board) document.querySelector(".piece")?.scrollIntoView();
      return squareOf(board, (board) => board.pieces[0]?.square - 1);
    },
    answered: () => document.querySelector("loz-board").pieces[0].square === window.clicked,
  },
  {
    name: "game",
    path: (game) => `/game/${game}`,
    ...SELECTION,
  },
  {
    name: "learn",
    path: () => "/learn/diamond#piece-r-1",
    ...SELECTION,
  },
  {
    name: "courses",
    path: () => "/learn",
    // A page of links: the menu of colors, which every page has.
    target: () => {
      const menu = document.querySelector(".looks summary");
      return menu && middleOf(menu.getBoundingClientRect());
    },
    answered: () => document.querySelector(".looks[open]") !== null,
  },
  {
    name: "squares",
    path: () => "/learn/diamond/coordinates",
    target: () => {
      const start = document.querySelector(".g-good");
      return start && middleOf(start.getBoundingClientRect());
    },
    answered: () => document.querySelector(".g-good") === null,
  },
  {
    name: "storm",
    path: () => "/puzzles/storm?variant=diamond",
    ...SELECTION,
  },
];

/** In the page: helpers, and a probe that reports when there is something to click and when the click had an effect. */
const installProbe = ([target, answered]) => {
  window.middleOf = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  window.squareOf = (board, choose) => {
    const isReady = board?.plane && board.shadowRoot?.querySelector(".piece") && board.destinations.length > 0;
    const square = isReady ? choose(board) : undefined;
    if (square === undefined) return null;
    window.clicked = square;
    const [x, y] = board.layers.toFrame(board.plane.center(board.plane.placeOf(square)));
    const box = board.layers.frame.getBoundingClientRect();
    return [box.left + x, box.top + y];
  };
  const [findTarget, isAnswered] = [target, answered].map((source) => window.eval(`(${source})`));
  let point = null;
  const poll = () => {
    if (!point) {
      point = document.body && findTarget();
      if (point && point[1] > innerHeight - 20) {
        // A click can only go to a visible point.
        scrollTo(0, point[1] - innerHeight / 2);
        point = findTarget();
      }
      if (point) window.toTap(point);
    } else if (isAnswered()) {
      // The next frame shows it.
      requestAnimationFrame(() => window.wasAnswered(performance.now()));
      return;
    }
    setTimeout(poll, POLL_MS);
  };
  // Not by frames: asking for them would make the page draw more of them than it does by itself.
  const POLL_MS = 8;
  setTimeout(poll, POLL_MS);
};

/** In the page: remembers the long tasks. */
const recordLongTasks = () => {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.longTasks.push([startTime, startTime + duration]);
  }).observe({ type: "longtask", buffered: true });
};

/** Time to Interactive, from the page's own clock and the times between which requests were in the way. */
function timeToInteractive({ painted, parsed, tasks }, requests) {
  // Quiet windows begin where a task ends or where a request does; the earliest that is long enough is taken.
  const begins = [painted, ...tasks.map(([, end]) => end), ...requests.map(({ endedAt }) => endedAt)]
    .filter((begin) => begin >= painted)
    .sort((one, other) => one - other);
  const isQuiet = (begin) => {
    const end = begin + QUIET_MS;
    const pendingRequests = (at) => requests.filter(({ startedAt, endedAt }) => startedAt <= at && at < endedAt).length;
    const moments = [begin, ...requests.map(({ startedAt }) => startedAt).filter((at) => at > begin && at < end)];
    return tasks.every(([from, to]) => to <= begin || from >= end) && moments.every((at) => pendingRequests(at) <= 2);
  };
  const quiet = begins.find(isQuiet);
  if (quiet === undefined) throw new Error(`expected ${QUIET_MS} ms without long tasks and with at most two requests`);
  const last = Math.max(0, ...tasks.map(([, end]) => end).filter((end) => end <= quiet));
  return Math.max(painted, parsed, last);
}

const browser = await launch();

/** One first visit: with a tap, or with nothing done until the page has long been quiet. */
async function visit(page, path, storageState, taps) {
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
      const startedAt = 1000 * (timestamp - start);
      requests.set(requestId, { path: new URL(request.url).pathname, type, startedAt, endedAt: Infinity, bytes: 0 });
    });
    devtools.on("Network.responseReceived", ({ requestId, response }) => {
      const entry = requests.get(requestId);
      if (entry) entry.mime = response.mimeType;
    });
    devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
      const entry = requests.get(requestId);
      if (entry) Object.assign(entry, { endedAt: 1000 * (timestamp - start), bytes: encodedDataLength });
    });
    await devtools.send("Network.enable");
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    await devtools.send("Network.emulateNetworkConditions", NETWORK);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    let answered;
    if (taps) {
      await tab.exposeFunction("toTap", ([x, y]) => void tab.touchscreen.tap(x, y));
      answered = new Promise((resolve, reject) => {
        void tab.exposeFunction("wasAnswered", resolve);
        setTimeout(() => reject(new Error(`${path}: expected an answer to a tap within 30 s`)), 30_000).unref();
      });
      await tab.addInitScript(installProbe, [String(page.target), String(page.answered)]);
    } else {
      await tab.addInitScript(recordLongTasks);
    }
    await tab.goto(address.replace(/\/$/, "") + path);
    const times = {};
    if (taps) {
      times.answered = await answered;
    } else {
      await tab.waitForLoadState("load");
      await tab.waitForTimeout(QUIET_MS + 1500);
      const timing = await tab.evaluate(() => ({
        painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
        parsed: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
        tasks: window.longTasks,
      }));
      times.painted = timing.painted; console.log("   ", path, "painted", Math.round(timing.painted), "parsed", Math.round(timing.parsed), JSON.stringify(timing.tasks.map(([a,b])=>[Math.round(a),Math.round(b)])));
      // A game's socket and stream stay open, so they do not count as pending requests.
      const finiteRequests = [...requests.values()].filter(({ type }) => type !== "WebSocket" && type !== "EventSource");
      times.interactive = timeToInteractive(timing, finiteRequests);
    }
    const { metrics } = await devtools.send("Performance.getMetrics");
    const mainThreadTime = 1000 * metrics.find((metric) => metric.name === "TaskDuration").value;
    await tab.waitForLoadState("load");
    const all = [...requests.values()];
    const pictures = all.filter(({ mime }) => mime?.startsWith("image/"));
    const sum = (requests) => requests.reduce((total, { bytes }) => total + bytes, 0);
    return { ...times, mainThreadTime, bytes: sum(all) - sum(pictures), pictures: sum(pictures), all };
  } finally {
    await context.close();
  }
}

const guest = await request.newContext({ baseURL: address });
const response = await guest.post("/api/games", {
  data: { variant: "diamondback", opponent: { kind: "engine", level: 1 }, side: "white" },
});
const { id } = await response.json();
const storageState = await guest.storageState();
await guest.dispose();

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
const ms = (value) => `${Math.round(value)} ms`.padStart(9);
const kb = (value) => `${(value / 1000).toFixed(1)} kB`.padStart(9);
let isWithinBudget = true;
console.log(`${runs} first visits each; CPU slowed ${CPU_SLOWDOWN} times, 1.6/0.75 Mbit/s, 150 ms`);
console.log(
  "          transferred  pictures  requests   first paint           interactive           tap answered          main",
);
console.log(
  "page                                        best     median       best     median       best     median       thread",
);
for (const page of PAGES) {
  const state = page.name === "game" ? storageState : undefined;
  const [idleVisits, tapVisits] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    idleVisits.push(await visit(page, page.path(id), state, false));
    tapVisits.push(await visit(page, page.path(id), state, true));
  }
  const last = idleVisits.at(-1);
  const bytes = Math.max(...idleVisits.map((one) => one.bytes));
  const interactive = idleVisits.map((one) => one.interactive);
  const ok = bytes < MAX_BYTES && median(interactive) < MAX_INTERACTIVE_MS;
  isWithinBudget &&= ok;
  const both = (values) => `${ms(Math.min(...values))}  ${ms(median(values))}  `;
  console.log(
    `${page.name.padEnd(8)}  ${kb(bytes)} ${kb(last.pictures)} ${String(last.all.length).padStart(9)}  ` +
      both(idleVisits.map((one) => one.painted)) +
      both(interactive) +
      both(tapVisits.map((one) => one.answered)) +
      ms(median(idleVisits.map((one) => one.mainThreadTime))) +
      (ok ? "" : "  beyond the budget"),
  );
  if (flags.includes("--requests")) {
    for (const { path, type, startedAt, endedAt, bytes } of last.all) {
      console.log(`  ${ms(startedAt)} –${ms(endedAt)} ${kb(bytes)}  ${type} ${path}`);
    }
  }
}
await browser.close();
console.log(`budget: ${MAX_BYTES / 1000} kB without pictures, interactive within ${MAX_INTERACTIVE_MS} ms`);
if (flags.includes("--check") && !isWithinBudget) process.exit(1);
