/** The clocks of a game. */
import { describe, expect, it } from "vitest";
import { remainingTime, remainingTimeAt, warningMs, formatTime } from "./clock.ts";
import { game } from "./samples.ts";

describe("a clock", () => {
  const started = game({
    clock: { kind: "live", initial_s: 60, increment_s: 0 },
    clocks: { white_ms: 30_000, black_ms: 50_000, running: "white", at: 1_000_000 },
  });

  it("runs down from the server's time, for the side to move only", () => {
    expect(remainingTime(started.state, "white", 1_010_500)).toBe(19_500);
    expect(remainingTime(started.state, "black", 1_010_500)).toBe(50_000);
  });

  it("is never negative and never increases", () => {
    expect(remainingTime(started.state, "white", 2_000_000)).toBe(0);
    expect(remainingTime(started.state, "white", 999_000)).toBe(30_000);
  });

  it("rounds tenths down below 20 seconds, and seconds up above", () => {
    const text = (ms: number): string => formatTime(ms).main + formatTime(ms).tenths;
    expect(text(20_000)).toBe("0:20");
    expect(text(19_999)).toBe("0:19.9");
    expect(text(40)).toBe("0:00.0");
    expect(text(59_001)).toBe("1:00");
    expect(text(3_600_000)).toBe("1:00:00");
    expect(formatTime(49.5 * 3_600_000).days).toEqual({ days: 2, hours: 1 });
  });

  it("returns the remaining time after earlier moves", () => {
    const played = game({
      clock: { kind: "live", initial_s: 60, increment_s: 0 },
      moves: [
        { uci: "a", left_ms: 60_000 },
        { uci: "b", left_ms: 58_000 },
        { uci: "c", left_ms: 55_000 },
      ],
    });
    expect([0, 1, 2, 3].map((ply) => remainingTimeAt(played, "white", ply))).toEqual([60_000, 60_000, 60_000, 55_000]);
    expect(remainingTimeAt(played, "black", 3)).toBe(58_000);
  });

  it("warns at a quarter of the time, at most at 20 seconds", () => {
    expect(warningMs(started)).toBe(15_000);
    expect(warningMs(game({ clock: { kind: "live", initial_s: 600, increment_s: 0 } }))).toBe(20_000);
    expect(warningMs(game({ clock: { kind: "correspondence", days: 2 } }))).toBe(0);
  });
});
