/** The shortcuts of the analysis board call the actions of the page. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Analysis } from "./analysis.ts";
import { listen, type PageActions } from "./keys.ts";

describe("a key of the analysis board", () => {
  let press: (event: KeyboardEvent) => void = () => undefined;
  let done: string[] = [];
  const type = (key: string, changed: Partial<KeyboardEvent> = {}): void =>
    press({ key, composedPath: () => [], preventDefault: () => undefined, ...changed } as unknown as KeyboardEvent);

  beforeEach(() => {
    done = [];
    vi.stubGlobal("HTMLElement", class {});
    vi.stubGlobal("HTMLButtonElement", class {});
    vi.stubGlobal("document", {
      querySelector: () => null,
      addEventListener: (_: string, listener: typeof press) => (press = listener),
    });
    const page = new Proxy({} as PageActions, {
      get: (_, name) => (...details: unknown[]) => done.push([name, ...details].join(" ")),
    });
    listen({ node: {} } as Analysis, page);
  });
  afterEach(() => void vi.unstubAllGlobals());

  it("calls its action", () => {
    for (const key of ["f", "z", "i", "Escape"]) type(key);
    expect(done).toEqual(["flip", "zen", "nextJudged inaccuracy", "cancelAll"]);
  });

  it("may be another one with shift", () => {
    type("I", { shiftKey: true });
    expect(done).toEqual(["toggleInline"]);
  });

  it("is the browser's with a modifier", () => {
    type("z", { ctrlKey: true });
    expect(done).toEqual([]);
  });
});
