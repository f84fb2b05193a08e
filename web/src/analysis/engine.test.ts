import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChosenEngine, type Engine, type EngineEvents, type Surroundings } from "./engine.ts";

/** An engine that says what it is asked. */
const fake = (name: string, calls: string[]): Engine => ({
  start: () => void calls.push(`${name} starts`),
  stop: () => void calls.push(`${name} stops`),
});

const EVENTS: EngineEvents = { queued: () => undefined, info: () => undefined, failed: () => undefined };

function setUp({ wasPlaying = false, ...page }: Partial<Surroundings> & { wasPlaying?: boolean } = {}) {
  const calls: string[] = [];
  const isPlaying = vi.fn(() => Promise.resolve(false));
  const gameBegan = vi.fn();
  const engine = new ChosenEngine(wasPlaying, gameBegan, {
    isBuiltIn: true,
    isPlaying,
    browser: () => ({ memory: 0, ...fake("browser", calls) }),
    server: () => fake("server", calls),
    ...page,
  });
  const start = async () => {
    engine.start({ variant: "diamond" }, EVENTS);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { engine, calls, isPlaying, gameBegan, start };
}

describe("the place of the engine", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is the server after a game began on another page, at the next search", async () => {
    const { engine, calls, isPlaying, gameBegan, start } = setUp();
    await start();
    expect([engine.place, calls.at(-1)]).toEqual(["browser", "browser starts"]);
    isPlaying.mockResolvedValue(true);
    await start();
    expect([engine.place, calls.at(-1)]).toEqual(["server", "browser stops"]);
    expect(gameBegan).toHaveBeenCalledTimes(1);
    await start();
    expect([engine.hasChoice, calls.at(-1)]).toEqual([false, "server starts"]);
    // The game is over.
    isPlaying.mockResolvedValue(false);
    await start();
    expect([engine.place, calls.at(-1)]).toEqual(["browser", "browser starts"]);
    expect(gameBegan).toHaveBeenCalledTimes(1);
  });

  it("is the server after a game began on another page, during a search or beside lines that are shown", async () => {
    const { engine, calls, isPlaying, gameBegan, start } = setUp();
    for (const begin of [start, () => engine.watch()]) {
      isPlaying.mockResolvedValue(false);
      await begin();
      expect(gameBegan).not.toHaveBeenCalled();
      isPlaying.mockResolvedValue(true);
      await vi.advanceTimersByTimeAsync(5_000);
      expect([engine.place, calls.at(-1)]).toEqual(["server", "browser stops"]);
      expect(gameBegan).toHaveBeenCalledTimes(1);
      gameBegan.mockClear();
    }
  });

  it("is not asked for while the engine is off", async () => {
    const { engine, isPlaying, start } = setUp();
    await start();
    engine.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(isPlaying).toHaveBeenCalledTimes(1);
  });

  it("stays as it was where the server does not answer", async () => {
    const silent = () => new Promise<boolean>(() => undefined);
    const broken = () => Promise.reject(new TypeError("no connection"));
    for (const isPlaying of [silent, broken]) {
      for (const [wasPlaying, place] of [[false, "browser"], [true, "server"]] as const) {
        const { calls, start } = setUp({ wasPlaying, isPlaying });
        await start();
        await vi.advanceTimersByTimeAsync(2_000);
        expect(calls.at(-1)).toBe(`${place} starts`);
      }
    }
  });

  it("starts no search that was stopped before the answer", async () => {
    const { engine, calls } = setUp();
    engine.start({ variant: "diamond" }, EVENTS);
    engine.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls.filter((call) => call.endsWith("starts"))).toEqual([]);
  });
});
