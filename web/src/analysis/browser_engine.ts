/**
 * The engine in this browser: a worker with the module of the JavaScript package. At most one search runs and one is requested; a worker
 * that does not answer is replaced. Nothing is loaded before the first search. Not here: the search (`engine_worker`).
 */
import type { Event, EngineEvents, Request } from "./search_events.ts";
import { compiledModule, type Rules, textsOf } from "./wasm.ts";

/** The default memory for positions, in MiB: as much as an iPhone grants. */
export const DEFAULT_MEMORY = 32;

/** Replace a worker that has not stopped after this time, in milliseconds. A slice of its search takes 30. */
const STOP_TIMEOUT_MS = 200;

/** How often a worker may fail in a row before the browser counts as unable to run it. */
const MAX_FAILURES = 2;

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
  postMessage(message: WorkerRequest): void;
  terminate(): void;
}

/** The services that the engine needs from the page. */
export interface WorkerServices {
  /** The compiled module. */
  module(): Promise<WebAssembly.Module>;
  /** The texts of a game. */
  rules(variant: string): Promise<Rules>;
  worker(): WorkerLike;
}

const PAGE_SERVICES: WorkerServices = {
  module: compiledModule,
  rules: textsOf,
  worker: () => new Worker(new URL("./engine_worker.ts", import.meta.url), { type: "module" }) as WorkerLike,
};

interface Search {
  readonly id: number;
  readonly request: Request;
  readonly events: EngineEvents;
  /** Called if the search failed in this browser; `isPermanent` if the browser cannot run the engine at all. */
  readonly onUnavailable: (isPermanent: boolean) => void;
}

export class BrowserEngine {
  /** Memory for positions of the searches that are started from now on, in MiB. */
  memory = DEFAULT_MEMORY;
  readonly #services: WorkerServices;
  /** Reused for the next worker. */
  #module: Promise<WebAssembly.Module> | null = null;
  #worker: WorkerLike | null = null;
  /** The search that the worker has not ended yet. */
  #running: Search | null = null;
  /** The search whose events are reported: the running one, or the next one. */
  #requested: Search | null = null;
  /** Whether the worker has begun to search, and not only to read the rules. */
  #hasStarted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #lastId = 0;

  constructor(services: WorkerServices = PAGE_SERVICES) {
    this.#services = services;
    globalThis.addEventListener?.("pagehide", () => {
      this.#requested = null;
      this.#terminateWorker();
    });
  }

  start(request: Request, events: EngineEvents, onUnavailable: (isPermanent: boolean) => void): void {
    this.#requested = { id: ++this.#lastId, request, events, onUnavailable };
    this.#startNext();
  }

  stop(): void {
    this.#requested = null;
    this.#interrupt();
  }

  /** Starts the requested search, after the running one has stopped. */
  #startNext(): void {
    if (this.#running) return this.#interrupt();
    if (this.#requested) void this.#startSearch(this.#requested);
  }

  /** Ends the search that runs, by the worker's own answer or without it. */
  #interrupt(): void {
    if (!this.#running || this.#running === this.#requested) return;
    this.#worker?.postMessage({ type: "stop" });
    clearTimeout(this.#timer);
    if (this.#hasStarted) this.#timer = setTimeout(() => this.#replaceWorker(), STOP_TIMEOUT_MS);
  }

  async #startSearch(search: Search): Promise<void> {
    this.#running = search;
    this.#hasStarted = false;
    try {
      const { variant } = search.request;
      const worker = this.#worker ?? (await this.#startWorker());
      const rules = await this.#services.rules(variant);
      if (this.#running !== search || this.#worker !== worker) return;
      if (this.#requested !== search) return this.#onSearchEnded();
      worker.postMessage({ type: "start", id: search.id, request: search.request, rules, hash: this.memory });
    } catch {
      if (this.#running === search) this.#reportUnavailable(search, this.#worker === null);
    }
  }

  /** Ends a search that this browser cannot run. */
  #reportUnavailable(search: Search, isPermanent: boolean): void {
    const isRequested = this.#requested === search;
    this.#onSearchEnded();
    if (isRequested) search.onUnavailable(isPermanent);
  }

  async #startWorker(): Promise<WorkerLike> {
    this.#module ??= this.#services.module();
    // The next search tries again to load it.
    const module = await this.#module.catch((fault: unknown) => {
      this.#module = null;
      throw fault;
    });
    const worker = this.#services.worker();
    worker.onmessage = ({ data }) => this.#onMessage(data);
    worker.onerror = () => this.#onWorkerError();
    worker.postMessage({ type: "load", module });
    this.#worker = worker;
    return worker;
  }

  #onMessage(reply: WorkerReply): void {
    const search = this.#running;
    if (!search || reply.id !== search.id) return;
    if (reply.type === "begun") this.#hasStarted = true;
    // Lines of a search that is to end are not shown.
    if (reply.type === "line" && search === this.#requested) {
      this.#failures = 0;
      const event = JSON.parse(reply.line) as Event;
      if (event.type === "info" || event.type === "done") search.events.info(event, event.type === "done");
    }
    if (reply.type === "ended") this.#onSearchEnded();
    if (reply.type === "failed") this.#reportUnavailable(search, false);
  }

  #onSearchEnded(): void {
    clearTimeout(this.#timer);
    if (this.#running === this.#requested) this.#requested = null;
    this.#running = null;
    this.#startNext();
  }

  /** A worker that does not run at all, or whose engine has failed. */
  #onWorkerError(): void {
    const search = this.#requested;
    this.#terminateWorker();
    this.#failures += 1;
    if (!search) return;
    if (this.#failures < MAX_FAILURES) return this.#startNext();
    this.#requested = null;
    search.onUnavailable(true);
  }

  /** Ends a worker that does not answer, and goes on with a new one. */
  #replaceWorker(): void {
    this.#terminateWorker();
    this.#startNext();
  }

  #terminateWorker(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#running = null;
  }
}
