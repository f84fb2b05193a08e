import { beforeEach, describe, expect, it, vi } from "vitest";
import { keepView, viewOf } from "./board_view.ts";

const DIAMOND = { view: "diamond", files: 12, ranks: 12 } as const;
const onPhone = (matches: boolean) => vi.stubGlobal("matchMedia", () => ({ matches }));

describe("board view", () => {
  beforeEach(() => {
    onPhone(false);
    const kept = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
  });

  it("is the game's until the player turns the board, and back", () => {
    expect(viewOf("diamondring", DIAMOND)).toBe("diamond");
    keepView("diamondring", DIAMOND, "square");
    expect(viewOf("diamondring", DIAMOND)).toBe("square");
    expect(viewOf("diamond", DIAMOND)).toBe("diamond");
    keepView("diamondring", DIAMOND, "diamond");
    // Nothing is stored that a later version of the game could contradict.
    expect(viewOf("diamondring", { ...DIAMOND, view: "square" })).toBe("square");
  });

  it("has level ranks on a phone with small squares until the board is turned", () => {
    onPhone(true);
    expect(viewOf("diamondring", DIAMOND)).toBe("square");
    expect(viewOf("diamond", { ...DIAMOND, files: 9, ranks: 9 })).toBe("diamond");
    keepView("diamondring", DIAMOND, "diamond");
    expect(viewOf("diamondring", DIAMOND)).toBe("diamond");
    keepView("diamondring", DIAMOND, "square");
    onPhone(false);
    expect(viewOf("diamondring", DIAMOND)).toBe("diamond");
  });
});
