/** The chapter at which a study opens again. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepChapter, lastChapter } from "./last_chapter.ts";

let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  vi.stubGlobal("localStorage", localStorage);
});
afterEach(() => void vi.unstubAllGlobals());

const list = [{ id: "first" }, { id: "second" }];

it("is the one that was open last", () => {
  expect(lastChapter("study", list)).toBe(null);
  keepChapter("study", "second");
  keepChapter("other", "first");
  expect(lastChapter("study", list)).toBe("second");
  keepChapter("study", "first");
  expect(lastChapter("study", list)).toBe("first");
});

it("is not one that was deleted", () => {
  keepChapter("study", "third");
  expect(lastChapter("study", list)).toBe(null);
});

it("is kept for a few studies, and survives damaged storage", () => {
  for (let number = 0; number < 60; number += 1) keepChapter(`study ${number}`, "second");
  expect(lastChapter("study 59", list)).toBe("second");
  expect(lastChapter("study 9", list)).toBe(null);
  stored.set("lozenge.chapters", "{");
  expect(lastChapter("study 59", list)).toBe(null);
});
