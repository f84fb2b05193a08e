/** The switch for sounds: one for the whole site, and all its controls stay in sync. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setSound, isSoundOn, onSoundChange } from "./sounds.ts";

describe("the sound setting", () => {
  let storage: Map<string, string>;
  let page: EventTarget;
  beforeEach(() => {
    storage = new Map();
    page = new EventTarget();
    vi.stubGlobal("window", page);
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("is on by default and stored", () => {
    expect(isSoundOn()).toBe(true);
    setSound(false);
    expect(isSoundOn()).toBe(false);
    expect([...storage.values()]).toEqual(["off"]);
  });

  it("notifies listeners once per change until they unsubscribe", () => {
    const [first, second] = [vi.fn(), vi.fn()];
    const unsubscribe = onSoundChange(first);
    const unsubscribeSecond = onSoundChange(second);
    setSound(false);
    setSound(false);
    expect(first.mock.calls).toEqual([[false]]);
    unsubscribe();
    setSound(true);
    expect(first).toHaveBeenCalledTimes(1);
    expect(second.mock.calls).toEqual([[false], [true]]);
    unsubscribeSecond();
  });

  it("notifies listeners of a change in another window", () => {
    const listener = vi.fn();
    const unsubscribe = onSoundChange(listener);
    storage.set("lozenge.sound", "off");
    page.dispatchEvent(Object.assign(new Event("storage"), { key: "lozenge.sound" }));
    page.dispatchEvent(Object.assign(new Event("storage"), { key: "another" }));
    expect(listener.mock.calls).toEqual([[false]]);
    unsubscribe();
  });
});
