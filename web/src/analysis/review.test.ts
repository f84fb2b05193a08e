/** Reviews: the judgments of moves by side, and the time used. */
import { describe, expect, it } from "vitest";
import { incrementOf, timesOf } from "./graph.tsx";
import type { TreeNode } from "./tree.ts";
import { countOf, type GameReview, lessons, nextWithJudgment, playerOrSide, sideOf } from "./review.ts";

const move = (ply: number, judgment: "inaccuracy" | "mistake" | "blunder" | null) => ({
  ply,
  uci: `m${ply}`,
  san: `M${ply}`,
  score: { cp: 0 },
  winProbability: 0.5,
  best: { uci: "best", san: "Best", score: { cp: 50 }, line: [] },
  judgment,
});

const review = {
  fen: "8/8 w - - 0 1",
  moves: [move(1, null), move(2, "blunder"), move(3, "mistake"), move(4, "inaccuracy"), move(5, "mistake")],
} as unknown as GameReview;

describe("a review", () => {
  it("assigns each move to its side, also if Black moves first", () => {
    expect([1, 2, 3].map((ply) => sideOf(review, ply))).toEqual(["white", "black", "white"]);
    expect(sideOf({ ...review, fen: "8/8 b - - 0 1" }, 1)).toBe("black");
  });

  it("counts judgments by side, and wraps around to the next", () => {
    expect(countOf(review, "white", "mistake")).toBe(2);
    expect(countOf(review, "black", "mistake")).toBe(0);
    expect(nextWithJudgment(review, "mistake", 0)?.ply).toBe(3);
    expect(nextWithJudgment(review, "mistake", 3)?.ply).toBe(5);
    expect(nextWithJudgment(review, "mistake", 5)?.ply).toBe(3);
    expect(nextWithJudgment(review, "blunder", 0, "white")).toBe(null);
  });

  it("offers mistakes and blunders as lessons, not inaccuracies", () => {
    expect(lessons(review, "white").map(({ ply }) => ply)).toEqual([3, 5]);
    expect(lessons(review, "black").map(({ ply }) => ply)).toEqual([2]);
  });

  it("shows White and Black if the players have no names", () => {
    expect([playerOrSide("?", "white"), playerOrSide("", "black")]).toEqual(["White", "Black"]);
    expect([playerOrSide("Ann", "white"), playerOrSide("Guest 12", "black")]).toEqual(["Ann", "Guest 12"]);
  });
});

describe("time per move", () => {
  it("includes the increment", () => {
    const nodes = [68, 65, 70, 55, 60, 60].map((seconds) => ({ clockMs: seconds * 1_000 }) as TreeNode);
    expect(timesOf(nodes, incrementOf([{ name: "TimeControl", value: "60+10" }]))).toEqual([null, null, 8_000, 20_000, 20_000, 5_000]);
    expect(["600", "-", "1/86400", "40/7200:900+30"].map((value) => incrementOf([{ name: "TimeControl", value }]))).toEqual([0, 0, 0, 0]);
  });
});
