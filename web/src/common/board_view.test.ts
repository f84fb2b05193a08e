import { beforeEach, describe, expect, it, vi } from "vitest";
import { keepView, viewOf } from "./board_view.ts";

describe("board view", () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
  });

  it("is the game's until the player turns the board, and back", () => {
    expect(viewOf("diamondring", "diamond")).toBe("diamond");
    keepView("diamondring", "diamond", "square");
    expect(viewOf("diamondring", "diamond")).toBe("square");
    expect(viewOf("diamond", "diamond")).toBe("diamond");
    keepView("diamondring", "diamond", "diamond");
    // Nothing is stored that a later version of the game could contradict.
    expect(viewOf("diamondring", "square")).toBe("square");
  });
});
