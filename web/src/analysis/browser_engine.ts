/**
 * The engine in this browser: a worker with the module of the JavaScript package. One search runs and one is wanted; a worker
 * that does not answer is replaced. Nothing is loaded before the first search. Not here: the search (`engine_worker`).
 */
import type { Event, EngineEvents, Request } from "./engine.ts";
import { compiledModule, type Rules, textsOf } from "./wasm.ts";

/** Memory for positions unless the user wants another, in MiB: what an iPhone grants. */
export const USUAL_MEMORY = 32;

/** A worker that has not stopped after this time is replaced, in milliseconds: a slice of its search takes 30. */
const PATIENCE = 200;

/** How often a worker may fail in a row before the browser counts as unable to run it. */
const ATTEMPTS = 2;

/** A message to the worker. A search is ended before the next one is started; `hash` is its memory for positions in MiB. */
export type WorkerRequest =
  | { readonly type: "load"; readonly module: WebAssembly.Module }
  | { readonly type: "start"; readonly id: number; readonly request: Request; readonly rules: Rules; readonly hash: number }
  | { readonly type: "stop" };

/** A message of the worker about a search; `line` is an event as `POST /api/analyse` streams it. */
export type WorkerReply = { readonly id: number } & (
  | { readonly type: "begun" }
  | { readonly type: "line"; readonly line: string }
  | { readonly type: "ended" }
  | { readonly type: "failed" }
);

/** The part of a worker that the engine uses. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent<WorkerReply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(order: WorkerRequest): void;
  terminate(): void;
}

/** The services that the engine needs from the page. */
export interface Surroundings {
  /** The compiled module. */
  module(): Promise<WebAssembly.Module>;
  /** The texts of a game. */
  rules(variant: string): Promise<Rules>;
  worker(): WorkerLike;
}

const PAGE: Surroundings = {
  module: compiledModule,
  rules: textsOf,
  worker: () => new Worker(new URL("./engine_worker.ts", import.meta.url), { type: "module" }) as WorkerLike,
};

interface Search {
  readonly id: number;
  readonly request: Request;
  readonly events: EngineEvents;
  /** Called when the search has to be done elsewhere; `forGood` if this browser cannot run the engine at all. */
  readonly elsewhere: (forGood: boolean) => void;
}

export class BrowserEngine {
  /** Memory for positions of the searches that are started from now on, in MiB. */
  memory = USUAL_MEMORY;
  readonly #page: Surroundings;
  /** Kept for the next worker. */
  #module: Promise<WebAssembly.Module> | null = null;
  #worker: WorkerLike | null = null;
  /** The search that the worker has not ended yet. */
  #running: Search | null = null;
  /** The search whose events are handed on: the one that runs, or the one that is to run next. */
  #wanted: Search | null = null;
  /** Whether the worker has begun to search, and not only to read the rules. */
  #isUnderWay = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #count = 0;

  constructor(page: Surroundings = PAGE) {
    this.#page = page;
    globalThis.addEventListener?.("pagehide", () => {
      this.#wanted = null;
      this.#drop();
    });
  }

  start(request: Request, events: EngineEvents, elsewhere: (forGood: boolean) => void): void {
    this.#wanted = { id: ++this.#count, request, events, elsewhere };
    this.#next();
  }

  stop(): void {
    this.#wanted = null;
    this.#interrupt();
  }

  /** Goes on to the search that is wanted. */
  #next(): void {
    if (this.#running) return this.#interrupt();
    if (this.#wanted) void this.#begin(this.#wanted);
  }

  /** Ends the search that runs, by the worker's own answer or without it. */
  #interrupt(): void {
    if (!this.#running || this.#running === this.#wanted) return;
    this.#worker?.postMessage({ type: "stop" });
    clearTimeout(this.#timer);
    if (this.#isUnderWay) this.#timer = setTimeout(() => this.#replace(), PATIENCE);
  }

  async #begin(search: Search): Promise<void> {
    this.#running = search;
    this.#isUnderWay = false;
    try {
      const { variant } = search.request;
      const worker = this.#worker ?? (await this.#hire());
      const rules = await this.#page.rules(variant);
      if (this.#running !== search || this.#worker !== worker) return;
      if (this.#wanted !== search) return this.#ended();
      worker.postMessage({ type: "start", id: search.id, request: search.request, rules, hash: this.memory });
    } catch {
      if (this.#running === search) this.#giveUp(search, this.#worker === null);
    }
  }

  /** A search that cannot be done here. */
  #giveUp(search: Search, forGood: boolean): void {
    const isWanted = this.#wanted === search;
    this.#ended();
    if (isWanted) search.elsewhere(forGood);
  }

  async #hire(): Promise<WorkerLike> {
    this.#module ??= this.#page.module();
    // The next search tries again to load it.
    const module = await this.#module.catch((fault: unknown) => {
      this.#module = null;
      throw fault;
    });
    const worker = this.#page.worker();
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = () => this.#fail();
    worker.postMessage({ type: "load", module });
    this.#worker = worker;
    return worker;
  }

  #hear(answer: WorkerReply): void {
    const search = this.#running;
    if (!search || answer.id !== search.id) return;
    if (answer.type === "begun") this.#isUnderWay = true;
    // Lines of a search that is to end are not shown.
    if (answer.type === "line" && search === this.#wanted) {
      this.#failures = 0;
      const event = JSON.parse(answer.line) as Event;
      if (event.type === "info" || event.type === "done") search.events.info(event, event.type === "done");
    }
    if (answer.type === "ended") this.#ended();
    if (answer.type === "failed") this.#giveUp(search, false);
  }

  #ended(): void {
    clearTimeout(this.#timer);
    if (this.#running === this.#wanted) this.#wanted = null;
    this.#running = null;
    this.#next();
  }

  /** A worker that does not run at all, or whose engine has failed. */
  #fail(): void {
    const search = this.#wanted;
    this.#drop();
    this.#failures += 1;
    if (!search) return;
    if (this.#failures < ATTEMPTS) return this.#next();
    this.#wanted = null;
    search.elsewhere(true);
  }

  /** Ends a worker that does not answer, and goes on with a new one. */
  #replace(): void {
    this.#drop();
    this.#next();
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#running = null;
  }
}
