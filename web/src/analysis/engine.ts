/**
 * The engine: one search at a time; a new one ends the one before. It thinks on the server or, where the module for it was
 * built in, in this browser (`browser_engine`).
 */
import { load, store } from "../board/storage.ts";
import { ApiError, type Schemas } from "../common/api.ts";
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

export type Place = "browser" | "server";

const PLACE = "lozenge.analysis.place";
const MEMORY = "lozenge.analysis.memory";

/** The longest search of the server's engine, in milliseconds. */
const LONGEST = 30_000;

/** Memory for positions that the engine of the browser can be given, in MiB. */
export const MEMORIES = [8, 16, USUAL_MEMORY, 64, 128, 256] as const;

/** The engine in the place that was chosen; on the server where that of the browser does not run. */
export class ChosenEngine implements Engine {
  readonly #server = new ServerEngine();
  #browser: BrowserEngine | null = null;
  #canBrowse: boolean;

  /** Visitors who are playing a game have the server's engine alone, which gives no help in that game. */
  constructor(isPlaying: boolean) {
    this.#canBrowse = isBuiltIn && !isPlaying;
  }

  /** Whether there is a choice. */
  get hasChoice(): boolean {
    return this.#canBrowse;
  }

  /** Where the engine thinks. */
  get place(): Place {
    return this.#canBrowse && load(PLACE) !== "server" ? "browser" : "server";
  }

  choose(place: Place): void {
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
      this.#server.start({ ...request, time_ms: Math.min(request.time_ms ?? LONGEST, LONGEST) }, events);
    };
    if (this.place === "server") return onServer();
    this.#browser ??= new BrowserEngine();
    this.#browser.memory = this.memory;
    this.#browser.start(request, events, (forGood) => {
      if (forGood) this.#canBrowse = false;
      onServer();
    });
  }

  stop(): void {
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
