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

describe("positions", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are the server's, also once the rules are there", async () => {
    const { positions, loaded } = setUp(() => Promise.resolve(position("server")));
    expect((await positions.ask(request)).fen).toBe("server");
    expect(loaded).toEqual([]);
    await positions.prepare();
    expect((await positions.ask(request)).fen).toBe("server");
    expect(loaded).toEqual(["diamond"]);
  });

  it("are the browser's without a connection, or when the server is silent", async () => {
    const lost = setUp(() => Promise.reject(new TypeError("offline"))).positions;
    await expect(lost.ask(request)).rejects.toThrow("offline");
    await lost.prepare();
    expect((await lost.ask(request)).fen).toBe("local");
    const silent = setUp(() => new Promise(() => undefined)).positions;
    await silent.prepare();
    const asked = silent.ask(request);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await asked).fen).toBe("local");
  });

  it("wait for rules that are still loading only where the server does not answer", async () => {
    const loadingWith = (server: () => Promise<Position>, time: number): Positions => {
      const local = () => new Promise<() => Position>((done) => setTimeout(() => done(() => position("local")), time));
      const positions = new Positions("diamond", { server, local });
      void positions.prepare();
      return positions;
    };
    const lost = loadingWith(() => Promise.reject(new TypeError("offline")), 2_000).ask(request);
    const late = () => new Promise<Position>((done) => setTimeout(() => done(position("server")), 1_000));
    const slow = loadingWith(late, 60_000).ask(request);
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await lost).fen).toBe("local");
    expect((await slow).fen).toBe("server");
  });

  it("are refused by the server, and by nobody else", async () => {
    const { positions } = setUp(() => Promise.reject(refusal));
    await positions.prepare();
    await expect(positions.ask(request)).rejects.toBe(refusal);
    const illegal = setUp(
      () => Promise.reject(new TypeError("offline")),
      () => {
        throw new Error("illegal");
      },
    ).positions;
    await illegal.prepare();
    await expect(illegal.ask(request)).rejects.toThrow("offline");
    const without = setUp(() => Promise.reject(new TypeError("offline")), null).positions;
    await without.prepare();
    await expect(without.ask(request)).rejects.toThrow("offline");
  });
});
