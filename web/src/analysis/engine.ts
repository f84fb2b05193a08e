/**
 * The engine: one search at a time; a new one ends the one before. It thinks on the server or, where the module for it was
 * built in, in this browser (`browser_engine`).
 */
import { load, store } from "../board/storage.ts";
import { ApiError, type Schemas, send } from "../common/api.ts";
import { BrowserEngine, DEFAULT_MEMORY } from "./browser_engine.ts";
import type { EngineEvents, Event, Request } from "./search_events.ts";
import { isBuiltIn } from "./wasm.ts";

export interface Engine {
  start(request: Request, events: EngineEvents): void;
  stop(): void;
}

export type EngineLocation = "browser" | "server";

const LOCATION_KEY = "lozenge.analysis.place";
const MEMORY_KEY = "lozenge.analysis.memory";

/** The longest search of the server's engine, in milliseconds. */
const MAX_SEARCH_MS = 30_000;

/** Memory for positions that the engine of the browser can be given, in MiB. */
export const MEMORY_SIZES = [8, 16, DEFAULT_MEMORY, 64, 128, 256] as const;

/** Time between two requests whether the visitor is playing while the browser's engine is on, in milliseconds. */
const POLL_INTERVAL_MS = 5_000;
/** A search begins without an answer after this time, in milliseconds: studies go on where the server cannot be reached. */
const POLL_TIMEOUT_MS = 2_000;

/** The services that the choice of the engine needs from the page. */
export interface EngineServices {
  readonly isBuiltIn: boolean;
  /** Whether the visitor is playing a game at this moment. */
  isPlaying(): Promise<boolean>;
  browser(): Pick<BrowserEngine, "memory" | "start" | "stop">;
  server(): Engine;
}

const PAGE_SERVICES: EngineServices = {
  isBuiltIn,
  isPlaying: isPlayingNow,
  browser: () => new BrowserEngine(),
  server: () => new ServerEngine(),
};

/** Whether the visitor has an account: one without may get it in another tab, by joining a game. */
let hasAccount = false;

async function isPlayingNow(): Promise<boolean> {
  hasAccount ||= (await send<Schemas["Account"]>("GET", "/api/account")).player != null;
  if (!hasAccount) return false;
  return (await send<unknown[]>("GET", "/api/games?player=me&status=started&limit=1")).length > 0;
}

/**
 * The engine at the selected location; on the server if the browser cannot run it. Visitors who are playing a
 * game have the server's engine alone, which gives no help in that game. The game may have begun after the page was opened.
 */
export class ChosenEngine implements Engine {
  readonly #services: EngineServices;
  readonly #onGameStarted: () => void;
  readonly #server: Engine;
  #browser: ReturnType<EngineServices["browser"]> | null = null;
  #canUseBrowser: boolean;
  #isPlaying: boolean;
  /** The number of the newest start or stop. */
  #count = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Calls `onGameStarted` when the visitor has begun a game, after stopping the search. */
  constructor(isPlaying: boolean, onGameStarted: () => void, services: EngineServices = PAGE_SERVICES) {
    [this.#services, this.#onGameStarted] = [services, onGameStarted];
    this.#server = services.server();
    this.#canUseBrowser = services.isBuiltIn;
    this.#isPlaying = isPlaying;
  }

  /** Whether there is a choice. */
  get hasChoice(): boolean {
    return this.#canUseBrowser && !this.#isPlaying;
  }

  /** Where the engine runs. */
  get location(): EngineLocation {
    return this.hasChoice && load(LOCATION_KEY) !== "server" ? "browser" : "server";
  }

  setLocation(location: EngineLocation): void {
    this.stop();
    store(LOCATION_KEY, location);
  }

  /** Memory of the browser's engine for positions, in MiB. */
  get memory(): number {
    const stored = Number(load(MEMORY_KEY));
    return MEMORY_SIZES.find((size) => size === stored) ?? DEFAULT_MEMORY;
  }

  setMemory(memory: number): void {
    this.stop();
    store(MEMORY_KEY, String(memory));
  }

  start(request: Request, events: EngineEvents): void {
    this.stop();
    const onServer = (): void => {
      clearInterval(this.#timer);
      this.#server.start({ ...request, time_ms: Math.min(request.time_ms ?? MAX_SEARCH_MS, MAX_SEARCH_MS) }, events);
    };
    if (!this.#canUseBrowser || load(LOCATION_KEY) === "server") return onServer();
    const count = this.#count;
    void Promise.race([this.pollPlaying(), new Promise((resolve) => setTimeout(resolve, POLL_TIMEOUT_MS))]).then(() => {
      if (count !== this.#count) return;
      if (this.#isPlaying) return onServer();
      this.#browser ??= this.#services.browser();
      this.#browser.memory = this.memory;
      this.#browser.start(request, events, (forGood) => {
        if (forGood) this.#canUseBrowser = false;
        onServer();
      });
    });
  }

  /** Asks whether the visitor is playing, at once and every few seconds until `stop`: lines that are shown count as help. */
  pollPlaying(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.#canUseBrowser) return Promise.resolve();
    this.#timer = setInterval(() => void this.#checkPlaying(), POLL_INTERVAL_MS);
    return this.#checkPlaying();
  }

  async #checkPlaying(): Promise<void> {
    // Without an answer it is as it was.
    const isPlaying = await this.#services.isPlaying().catch(() => this.#isPlaying);
    const hasStarted = isPlaying && !this.#isPlaying;
    this.#isPlaying = isPlaying;
    if (!hasStarted) return;
    this.stop();
    this.#onGameStarted();
  }

  stop(): void {
    this.#count += 1;
    clearInterval(this.#timer);
    this.#server.stop();
    this.#browser?.stop();
  }
}

export class ServerEngine implements Engine {
  #controller: AbortController | null = null;

  start(request: Request, events: EngineEvents): void {
    this.stop();
    const controller = new AbortController();
    this.#controller = controller;
    void this.#run(request, events, controller).catch((fault: unknown) => {
      if (!controller.signal.aborted) events.failed(fault);
    });
  }

  stop(): void {
    this.#controller?.abort();
    this.#controller = null;
  }

  async #run(request: Request, events: EngineEvents, { signal }: AbortController): Promise<void> {
    const init = { method: "POST", body: JSON.stringify(request), headers: { "content-type": "application/json" }, signal };
    const response = await fetch("/api/analyse", init);
    if (!response.ok || !response.body) throw new ApiError((await response.json()) as Schemas["Problem"]);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let buffer = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (buffer + value).split("\n");
      buffer = lines.pop() ?? "";
      for (const line of lines) {
        if (line.trim() !== "" && !signal.aborted) dispatch(JSON.parse(line) as Event, events);
      }
    }
  }
}

/** Calls the handler for an event of a search. */
export function dispatch(event: Event, events: EngineEvents): void {
  if (event.type === "queued") events.queued();
  else if (event.type === "failed") throw new Error(event.detail);
  else events.info(event, event.type === "done");
}
