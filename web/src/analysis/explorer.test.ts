import { describe, expect, it } from "vitest";
import { NO_FILTER, percentages, queryOf, scoreOf } from "./explorer.ts";

describe("explorer", () => {
  it("builds the query for all games and for each filter", () => {
    expect(queryOf("8 w", NO_FILTER, 0)).toBe("fen=8+w");
    expect(queryOf("8 w", { ...NO_FILTER, games: "site" }, 5)).toBe("fen=8+w&games=site");
    const filter = { ...NO_FILTER, rated: true, speed: "blitz", least: 1400, most: 1600, months: 1 } as const;
    const query = new URLSearchParams(queryOf("8 w", filter, 1e13));
    expect([query.get("rated"), query.get("speed"), query.get("rating_min"), query.get("rating_max")]).toEqual(["true", "blitz", "1400", "1600"]);
    expect(1e13 - Number(query.get("since"))).toBeGreaterThan(29 * 24 * 3600_000);
  });

  it("computes result percentages and the score", () => {
    expect(percentages({ white: 1, draws: 1, black: 1 })).toEqual([33, 33, 34]);
    expect(percentages({ white: 0, draws: 0, black: 0 })).toBeNull();
    expect(percentages({ white: 199, draws: 1, black: 0 })).toEqual([100, 1, 0]);
    expect(scoreOf({ white: 1, draws: 2, black: 1 })).toBe(50);
    expect(scoreOf({ white: 0, draws: 0, black: 0 })).toBe(0);
  });
});
