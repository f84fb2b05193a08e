/** The engine in the browser: where it thinks, how soon it stops, and games of users. On a site that was built with it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canRun, DESKTOP, hasModule, PHONE, type Visitor, visits } from "./harness.ts";

const LAKE = readFileSync(new URL("../../../testdata/variants/lake.toml", import.meta.url), "utf8");

const isBuiltIn = canRun && (await hasModule());

it.runIf(canRun && process.env.CI)("is built in where everything is tested", () => expect(isBuiltIn).toBe(true));

interface Watched {
  /** Milliseconds from each order to stop to its answer. */
  readonly stops: number[];
  workers: number;
  lines: number;
}

/** Watches the workers of pages that are opened from now on. */
async function watch({ page }: Visitor): Promise<void> {
  await page.addInitScript(() => {
    const watched: Watched = { stops: [], workers: 0, lines: 0 };
    Object.assign(window, { watched });
    const Original = Worker;
    window.Worker = class extends Original {
      #stopped: number | null = null;

      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        watched.workers += 1;
        this.addEventListener("message", ({ data }: MessageEvent<{ type: string }>) => {
          if (data.type === "line") watched.lines += 1;
          if (data.type !== "ended" || this.#stopped === null) return;
          watched.stops.push(performance.now() - this.#stopped);
          this.#stopped = null;
        });
      }

      override postMessage(order: { type: string }): void {
        if (order.type === "stop") this.#stopped ??= performance.now();
        super.postMessage(order);
      }
    };
  });
}

const watched = ({ page }: Visitor): Promise<Watched> => page.evaluate(() => (window as unknown as { watched: Watched }).watched);

describe.skipIf(!isBuiltIn)("the engine in the browser", () => {
  const here = visits();
  /** Opens a board with the engine on, and counts what is asked of the server's engine. */
  const open = async (options: typeof DESKTOP, query: string, come?: Visitor): Promise<{ guest: Visitor; asked: string[] }> => {
    const guest = come ?? (await here.come(options));
    const asked: string[] = [];
    guest.page.on("request", (request) => {
      if (/api\/analyse|\.wasm/.test(request.url())) asked.push(request.url());
    });
    await watch(guest);
    await guest.page.goto(`/analysis${query}`);
    await guest.page.getByRole("switch", { name: "Engine" }).waitFor();
    expect(asked).toEqual([]);
    await guest.page.getByRole("switch", { name: "Engine" }).click();
    await guest.page.locator(".a-line button").first().waitFor({ timeout: 60_000 });
    return { guest, asked };
  };

  it("thinks there, stops at once, and is the server's when that is chosen", async () => {
    const { guest, asked } = await open(DESKTOP, "?variant=diamondring");
    const { page } = guest;
    expect(asked).toEqual([expect.stringMatching(/\.wasm$/)]);
    await expect.poll(() => page.locator(".a-head").innerText()).toContain("Lozenge in this browser");
    // Another position ends the search of this one.
    for (let round = 0; round < 6; round++) {
      await page.waitForTimeout(400);
      const move = await page.evaluate(() => document.querySelector("loz-board")?.destinations[0] ?? "");
      await page.locator("#a-typed").fill(move);
      await page.locator("#a-typed").press("Enter");
    }
    await expect.poll(async () => (await watched(guest)).stops.length).toBeGreaterThan(3);
    const { stops, workers } = await watched(guest);
    const sorted = [...stops].sort((one, other) => one - other);
    // A slice of 30 ms and the way there and back; machines that are busy take longer now and then.
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(50);
    expect(workers).toBe(1);
    await page.getByLabel("Runs").selectOption("server");
    await expect.poll(() => page.locator(".a-head").innerText()).toContain("Lozenge on this server");
    await expect.poll(() => asked.at(-1)).toContain("/api/analyse");
    expect(await guest.audit()).toEqual([]);
  });

  it("knows the games of users, also on a phone", async () => {
    const guest = await here.come(PHONE);
    const account = { name: `Lake${Date.now().toString(36)}`, password: "a long password" };
    expect((await guest.context.request.post("/api/account/register", { data: account })).status()).toBe(200);
    const source = LAKE.replace('name = "Lake Chess"', `name = "${account.name}"`);
    const made = await guest.context.request.post("/api/variants", { data: { source, visibility: "private" } });
    const { digest } = (await made.json()) as { digest: string };
    const { asked } = await open(PHONE, `?variant=${digest}`, guest);
    expect(asked).toHaveLength(1);
    expect((await watched(guest)).lines).toBeGreaterThan(0);
    expect(await guest.overflows()).toBe(false);
    expect(await guest.audit()).toEqual([]);
  });

  it("leaves players of a running game to the server", async () => {
    const { white, game } = await here.meet({ variant: "diamond" });
    await watch(white);
    await white.page.goto("/analysis?variant=gardner");
    await white.page.getByRole("switch", { name: "Engine" }).click();
    await expect.poll(() => white.page.locator(".a-head").innerText()).toContain("Lozenge on this server");
    expect((await watched(white)).workers).toBe(0);
    expect(game.id).not.toBe("");
  });

  it("is taken from a page that was open before a game began, and comes back after it", async () => {
    const { guest } = await open(DESKTOP, "?variant=diamond");
    const { page } = guest;
    const head = (): Promise<string> => page.locator(".a-head").innerText();
    await page.getByRole("combobox", { name: "Time" }).selectOption("no limit");
    await expect.poll(head).toContain("Lozenge in this browser");
    const other = await here.come(PHONE);
    const made = await other.make({ variant: "diamond" });
    expect((await guest.context.request.post(`/api/games/${made.id}/join`)).ok()).toBe(true);
    // Nothing is done on the page: the search that runs ends.
    await expect.poll(head, { timeout: 15_000 }).toContain("Lozenge on this server");
    // A line through a position of the game: the server refuses it in the words of a page that is opened now.
    const [move = ""] = made.state.moves;
    expect((await other.context.request.post(`/api/games/${made.id}/actions`, { data: { type: "move", move, ply: 0 } })).ok()).toBe(true);
    guest.forgive(/403/);
    await page.locator("#a-typed").fill(move);
    await page.locator("#a-typed").press("Enter");
    await expect.poll(head).toContain("Closed to you until your game is over.");
    expect(await page.locator(".a-line button").count()).toBe(0);
    expect((await other.context.request.post(`/api/games/${made.id}/actions`, { data: { type: "resign" } })).ok()).toBe(true);
    await page.getByRole("switch", { name: "Engine" }).click();
    await page.getByRole("switch", { name: "Engine" }).click();
    await page.locator(".a-line button").first().waitFor({ timeout: 60_000 });
    await expect.poll(head).toContain("Lozenge in this browser");
  });
});
