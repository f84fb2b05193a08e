/**
 * The engine: one search at a time; a new one ends the one before. It thinks on the server or, where the module for it was
 * built in, in this browser (`browser_engine`).
 */
import { load, store } from "../board/storage.ts";
import { ApiError, type Schemas, send } from "../common/api.ts";
import { BrowserEngine, USUAL_MEMORY } from "./browser_engine.ts";
import { isBuiltIn } from "./wasm.ts";

export type Info = Schemas["AnalysisInfo"];
export type Line = Schemas["AnalysisLine"];
export type Event = Schemas["AnalysisEvent"];
export type Request = Partial<Schemas["AnalysisRequest"]> & { variant: string };

export interface EngineEvents {
  queued(): void;
  info(info: Info, isLast: boolean): void;
  failed(fault: unknown): void;
}

export interface Engine {
  start(request: Request, events: EngineEvents): void;
  stop(): void;
}

export type EngineLocation = "browser" | "server";

const PLACE = "lozenge.analysis.place";
const MEMORY = "lozenge.analysis.memory";

/** The longest search of the server's engine, in milliseconds. */
const MAX_SEARCH_MS = 30_000;

/** Memory for positions that the engine of the browser can be given, in MiB. */
export const MEMORIES = [8, 16, USUAL_MEMORY, 64, 128, 256] as const;

/** How often the server is asked whether the visitor is playing while the browser's engine is on, in milliseconds. */
const PERIOD = 5_000;
/** A search begins without an answer after this time, in milliseconds: studies go on where the server cannot be reached. */
const PATIENCE = 2_000;

/** The services that the choice of the engine needs from the page. */
export interface Surroundings {
  readonly isBuiltIn: boolean;
  /** Whether the visitor is playing a game at this moment. */
  isPlaying(): Promise<boolean>;
  browser(): Pick<BrowserEngine, "memory" | "start" | "stop">;
  server(): Engine;
}

const PAGE: Surroundings = {
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
 * The engine in the place that was chosen; on the server where that of the browser does not run. Visitors who are playing a
 * game have the server's engine alone, which gives no help in that game. The game may have begun after the page was opened.
 */
export class ChosenEngine implements Engine {
  readonly #page: Surroundings;
  readonly #gameBegan: () => void;
  readonly #server: Engine;
  #browser: ReturnType<Surroundings["browser"]> | null = null;
  #canBrowse: boolean;
  #isPlaying: boolean;
  /** The number of the newest start or stop. */
  #count = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Calls `gameBegan` when the visitor has begun a game, after the search was stopped. */
  constructor(isPlaying: boolean, gameBegan: () => void, page: Surroundings = PAGE) {
    [this.#page, this.#gameBegan] = [page, gameBegan];
    this.#server = page.server();
    this.#canBrowse = page.isBuiltIn;
    this.#isPlaying = isPlaying;
  }

  /** Whether there is a choice. */
  get hasChoice(): boolean {
    return this.#canBrowse && !this.#isPlaying;
  }

  /** Where the engine thinks. */
  get place(): EngineLocation {
    return this.hasChoice && load(PLACE) !== "server" ? "browser" : "server";
  }

  choose(place: EngineLocation): void {
    this.stop();
    store(PLACE, place);
  }

  /** Memory of the browser's engine for positions, in MiB. */
  get memory(): number {
    const kept = Number(load(MEMORY));
    return MEMORIES.find((known) => known === kept) ?? USUAL_MEMORY;
  }

  setMemory(memory: number): void {
    this.stop();
    store(MEMORY, String(memory));
  }

  start(request: Request, events: EngineEvents): void {
    this.stop();
    const onServer = (): void => {
      clearInterval(this.#timer);
      this.#server.start({ ...request, time_ms: Math.min(request.time_ms ?? MAX_SEARCH_MS, MAX_SEARCH_MS) }, events);
    };
    if (!this.#canBrowse || load(PLACE) === "server") return onServer();
    const count = this.#count;
    void Promise.race([this.watch(), new Promise((done) => setTimeout(done, PATIENCE))]).then(() => {
      if (count !== this.#count) return;
      if (this.#isPlaying) return onServer();
      this.#browser ??= this.#page.browser();
      this.#browser.memory = this.memory;
      this.#browser.start(request, events, (forGood) => {
        if (forGood) this.#canBrowse = false;
        onServer();
      });
    });
  }

  /** Asks whether the visitor is playing, at once and every few seconds until `stop`: lines that are shown count as help. */
  watch(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.#canBrowse) return Promise.resolve();
    this.#timer = setInterval(() => void this.#ask(), PERIOD);
    return this.#ask();
  }

  async #ask(): Promise<void> {
    // Without an answer it is as it was.
    const isPlaying = await this.#page.isPlaying().catch(() => this.#isPlaying);
    const began = isPlaying && !this.#isPlaying;
    this.#isPlaying = isPlaying;
    if (!began) return;
    this.stop();
    this.#gameBegan();
  }

  stop(): void {
    this.#count += 1;
    clearInterval(this.#timer);
    this.#server.stop();
    this.#browser?.stop();
  }
}

export class ServerEngine implements Engine {
  #running: AbortController | null = null;

  start(request: Request, events: EngineEvents): void {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    void this.#run(request, events, running).catch((fault: unknown) => {
      if (!running.signal.aborted) events.failed(fault);
    });
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
  }

  async #run(request: Request, events: EngineEvents, { signal }: AbortController): Promise<void> {
    const init = { method: "POST", body: JSON.stringify(request), headers: { "content-type": "application/json" }, signal };
    const response = await fetch("/api/analyse", init);
    if (!response.ok || !response.body) throw new ApiError((await response.json()) as Schemas["Problem"]);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        if (part.trim() !== "" && !signal.aborted) tell(JSON.parse(part) as Event, events);
      }
    }
  }
}

/** Hands an event of a search on. */
export function tell(event: Event, events: EngineEvents): void {
  if (event.type === "queued") events.queued();
  else if (event.type === "failed") throw new Error(event.detail);
  else events.info(event, event.type === "done");
}
