/** Where positions come from: the server, or the rules in the browser where it does not answer. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../common/api.ts";
import { type Position, Positions } from "./positions.ts";

const position = (fen: string): Position => ({ fen }) as Position;
const request = { fen: "start", moves: ["a"], known: 0 };
const refusal = new ApiError({ type: "", title: "", status: 422, detail: "no", code: "invalid" });

function setUp(server: () => Promise<Position>, local: (() => Position) | null = () => position("local")) {
  const loaded: string[] = [];
  const positions = new Positions("diamond", {
    server,
    local: (variant) => {
      loaded.push(variant);
      return Promise.resolve(local);
    },
  });
  return { positions, loaded };
}

describe("legal moves of a position", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("come from the server, also with the rules in the browser", async () => {
    const { positions, loaded } = setUp(() => Promise.resolve(position("server")));
    expect((await positions.fetch(request)).fen).toBe("server");
    expect(loaded).toEqual([]);
    await positions.prepare();
    expect((await positions.fetch(request)).fen).toBe("server");
    expect(loaded).toEqual(["diamond"]);
  });

  it("come from the browser when offline or after a timeout", async () => {
    const lost = setUp(() => Promise.reject(new TypeError("offline"))).positions;
    await expect(lost.fetch(request)).rejects.toThrow("offline");
    await lost.prepare();
    expect((await lost.fetch(request)).fen).toBe("local");
    const silent = setUp(() => new Promise(() => undefined)).positions;
    await silent.prepare();
    const answer = silent.fetch(request);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await answer).fen).toBe("local");
  });

  it("wait for loading rules only if the server does not answer", async () => {
    const setUpLoading = (server: () => Promise<Position>, time: number): Positions => {
      const local = () => new Promise<() => Position>((resolve) => setTimeout(() => resolve(() => position("local")), time));
      const positions = new Positions("diamond", { server, local });
      void positions.prepare();
      return positions;
    };
    const lost = setUpLoading(() => Promise.reject(new TypeError("offline")), 2_000).fetch(request);
    const slowServer = () => new Promise<Position>((resolve) => setTimeout(() => resolve(position("server")), 1_000));
    const slow = setUpLoading(slowServer, 60_000).fetch(request);
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await lost).fen).toBe("local");
    expect((await slow).fen).toBe("server");
  });

  it("are rejected with the server's error, not the browser's", async () => {
    const { positions } = setUp(() => Promise.reject(refusal));
    await positions.prepare();
    await expect(positions.fetch(request)).rejects.toBe(refusal);
    const illegal = setUp(
      () => Promise.reject(new TypeError("offline")),
      () => {
        throw new Error("illegal");
      },
    ).positions;
    await illegal.prepare();
    await expect(illegal.fetch(request)).rejects.toThrow("offline");
    const noRules = setUp(() => Promise.reject(new TypeError("offline")), null).positions;
    await noRules.prepare();
    await expect(noRules.fetch(request)).rejects.toThrow("offline");
  });
});
