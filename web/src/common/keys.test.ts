/** Shortcuts of a page act unless something else handles the key. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isTaken } from "./keys.ts";

/** An element that knows its selectors. */
class Element {
  readonly isContentEditable = false;
  constructor(readonly name: string) {}
  matches(selectors: string): boolean {
    return selectors.split(", ").includes(this.name);
  }
}

const press = (name: string, changed: Partial<KeyboardEvent> = {}): KeyboardEvent =>
  ({ key: "l", composedPath: () => [new Element(name)], ...changed }) as unknown as KeyboardEvent;

describe("a key", () => {
  let open: string | null = null;
  beforeEach(() => {
    open = null;
    vi.stubGlobal("HTMLElement", Element);
    vi.stubGlobal("document", { querySelector: (selector: string) => (selector === open ? {} : null) });
  });
  afterEach(() => void vi.unstubAllGlobals());

  it("is a shortcut of the page outside of fields", () => {
    expect(["body", "button", "loz-board"].map((name) => isTaken(press(name)))).toEqual([false, false, false]);
    expect(["input", "textarea", "select"].map((name) => isTaken(press(name)))).toEqual([true, true, true]);
    expect(isTaken(press("body", { ctrlKey: true }))).toBe(true);
    expect(isTaken(press("body", { defaultPrevented: true }))).toBe(true);
  });

  it("is none in what else the page names", () => {
    expect(isTaken(press("[role=tab]"))).toBe(false);
    expect(isTaken(press("[role=tab]"), ".g-messages, [role=tab]")).toBe(true);
    expect(isTaken(press("body"), ".g-messages, [role=tab]")).toBe(false);
  });

  it("is none while a dialog is open, wherever the focus is", () => {
    open = "dialog[open]";
    expect(["body", "dialog", "button", "h2"].map((name) => isTaken(press(name)))).toEqual([true, true, true, true]);
  });
});
