import { expect, it } from "vitest";
import { bonusOf, comboProgress } from "./score.ts";

it("adds time after 5, 12, 20, 30 right moves, then every ten", () => {
  const bonuses = Array.from({ length: 61 }, (_, combo) => [combo, bonusOf(combo)]).filter(([, ms]) => ms !== 0);
  expect(bonuses).toEqual([[5, 3_000], [12, 5_000], [20, 7_000], [30, 10_000], [40, 10_000], [50, 10_000], [60, 10_000]]);
});

it("shows how far the next bonus is", () => {
  expect([0, 4, 5, 12, 16, 35].map(comboProgress)).toEqual([0, 0.8, 0, 0, 0.5, 0.5]);
});
