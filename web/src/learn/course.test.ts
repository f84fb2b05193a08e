import { describe, expect, it } from "vitest";
import { arrowsOf, type Course, levelsOf, nextUnsolved, totals } from "./course.ts";
import { level } from "./samples.ts";

const course: Course = {
  variant: "diamond",
  digest: "d",
  stages: [
    { id: "board", title: "The board", levels: [level({ id: "board-1" }), level({ id: "board-2" })] },
    { id: "check", title: "Check", levels: [level({ id: "check-1" })] },
  ],
};

describe("a course", () => {
  const levels = levelsOf(course);
  const next = (stars: Record<string, number>, from?: number): string | undefined => nextUnsolved(levels, stars, from)?.level.id;

  it("numbers its levels through all stages", () => {
    expect(levels.map(({ index, level, stage }) => [index, level.id, stage.id])).toEqual([
      [0, "board-1", "board"],
      [1, "board-2", "board"],
      [2, "check-1", "check"],
    ]);
  });

  it("goes on with the next unsolved level, then skipped ones", () => {
    expect(next({})).toBe("board-1");
    expect(next({ "board-1": 3 })).toBe("board-2");
    expect(next({ "board-2": 3 }, 1)).toBe("check-1");
    expect(next({ "board-2": 3, "check-1": 1 }, 2)).toBe("board-1");
    expect(next({ "board-1": 1, "board-2": 3, "check-1": 1 })).toBeUndefined();
  });

  it("adds up what is solved, without levels of another version", () => {
    expect(totals(levels, { "board-1": 3, "check-1": 1, gone: 3 })).toEqual({ solved: 2, stars: 4 });
  });
});

describe("arrows", () => {
  const tour = level({ solution: ["a1a3", "a3c3", "c3c4q"] });

  it("show what is left of the way", () => {
    expect(arrowsOf(tour, [])).toEqual([["a1", "a3"], ["a3", "c3"], ["c3", "c4"]]);
    expect(arrowsOf(tour, ["a1a3", "a3c3"])).toEqual([["c3", "c4"]]);
    expect(arrowsOf(level({ solution: ["l12a10"] }), [])).toEqual([["l12", "a10"]]);
  });

  it("do not exist where the attempt has left the way", () => {
    expect(arrowsOf(tour, ["a1a2"])).toEqual([]);
  });
});
