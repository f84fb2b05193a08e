/** The engine in the browser: where it thinks, that it stops, and games of users. On a site that was built with it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, hasModule, PHONE, type Visitor, createVisitors } from "./harness.ts";

const LAKE = readFileSync(new URL("../../../testdata/variants/lake.toml", import.meta.url), "utf8");

const isBuiltIn = canRun && (await hasModule());

it.runIf(canRun && process.env.CI)("is built in on CI", () => expect(isBuiltIn).toBe(true));

interface WorkerStats {
  /** Searches that were told to stop and did. */
  stops: number;
  workers: number;
  lines: number;
}

/** Records the messages of workers on pages opened from now on. */
async function recordWorkers({ page }: Visitor): Promise<void> {
  await page.addInitScript(() => {
    const workerStats: WorkerStats = { stops: 0, workers: 0, lines: 0 };
    Object.assign(window, { workerStats });
    const Original = Worker;
    window.Worker = class extends Original {
      #isStopping = false;

      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        workerStats.workers += 1;
        this.addEventListener("message", ({ data }: MessageEvent<{ type: string }>) => {
          if (data.type === "line") workerStats.lines += 1;
          if (data.type !== "ended" || !this.#isStopping) return;
          workerStats.stops += 1;
          this.#isStopping = false;
        });
      }

      override postMessage(message: { type: string }): void {
        if (message.type === "stop") this.#isStopping = true;
        super.postMessage(message);
      }
    };
  });
}

const readWorkerStats = ({ page }: Visitor): Promise<WorkerStats> => page.evaluate(() => (window as unknown as { workerStats: WorkerStats }).workerStats);

describe.skipIf(!isBuiltIn)("the engine in the browser", () => {
  const visitors = createVisitors();
  /** Opens a board with the engine on, and records requests to the server's engine. */
  const open = async (options: typeof DESKTOP, query: string, visitor?: Visitor): Promise<{ guest: Visitor; requests: string[] }> => {
    const guest = visitor ?? (await visitors.create(options));
    const requests: string[] = [];
    guest.page.on("request", (request) => {
      if (/api\/analyse|\.wasm/.test(request.url())) requests.push(request.url());
    });
    await recordWorkers(guest);
    await guest.page.goto(`/analysis${query}`);
    await guest.page.getByRole("switch", { name: "Engine" }).waitFor();
    expect(requests).toEqual([]);
    await guest.page.getByRole("switch", { name: "Engine" }).click();
    await guest.page.locator(".a-line button").first().waitFor({ timeout: 60_000 });
    return { guest, requests };
  };

  it("searches in the browser, stops, and switches to the server", async () => {
    const { guest, requests } = await open(DESKTOP, "?variant=diamondring");
    const { page } = guest;
    expect(requests).toEqual([expect.stringMatching(/\.wasm$/)]);
    await expect.poll(() => page.locator(".a-head").innerText()).toContain("Engine in this browser");
    // Another position ends the search of this one.
    for (let round = 0; round < 6; round++) {
      await page.waitForTimeout(400);
      const move = await page.evaluate(() => document.querySelector("loz-board")?.destinations[0] ?? "");
      await page.locator("#a-typed").fill(move);
      await page.locator("#a-typed").press("Enter");
    }
    // Each search stops within its slice, long before its end; docs/speed.md has how soon.
    await expect.poll(async () => (await readWorkerStats(guest)).stops).toBeGreaterThan(3);
    expect((await readWorkerStats(guest)).workers).toBe(1);
    await page.getByLabel("Runs").selectOption("server");
    await expect.poll(() => page.locator(".a-head").innerText()).toContain("Engine on the server");
    await expect.poll(() => requests.at(-1)).toContain("/api/analyse");
    expect(await guest.audit()).toEqual([]);
  });

  it("searches games of four, with the score of the player to move", async () => {
    const { guest, requests } = await open(DESKTOP, "?variant=diamondring-four");
    const { page } = guest;
    expect(requests).toEqual([expect.stringMatching(/\.wasm$/)]);
    await expect.poll(() => page.locator(".a-head").innerText()).toContain("Engine in this browser");
    for (let round = 0; round < 3; round++) {
      const move = await page.evaluate(() => document.querySelector("loz-board")?.destinations[0] ?? "");
      await page.locator("#a-typed").fill(move);
      await page.locator("#a-typed").press("Enter");
      await page.locator(".a-line button").first().waitFor();
    }
    await expect.poll(async () => (await readWorkerStats(guest)).stops).toBeGreaterThan(1);
    expect(requests).toHaveLength(1);
    expect(await guest.audit()).toEqual([]);
  });

  it("supports user-made variants, also on a phone", async () => {
    const guest = await visitors.create(PHONE);
    const account = { name: `Lake${Date.now().toString(36)}`, password: "a long password" };
    expect((await guest.context.request.post("/api/account/register", { data: account })).status()).toBe(200);
    const source = LAKE.replace('name = "Lake Chess"', `name = "${account.name}"`);
    const created = await guest.context.request.post("/api/variants", { data: { source, visibility: "private" } });
    const { digest } = (await created.json()) as { digest: string };
    const { requests } = await open(PHONE, `?variant=${digest}`, guest);
    expect(requests).toHaveLength(1);
    expect((await readWorkerStats(guest)).lines).toBeGreaterThan(0);
    expect(await guest.overflows()).toBe(false);
    expect(await guest.audit()).toEqual([]);
  });

  it("is not used by players of a running game", async () => {
    const { white, game } = await visitors.startGame({ variant: "diamond" });
    await recordWorkers(white);
    await white.page.goto("/analysis?variant=gardner");
    await white.page.getByRole("switch", { name: "Engine" }).click();
    await expect.poll(() => white.page.locator(".a-head").innerText()).toContain("Engine on the server");
    expect((await readWorkerStats(white)).workers).toBe(0);
    expect(game.id).not.toBe("");
  });

  it("is disabled on an open page while a game is played", async () => {
    const { guest } = await open(DESKTOP, "?variant=diamond");
    const { page } = guest;
    const head = (): Promise<string> => page.locator(".a-head").innerText();
    await page.getByRole("combobox", { name: "Time" }).selectOption("no limit");
    await expect.poll(head).toContain("Engine in this browser");
    const other = await visitors.create(PHONE);
    const created = await other.createGame({ variant: "diamond" });
    expect((await guest.context.request.post(`/api/games/${created.id}/join`)).ok()).toBe(true);
    // Nothing is done on the page: the search that runs ends.
    await expect.poll(head, { timeout: 15_000 }).toContain("Engine on the server");
    // A line through a position of the game: the server refuses it in the words of a page that is opened now.
    const [move = ""] = created.state.moves;
    expect((await other.context.request.post(`/api/games/${created.id}/actions`, { data: { type: "move", move, ply: 0 } })).ok()).toBe(true);
    guest.ignoreErrors(/403/);
    await page.locator("#a-typed").fill(move);
    await page.locator("#a-typed").press("Enter");
    await expect.poll(head).toContain("Closed to you until your game is over.");
    expect(await page.locator(".a-line button").count()).toBe(0);
    expect((await other.context.request.post(`/api/games/${created.id}/actions`, { data: { type: "resign" } })).ok()).toBe(true);
    await page.getByRole("switch", { name: "Engine" }).click();
    await page.getByRole("switch", { name: "Engine" }).click();
    await page.locator(".a-line button").first().waitFor({ timeout: 60_000 });
    await expect.poll(head).toContain("Engine in this browser");
  });
});
