/** Shortcuts of a page act unless something else handles the key. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isIgnoredKey } from "./keys.ts";

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

describe("isIgnoredKey", () => {
  let open: string | null = null;
  beforeEach(() => {
    open = null;
    vi.stubGlobal("HTMLElement", Element);
    vi.stubGlobal("document", { querySelector: (selector: string) => (selector === open ? {} : null) });
  });
  afterEach(() => void vi.unstubAllGlobals());

  it("ignores keys in fields and with modifiers, but not elsewhere", () => {
    expect(["body", "button", "loz-board"].map((name) => isIgnoredKey(press(name)))).toEqual([false, false, false]);
    expect(["input", "textarea", "select"].map((name) => isIgnoredKey(press(name)))).toEqual([true, true, true]);
    expect(isIgnoredKey(press("body", { ctrlKey: true }))).toBe(true);
    expect(isIgnoredKey(press("body", { defaultPrevented: true }))).toBe(true);
  });

  it("ignores keys in elements that match the page's selector", () => {
    expect(isIgnoredKey(press("[role=tab]"))).toBe(false);
    expect(isIgnoredKey(press("[role=tab]"), ".g-messages, [role=tab]")).toBe(true);
    expect(isIgnoredKey(press("body"), ".g-messages, [role=tab]")).toBe(false);
  });

  it("ignores all keys while a dialog is open", () => {
    open = "dialog[open]";
    expect(["body", "dialog", "button", "h2"].map((name) => isIgnoredKey(press(name)))).toEqual([true, true, true, true]);
  });
});
