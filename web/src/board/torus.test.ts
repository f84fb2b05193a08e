import { describe, expect, it } from "vitest";
import { fixture, squareNamed, plane } from "./fixtures.ts";
import { windowOutline } from "./cells.ts";
import { campShifts, startOrigin, ScrollOffset, scrollStep, shortestStep, visibleSpans } from "./torus.ts";

const { board } = fixture("diamondring");
const flat = fixture("diagonal").board;

describe("the shortest step", () => {
  it.each([
    ["a1", "c1", 2, 0],
    ["a1", "l1", -1, 0],
    ["l12", "a1", 1, 1],
    ["b11", "k2", -3, 3],
    // Half way round both are equal: straight.
    ["a1", "g1", 6, 0],
    ["g1", "a1", -6, 0],
    ["a1", "h1", -5, 0],
  ])("from %s to %s is %i files and %i ranks", (from, to, file, rank) => {
    expect(shortestStep(plane(board), squareNamed(board, from), squareNamed(board, to))).toEqual({ file, rank });
  });

  it("is direct on a board without joined edges", () => {
    expect(shortestStep(plane(flat), squareNamed(flat, "a1"), squareNamed(flat, "h8"))).toEqual({ file: 7, rank: 7 });
  });

  it("is at most half the period, wherever the board is scrolled", () => {
    for (const origin of [
      { file: 0, rank: 0 },
      { file: 5, rank: 11 },
    ]) {
      const shownPlane = plane(board, { origin });
      for (const from of board.squares.keys()) {
        for (const to of board.squares.keys()) {
          const step = shortestStep(shownPlane, from, to);
          expect(Math.abs(step.file)).toBeLessThanOrEqual(6);
          expect(Math.abs(step.rank)).toBeLessThanOrEqual(6);
          const start = shownPlane.placeOf(from);
          const end = { file: start.file + step.file, rank: start.rank + step.rank };
          if (shownPlane.squareAt(end) !== to) throw new Error(`${from} to ${to} arrives elsewhere`);
        }
      }
    }
  });
});

describe("visibleSpans", () => {
  it("shows a move across an edge at both edges", () => {
    const shownPlane = plane(board);
    const found = visibleSpans(shownPlane, squareNamed(board, "l6"), { file: 1, rank: 0 });
    expect(found).toContainEqual([
      { file: 11, rank: 5 },
      { file: 12, rank: 5 },
    ]);
    expect(found).toContainEqual([
      { file: -1, rank: 5 },
      { file: 0, rank: 5 },
    ]);
    expect(found).toHaveLength(2);
  });

  it("shows a move once on a board without joined edges", () => {
    expect(visibleSpans(plane(flat), squareNamed(flat, "a1"), { file: 1, rank: 0 })).toHaveLength(1);
  });
});

describe("scrolling", () => {
  it("wraps around and rounds to whole squares", () => {
    const scroll = new ScrollOffset(board);
    scroll.moveBy({ file: -0.3, rank: 0 });
    expect(scroll.origin).toEqual({ file: 0, rank: 0 });
    expect(scroll.fraction.file).toBeCloseTo(-0.3);
    scroll.moveBy({ file: -0.3, rank: 0.2 });
    expect(scroll.origin).toEqual({ file: 1, rank: 0 });
    expect(scroll.fraction.file).toBeCloseTo(0.4);
    expect(scroll.fraction.rank).toBeCloseTo(0.2);
    scroll.round();
    expect([scroll.fraction.file, scroll.fraction.rank].map(Math.abs)).toEqual([0, 0]);
    scroll.moveBy({ file: 13, rank: 1 });
    expect(scroll.origin).toEqual({ file: 0, rank: 11 });
  });

  it("does not move along edges that are not joined", () => {
    const scroll = new ScrollOffset(fixture("cylinder").board);
    scroll.moveBy({ file: 2, rank: 2 });
    expect(scroll.origin).toEqual({ file: 6, rank: 0 });
  });

  it("steps in the given direction on the page", () => {
    expect(scrollStep(plane(board), [0, -1])).toEqual({ file: 0, rank: 1 });
    expect(scrollStep(plane(board), [1, 0])).toEqual({ file: 1, rank: 0 });
    expect(scrollStep(plane(board, { view: "diamond" }), [0, -1])).toEqual({ file: 1, rank: 1 });
    expect(scrollStep(plane(board, { view: "diamond", turns: 2 }), [0, -1])).toEqual({
      file: -1,
      rank: -1,
    });
  });
});

describe("the initial scroll position of a torus", () => {
  const { board: cells, state } = fixture("diamondring");
  const home = startOrigin(cells, state.pieces);
  const shifts = campShifts(cells, state.pieces, home, 1);

  it.each([
    ["diamond", 0],
    ["diamond", 2],
    ["square", 0],
    ["square", 2],
  ] as const)("keeps camps whole, one's own at the bottom (%s, turns: %s)", (view, turns) => {
    const shownPlane = plane(cells, { view, turns, origin: home, shifts });
    const camp = (color: string) =>
      state.pieces.filter((piece) => piece.color === color).map(({ square }) => shownPlane.placeOf(square));
    for (const color of ["white", "black"]) {
      const [files, ranks] = [camp(color).map(({ file }) => file), camp(color).map(({ rank }) => rank)];
      // Eight by eight, in one piece.
      expect(Math.max(...files) - Math.min(...files)).toBe(7);
      expect(Math.max(...ranks) - Math.min(...ranks)).toBe(7);
      expect(camp(color).every((place) => shownPlane.isVisible(place) && !shownPlane.isRepeat(place))).toBe(true);
    }
    const height = (color: string) =>
      camp(color).reduce((total, place) => total + shownPlane.center(place)[1], 0) / camp(color).length;
    const [own, facing] = turns === 2 ? ["black", "white"] : ["white", "black"];
    expect(height(own ?? "")).toBeGreaterThan(height(facing ?? "") + 3);
  });

  it("shows every square once within one outline", () => {
    const shownPlane = plane(cells, { origin: home, shifts });
    const own = shownPlane.places().filter((place) => !shownPlane.isRepeat(place));
    expect(new Set(own.map((place) => shownPlane.squareAt(place))).size).toBe(cells.squares.length);
    expect(own).toHaveLength(cells.squares.length);
    expect(windowOutline(shownPlane)).toHaveLength(1);
  });

  it("does not shift a cylinder whose camps go all the way around", () => {
    const { board: tube, state: start } = fixture("cylinder");
    expect(startOrigin(tube, start.pieces)).toEqual({ file: 0, rank: 0 });
    expect(campShifts(tube, start.pieces, { file: 0, rank: 0 }, 1).size).toBe(0);
  });
});
