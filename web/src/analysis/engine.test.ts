import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChosenEngine, type Engine, type EngineServices } from "./engine.ts";
import type { EngineEvents } from "./search_events.ts";

/** An engine that records its calls. */
const fake = (name: string, calls: string[]): Engine => ({
  start: () => void calls.push(`${name} starts`),
  stop: () => void calls.push(`${name} stops`),
});

const EVENTS: EngineEvents = { queued: () => undefined, info: () => undefined, failed: () => undefined };

function setUp({ wasPlaying = false, ...services }: Partial<EngineServices> & { wasPlaying?: boolean } = {}) {
  const calls: string[] = [];
  const isPlaying = vi.fn(() => Promise.resolve(false));
  const onGameStarted = vi.fn();
  const engine = new ChosenEngine(wasPlaying, onGameStarted, {
    isBuiltIn: true,
    isPlaying,
    browser: () => ({ memory: 0, ...fake("browser", calls) }),
    server: () => fake("server", calls),
    ...services,
  });
  const start = async () => {
    engine.start({ variant: "diamond" }, EVENTS);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { engine, calls, isPlaying, onGameStarted, start };
}

describe("the choice between browser engine and server engine", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("uses the server for the next search if a game has begun", async () => {
    const { engine, calls, isPlaying, onGameStarted, start } = setUp();
    await start();
    expect([engine.location, calls.at(-1)]).toEqual(["browser", "browser starts"]);
    isPlaying.mockResolvedValue(true);
    await start();
    expect([engine.location, calls.at(-1)]).toEqual(["server", "browser stops"]);
    expect(onGameStarted).toHaveBeenCalledTimes(1);
    await start();
    expect([engine.hasChoice, calls.at(-1)]).toEqual([false, "server starts"]);
    // The game is over.
    isPlaying.mockResolvedValue(false);
    await start();
    expect([engine.location, calls.at(-1)]).toEqual(["browser", "browser starts"]);
    expect(onGameStarted).toHaveBeenCalledTimes(1);
  });

  it("stops the browser engine within 5 seconds if a game begins", async () => {
    const { engine, calls, isPlaying, onGameStarted, start } = setUp();
    for (const startPolling of [start, () => engine.pollPlaying()]) {
      isPlaying.mockResolvedValue(false);
      await startPolling();
      expect(onGameStarted).not.toHaveBeenCalled();
      isPlaying.mockResolvedValue(true);
      await vi.advanceTimersByTimeAsync(5_000);
      expect([engine.location, calls.at(-1)]).toEqual(["server", "browser stops"]);
      expect(onGameStarted).toHaveBeenCalledTimes(1);
      onGameStarted.mockClear();
    }
  });

  it("does not poll for running games while the engine is off", async () => {
    const { engine, isPlaying, start } = setUp();
    await start();
    engine.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(isPlaying).toHaveBeenCalledTimes(1);
  });

  it("stays the same if the server does not answer", async () => {
    const silent = () => new Promise<boolean>(() => undefined);
    const broken = () => Promise.reject(new TypeError("no connection"));
    for (const isPlaying of [silent, broken]) {
      for (const [wasPlaying, location] of [[false, "browser"], [true, "server"]] as const) {
        const { calls, start } = setUp({ wasPlaying, isPlaying });
        await start();
        await vi.advanceTimersByTimeAsync(2_000);
        expect(calls.at(-1)).toBe(`${location} starts`);
      }
    }
  });

  it("starts no search if it is stopped before the server answers", async () => {
    const { engine, calls } = setUp();
    engine.start({ variant: "diamond" }, EVENTS);
    engine.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls.filter((call) => call.endsWith("starts"))).toEqual([]);
  });
});
