import { describe, expect, it } from "vitest";
import { labels } from "./cells.ts";
import { fixture, GAMES, named, plane } from "./fixtures.ts";
import { pieceSize } from "./piece_size.ts";
import type { Point, ViewName } from "./types.ts";

const VIEWS: ViewName[] = ["diamond", "square"];

const close = (a: Point, b: Point): void => {
  expect(a[0]).toBeCloseTo(b[0], 4);
  expect(a[1]).toBeCloseTo(b[1], 4);
};

describe.each([...GAMES, "cylinder"])("%s", (game) => {
  const { board } = fixture(game);

  it.each(VIEWS)("stands where the program draws it, and turned when flipped (%s)", (view) => {
    const { centers, width, height } = board.views[view];
    const [white, black] = [plane(board, { view }), plane(board, { view, flipped: true })];
    centers.forEach((center, square) => {
      close(white.center(white.placeOf(square)), center);
      close(black.center(black.placeOf(square)), [width - center[0], height - center[1]]);
    });
  });

  it.each(VIEWS)("finds every square by a point of its cell, repeated cells too (%s)", (view) => {
    for (const flipped of [false, true]) {
      const seen = plane(board, { view, flipped });
      board.squares.forEach((_, square) => {
        for (const place of seen.copies(square)) {
          for (const point of [seen.center(place), ...seen.polygon(place, 0.9)]) {
            expect(seen.squareAt(seen.placeAt(point) ?? { file: -9, rank: -9 })).toBe(square);
          }
        }
      });
    }
  });

  it.each(VIEWS)("names each file and each rank once along the edge (%s)", (view) => {
    const texts = labels(plane(board, { view })).map((label) => label.text);
    expect(texts).toHaveLength(board.files + board.ranks);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each(VIEWS)("keeps coordinates off the cells (%s)", (view) => {
    for (const flipped of [false, true]) {
      const seen = plane(board, { view, flipped });
      for (const { at, text } of labels(seen)) {
        const place = seen.placeAt(at);
        const cell = place && !seen.wrapped ? seen.squareAt(place) : null;
        expect(cell, `${text} at ${at}`).toBeNull();
      }
    }
  });
});

describe("a board that ends", () => {
  const { board } = fixture("diamond");

  it("has no squares in holes or beyond its edges", () => {
    const seen = plane(board);
    expect(seen.squareAt({ file: 0, rank: 0 })).toBeNull();
    expect(seen.squareAt({ file: 4, rank: 4 })).toBeNull();
    expect(seen.squareAt({ file: 4, rank: 0 })).toBe(named(board, "e1"));
    expect(seen.squareAt({ file: 4, rank: 9 })).toBeNull();
    expect(seen.placeAt([-3, 2])).toBeNull();
  });

  it("shows every square once", () => {
    const seen = plane(board);
    for (const square of board.squares.keys()) expect(seen.copies(square)).toHaveLength(1);
  });
});

describe("a board without edges", () => {
  const { board } = fixture("diamondring");

  it("repeats corners three times, edges once and the middle not at all", () => {
    const seen = plane(board);
    const count = (name: string) => seen.copies(named(board, name)).length;
    expect([count("a1"), count("l12"), count("a6"), count("f12"), count("f6")]).toEqual([4, 4, 2, 2, 1]);
  });

  it("shows the other side in the ring", () => {
    const seen = plane(board);
    expect(seen.squareAt({ file: -1, rank: 12 })).toBe(named(board, "l1"));
    expect(seen.isRepeat({ file: -1, rank: 12 })).toBe(true);
    expect(seen.isRepeat({ file: 0, rank: 11 })).toBe(false);
  });

  it("scrolls: the square at the corner is the origin", () => {
    const seen = plane(board, { origin: { file: 3, rank: 11 } });
    expect(seen.squareAt({ file: 0, rank: 0 })).toBe(named(board, "d12"));
    expect(seen.placeOf(named(board, "d1"))).toEqual({ file: 0, rank: 1 });
    const texts = labels(seen).map((label) => label.text);
    expect(texts.slice(0, 3)).toEqual(["d", "e", "f"]);
    expect(texts.slice(12, 14)).toEqual(["12", "1"]);
  });

  it("joins only files on a cylinder", () => {
    const round = fixture("cylinder").board;
    const seen = plane(round);
    expect(seen.squareAt({ file: -1, rank: 0 })).toBe(named(round, "h1"));
    expect(seen.squareAt({ file: 0, rank: -1 })).toBeNull();
    expect(seen.isVisible({ file: 0, rank: -1 })).toBe(false);
  });
});

describe("the size of pieces", () => {
  it("fills a cell of the square view and fits into one of the diamond view", () => {
    const { views } = fixture("diamondback").board;
    expect(pieceSize(views.square.corners).size).toBeGreaterThan(0.95);
    expect(pieceSize(views.diamond.corners).size).toBeGreaterThan(0.6);
    expect(pieceSize(views.diamond.corners).size).toBeLessThan(1);
  });
});
