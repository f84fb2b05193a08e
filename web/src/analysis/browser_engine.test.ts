import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type WorkerReply, BrowserEngine, type WorkerRequest, type WorkerServices, type WorkerLike } from "./browser_engine.ts";
import type { EngineEvents } from "./search_events.ts";

/** A worker whose replies are sent by the test. */
class FakeWorker implements WorkerLike {
  onmessage: ((event: MessageEvent<WorkerReply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly messages: WorkerRequest[] = [];
  isTerminated = false;

  postMessage(message: WorkerRequest): void {
    this.messages.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  reply(reply: WorkerReply): void {
    this.onmessage?.({ data: reply } as MessageEvent<WorkerReply>);
  }

  /** The ids of the searches that were started. */
  get started(): number[] {
    return this.messages.flatMap((message) => (message.type === "start" ? [message.id] : []));
  }
}

function setUp(services: Partial<WorkerServices> = {}) {
  const workers: FakeWorker[] = [];
  const engine = new BrowserEngine({
    module: () => Promise.resolve({} as WebAssembly.Module),
    rules: () => Promise.resolve({ source: "", parents: [] }),
    worker: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    ...services,
  });
  const depths: number[] = [];
  const events: EngineEvents = {
    queued: () => undefined,
    info: ({ depth }) => depths.push(depth),
    failed: () => depths.push(-1),
  };
  const unavailable: boolean[] = [];
  const start = async () => {
    engine.start({ variant: "diamond" }, events, (isPermanent) => unavailable.push(isPermanent));
    await vi.advanceTimersByTimeAsync(0);
  };
  return { engine, workers, depths, unavailable, start };
}

const line = (id: number, depth: number): WorkerReply => ({ id, type: "line", line: JSON.stringify({ type: "info", depth, lines: [] }) });

describe("the engine in the browser", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("runs one search at a time, then the newest request", async () => {
    const { workers, depths, start } = setUp();
    await start();
    const [worker] = workers;
    worker?.reply({ id: 1, type: "begun" });
    worker?.reply(line(1, 5));
    await start();
    await start();
    worker?.reply(line(1, 6));
    expect(worker?.started).toEqual([1]);
    worker?.reply({ id: 1, type: "ended" });
    await vi.advanceTimersByTimeAsync(0);
    expect(worker?.started).toEqual([1, 3]);
    worker?.reply(line(3, 7));
    expect(depths).toEqual([5, 7]);
    expect(workers.length).toBe(1);
  });

  it("replaces a worker that does not stop, reuses the module", async () => {
    const module = vi.fn(() => Promise.resolve({} as WebAssembly.Module));
    const { workers, start } = setUp({ module });
    await start();
    workers[0]?.reply({ id: 1, type: "begun" });
    await start();
    await vi.advanceTimersByTimeAsync(250);
    expect(workers[0]?.isTerminated).toBe(true);
    expect(workers[1]?.started).toEqual([2]);
    expect(module).toHaveBeenCalledTimes(1);
  });

  it("does not replace a worker that is still loading the rules", async () => {
    const { workers, start } = setUp();
    await start();
    await start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(workers.length).toBe(1);
    expect(workers[0]?.isTerminated).toBe(false);
  });

  it("reports no lines after stop", async () => {
    const { engine, workers, depths, start } = setUp();
    await start();
    workers[0]?.reply({ id: 1, type: "begun" });
    engine.stop();
    expect(workers[0]?.messages.at(-1)).toEqual({ type: "stop" });
    workers[0]?.reply(line(1, 9));
    workers[0]?.reply({ id: 1, type: "ended" });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(depths).toEqual([]);
    expect(workers.length).toBe(1);
  });

  it("is unavailable if the module or the worker fails twice", async () => {
    const broken = setUp({ module: () => Promise.reject(new Error("no memory")) });
    await broken.start();
    expect(broken.unavailable).toEqual([true]);
    const crashing = setUp();
    await crashing.start();
    crashing.workers[0]?.onerror?.({} as ErrorEvent);
    await vi.advanceTimersByTimeAsync(0);
    expect(crashing.workers[1]?.started).toEqual([1]);
    crashing.workers[1]?.onerror?.({} as ErrorEvent);
    expect(crashing.unavailable).toEqual([true]);
    const refused = setUp();
    await refused.start();
    refused.workers[0]?.reply({ id: 1, type: "failed" });
    expect(refused.unavailable).toEqual([false]);
  });
});
