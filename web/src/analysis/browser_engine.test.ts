import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type WorkerReply, BrowserEngine, type WorkerRequest, type Surroundings, type WorkerLike } from "./browser_engine.ts";
import type { EngineEvents } from "./engine.ts";

/** A worker that answers when the test wants it to. */
class FakeWorker implements WorkerLike {
  onmessage: ((event: MessageEvent<WorkerReply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly orders: WorkerRequest[] = [];
  isTerminated = false;

  postMessage(order: WorkerRequest): void {
    this.orders.push(order);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(answer: WorkerReply): void {
    this.onmessage?.({ data: answer } as MessageEvent<WorkerReply>);
  }

  /** The ids of the searches that were started. */
  get started(): number[] {
    return this.orders.flatMap((order) => (order.type === "start" ? [order.id] : []));
  }
}

function setUp(page: Partial<Surroundings> = {}) {
  const workers: FakeWorker[] = [];
  const engine = new BrowserEngine({
    module: () => Promise.resolve({} as WebAssembly.Module),
    rules: () => Promise.resolve({ source: "", parents: [] }),
    worker: () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    ...page,
  });
  const depths: number[] = [];
  const events: EngineEvents = {
    queued: () => undefined,
    info: ({ depth }) => depths.push(depth),
    failed: () => depths.push(-1),
  };
  const elsewhere: boolean[] = [];
  const start = async () => {
    engine.start({ variant: "diamond" }, events, (forGood) => elsewhere.push(forGood));
    await vi.advanceTimersByTimeAsync(0);
  };
  return { engine, workers, depths, elsewhere, start };
}

const line = (id: number, depth: number): WorkerReply => ({ id, type: "line", line: JSON.stringify({ type: "info", depth, lines: [] }) });

describe("the engine in the browser", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("runs one search and then the newest that is wanted", async () => {
    const { workers, depths, start } = setUp();
    await start();
    const [worker] = workers;
    worker?.answer({ id: 1, type: "begun" });
    worker?.answer(line(1, 5));
    await start();
    await start();
    worker?.answer(line(1, 6));
    expect(worker?.started).toEqual([1]);
    worker?.answer({ id: 1, type: "ended" });
    await vi.advanceTimersByTimeAsync(0);
    expect(worker?.started).toEqual([1, 3]);
    worker?.answer(line(3, 7));
    expect(depths).toEqual([5, 7]);
    expect(workers.length).toBe(1);
  });

  it("replaces a worker that does not stop, and keeps the module", async () => {
    const module = vi.fn(() => Promise.resolve({} as WebAssembly.Module));
    const { workers, start } = setUp({ module });
    await start();
    workers[0]?.answer({ id: 1, type: "begun" });
    await start();
    await vi.advanceTimersByTimeAsync(250);
    expect(workers[0]?.isTerminated).toBe(true);
    expect(workers[1]?.started).toEqual([2]);
    expect(module).toHaveBeenCalledTimes(1);
  });

  it("waits for a worker that still reads the rules", async () => {
    const { workers, start } = setUp();
    await start();
    await start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(workers.length).toBe(1);
    expect(workers[0]?.isTerminated).toBe(false);
  });

  it("stops", async () => {
    const { engine, workers, depths, start } = setUp();
    await start();
    workers[0]?.answer({ id: 1, type: "begun" });
    engine.stop();
    expect(workers[0]?.orders.at(-1)).toEqual({ type: "stop" });
    workers[0]?.answer(line(1, 9));
    workers[0]?.answer({ id: 1, type: "ended" });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(depths).toEqual([]);
    expect(workers.length).toBe(1);
  });

  it("hands a search over when the module cannot be loaded, or the worker fails twice", async () => {
    const broken = setUp({ module: () => Promise.reject(new Error("no memory")) });
    await broken.start();
    expect(broken.elsewhere).toEqual([true]);
    const failing = setUp();
    await failing.start();
    failing.workers[0]?.onerror?.({} as ErrorEvent);
    await vi.advanceTimersByTimeAsync(0);
    expect(failing.workers[1]?.started).toEqual([1]);
    failing.workers[1]?.onerror?.({} as ErrorEvent);
    expect(failing.elsewhere).toEqual([true]);
    const refused = setUp();
    await refused.start();
    refused.workers[0]?.answer({ id: 1, type: "failed" });
    expect(refused.elsewhere).toEqual([false]);
  });
});
