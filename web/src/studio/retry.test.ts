/** Requests that fail are sent again while that may help. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../common/api.ts";
import { LONGEST_PAUSE_MS, pauseAfter, persist } from "./retry.ts";

const refused = (status: number, retryAfterMs?: number) =>
  new ApiError({ type: "about:blank", title: "", status, detail: "no", code: "no" } as ConstructorParameters<typeof ApiError>[0], retryAfterMs);

/** A request that fails with these errors, one after the other, and then answers. */
function requestAfter(...errors: unknown[]) {
  const request = vi.fn(() => {
    const error = errors.shift();
    return error === undefined ? Promise.resolve("checked") : Promise.reject(error as Error);
  });
  const listener = { answered: vi.fn(), failed: vi.fn() };
  return { request, ...listener, stop: persist(request, listener) };
}

describe("requests of the studio", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are sent again after too many requests and a lost network", async () => {
    const { request, answered, failed } = requestAfter(new TypeError("Failed to fetch"), refused(429), refused(503));
    await vi.advanceTimersByTimeAsync(999);
    expect([request.mock.calls.length, failed.mock.calls.length, failed.mock.calls[0]?.[1]]).toEqual([1, 1, true]);
    await vi.advanceTimersByTimeAsync(1);
    expect(request).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(request).toHaveBeenCalledTimes(3);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(answered.mock.calls).toEqual([["checked"]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(request).toHaveBeenCalledTimes(4);
  });

  it("end with an answer that stays the same", async () => {
    const { request, answered, failed } = requestAfter(refused(422));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([request.mock.calls.length, answered.mock.calls.length, failed.mock.calls[0]?.[1]]).toEqual([1, 0, false]);
  });

  it("end when they are not wanted any more", async () => {
    const { request, answered, stop } = requestAfter(refused(429));
    await vi.advanceTimersByTimeAsync(500);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([request.mock.calls.length, answered.mock.calls.length]).toEqual([1, 0]);
  });

  it("wait longer each time, and as long as the server says", () => {
    expect([1, 2, 3, 5, 6, 20].map((failures) => pauseAfter(failures, new TypeError("lost")))).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000]);
    expect(pauseAfter(1, refused(429, 7_000))).toBe(7_000);
    expect(pauseAfter(1, refused(429, 3_600_000))).toBe(LONGEST_PAUSE_MS);
  });

  it("do not wait when the browser is online again", async () => {
    const online = new EventTarget();
    vi.stubGlobal("addEventListener", online.addEventListener.bind(online));
    vi.stubGlobal("removeEventListener", online.removeEventListener.bind(online));
    const { request, answered } = requestAfter(new TypeError("lost"));
    await vi.advanceTimersByTimeAsync(10);
    online.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(10);
    expect([request.mock.calls.length, answered.mock.calls.length]).toEqual([2, 1]);
    online.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(request).toHaveBeenCalledTimes(2);
    vi.unstubAllGlobals();
  });
});
