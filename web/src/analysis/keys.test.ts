/** The shortcuts of the analysis board call the actions of the page. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Analysis } from "./analysis.ts";
import { listen, type PageActions } from "./keys.ts";

describe("keyboard shortcuts of the analysis board", () => {
  let press: (event: KeyboardEvent) => void = () => undefined;
  let actions: string[] = [];
  const type = (key: string, changed: Partial<KeyboardEvent> = {}): void =>
    press({ key, composedPath: () => [], preventDefault: () => undefined, ...changed } as unknown as KeyboardEvent);

  beforeEach(() => {
    actions = [];
    vi.stubGlobal("HTMLElement", class {});
    vi.stubGlobal("HTMLButtonElement", class {});
    vi.stubGlobal("document", {
      querySelector: () => null,
      addEventListener: (_: string, listener: typeof press) => (press = listener),
    });
    const page = new Proxy({} as PageActions, {
      get: (_, name) => (...details: unknown[]) => actions.push([name, ...details].join(" ")),
    });
    listen({ node: {} } as Analysis, page);
  });
  afterEach(() => void vi.unstubAllGlobals());

  it("call their action", () => {
    for (const key of ["f", "z", "i", "Escape"]) type(key);
    expect(actions).toEqual(["flip", "zen", "goToJudgment inaccuracy", "cancelAll"]);
  });

  it("can differ with Shift", () => {
    type("I", { shiftKey: true });
    expect(actions).toEqual(["toggleInline"]);
  });

  it("are ignored with Ctrl", () => {
    type("z", { ctrlKey: true });
    expect(actions).toEqual([]);
  });
});
