/** The switch for sounds: one for the whole site, and all its controls stay in sync. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setSound, isSoundOn, onSoundChange } from "./sounds.ts";

describe("the switch for sounds", () => {
  let kept: Map<string, string>;
  let page: EventTarget;
  beforeEach(() => {
    kept = new Map();
    page = new EventTarget();
    vi.stubGlobal("window", page);
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("is on at first, and remembered", () => {
    expect(isSoundOn()).toBe(true);
    setSound(false);
    expect(isSoundOn()).toBe(false);
    expect([...kept.values()]).toEqual(["off"]);
  });

  it("tells everybody who shows it, once a turn, until they leave", () => {
    const [first, second] = [vi.fn(), vi.fn()];
    const leave = onSoundChange(first);
    const leaveToo = onSoundChange(second);
    setSound(false);
    setSound(false);
    expect(first.mock.calls).toEqual([[false]]);
    leave();
    setSound(true);
    expect(first).toHaveBeenCalledTimes(1);
    expect(second.mock.calls).toEqual([[false], [true]]);
    leaveToo();
  });

  it("tells of another window's turn too", () => {
    const heard = vi.fn();
    const leave = onSoundChange(heard);
    kept.set("lozenge.sound", "off");
    page.dispatchEvent(Object.assign(new Event("storage"), { key: "lozenge.sound" }));
    page.dispatchEvent(Object.assign(new Event("storage"), { key: "another" }));
    expect(heard.mock.calls).toEqual([[false]]);
    leave();
  });
});
