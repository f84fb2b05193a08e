/** Time controls: the presets, and their texts. */
import type { Schemas } from "./api.ts";
import { addTexts, t } from "./texts.ts";

export type Clock = Schemas["Clock"];

addTexts({
  "clock.none": "Unlimited",
  "clock.days": "{days} days",
  "clock.day": "1 day",
  "speed.bullet": "Bullet",
  "speed.blitz": "Blitz",
  "speed.rapid": "Rapid",
  "speed.classical": "Classical",
  "speed.correspondence": "Correspondence",
  "speed.unlimited": "Unlimited",
});

/** Minutes and increment in seconds. */
export const PRESETS = ["1+0", "3+2", "5+3", "10+5", "30+20"] as const;

/** A live time control from minutes and increment; null if it is out of bounds. */
export function liveClock(minutes: number, increment: number): Clock | null {
  const initial_s = Math.round(minutes * 60);
  if (!Number.isFinite(initial_s) || !Number.isFinite(increment) || increment < 0) return null;
  if (initial_s < 0 || initial_s > 10_800 || increment > 180 || initial_s + 40 * increment < 30) return null;
  return { kind: "live", initial_s, increment_s: Math.round(increment) };
}

export function presetClock(name: string): Clock | null {
  const [minutes, increment] = name.split("+").map(Number);
  return liveClock(minutes ?? NaN, increment ?? NaN);
}

export function correspondence(days: number): Clock {
  return { kind: "correspondence", days };
}

export function daysText(count: number): string {
  return count === 1 ? t("clock.day") : t("clock.days", { days: count });
}

/** Seconds as minutes with at most two decimals, as the server writes them (`testdata/clocks.txt`). */
export function minutesText(seconds: number): string {
  return String(Math.floor((seconds * 100 + 30) / 60) / 100);
}

/** A time control as text, such as `3+2` or `2 days`. */
export function timeControlText(clock: Clock | null | undefined): string {
  if (!clock) return t("clock.none");
  if (clock.kind === "correspondence") return daysText(clock.days);
  return `${minutesText(clock.initial_s)}+${clock.increment_s}`;
}

export function speedName(speed: Schemas["Speed"]): string {
  return t(`speed.${speed}`);
}

/** The speed of a time control, by its time for 40 moves. */
export function speedOf(clock: Clock | null): Schemas["Speed"] {
  if (!clock) return "unlimited";
  if (clock.kind === "correspondence") return "correspondence";
  const seconds = clock.initial_s + 40 * clock.increment_s;
  if (seconds < 180) return "bullet";
  if (seconds < 480) return "blitz";
  return seconds < 1500 ? "rapid" : "classical";
}
