import { describe, expect, it } from "vitest";
import { rating, readProgress, withStars } from "./progress.ts";

describe("progress", () => {
  it("is empty when what is stored is something else", () => {
    for (const text of [null, "", "nonsense", "null", "7", "[]", '{"stars":7}', '{"stars":{"a":4,"b":"3","c":0}}', '{"game":{"level":1}}']) {
      expect(readProgress(text)).toEqual({ stars: {} });
    }
  });

  it("is read as it was stored", () => {
    const progress = { stars: { "board-1": 3, "piece-r-1": 1 }, game: { level: "game-1", id: "abc" } };
    expect(readProgress(JSON.stringify(progress))).toEqual(progress);
  });

  it("keeps the best number of stars", () => {
    const once = withStars({ stars: {} }, "board-1", 2);
    expect(withStars(once, "board-1", 1).stars).toEqual({ "board-1": 2 });
    expect(withStars(once, "board-1", 3).stars).toEqual({ "board-1": 3 });
  });
});

describe("stars", () => {
  it("are three for par, two for up to half as many moves again", () => {
    const rows = [
      [1, 1, 3],
      [2, 1, 2],
      [3, 1, 1],
      [4, 4, 3],
      [6, 4, 2],
      [7, 4, 1],
      [5, 3, 2],
      [6, 3, 1],
    ] as const;
    for (const [moves, par, stars] of rows) expect([moves, par, rating(moves, par)]).toEqual([moves, par, stars]);
  });
});
