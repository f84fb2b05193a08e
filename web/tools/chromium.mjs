/** The browser of tests and tools: Debian's chromium, or the one that `CHROMIUM` names, driven by playwright-core. */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

// It does what the page says and nothing of its own.
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Whether it is there. */
export const hasBrowser = existsSync(executablePath);

/** Starts it, without a window. */
export const launch = () => chromium.launch({ executablePath, headless: true, args });
