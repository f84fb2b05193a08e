import { describe, expect, it } from "vitest";
import { labels } from "./cells.ts";
import { fixture, GAMES, squareNamed, plane } from "./fixtures.ts";
import { pieceSize } from "./piece_size.ts";
import type { Point, ViewName } from "./types.ts";

const VIEWS: ViewName[] = ["diamond", "square"];

const close = (a: Point, b: Point): void => {
  expect(a[0]).toBeCloseTo(b[0], 4);
  expect(a[1]).toBeCloseTo(b[1], 4);
};

describe.each([...GAMES, "cylinder", "fourplayerchess", "glinski"])("%s", (game) => {
  const { board } = fixture(game);

  it.each(VIEWS)("has the server's centers, turned for every viewer (%s)", (view) => {
    const { centers, width, height } = board.views[view];
    const shown = [0, 1, 2, 3].map((turns) => plane(board, { view, turns }));
    centers.forEach(([x, y], square) => {
      const expected: Point[] = [[x, y], [y, width - x], [width - x, height - y], [height - y, x]];
      shown.forEach((plane, turns) => close(plane.center(plane.placeOf(square)), expected[turns] ?? [0, 0]));
    });
  });

  it.each(VIEWS)("finds squares from points in cells, also repeated ones (%s)", (view) => {
    for (const turns of [0, 1, 2, 3]) {
      const shownPlane = plane(board, { view, turns });
      board.squares.forEach((_, square) => {
        for (const place of shownPlane.copies(square)) {
          for (const point of [shownPlane.center(place), ...shownPlane.polygon(place, 0.9)]) {
            expect(shownPlane.squareAt(shownPlane.placeAt(point) ?? { file: -9, rank: -9 })).toBe(square);
          }
        }
      });
    }
  });

  it.each(VIEWS)("labels each file and each rank once (%s)", (view) => {
    const texts = labels(plane(board, { view })).map((label) => label.text);
    expect(texts).toHaveLength(board.files + board.ranks);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each(VIEWS)("places coordinates outside the cells (%s)", (view) => {
    for (const turns of [0, 1, 2, 3]) {
      const shownPlane = plane(board, { view, turns });
      for (const { at, text } of labels(shownPlane)) {
        const place = shownPlane.placeAt(at);
        const cell = place && !shownPlane.wrapped ? shownPlane.squareAt(place) : null;
        expect(cell, `${text} at ${at}`).toBeNull();
      }
    }
  });
});

describe("a board of hexagons", () => {
  const { board } = fixture("glinski");
  const shownPlane = plane(board, { view: "diamond" });

  it("has cells with six corners, in three colors, unlike all around them", () => {
    expect(shownPlane.hasHexagons).toBe(true);
    const centers = board.squares.map((_, square) => shownPlane.center(shownPlane.placeOf(square)));
    centers.forEach(([x, y], square) => {
      const around = centers.flatMap(([otherX, otherY], other) => (other !== square && Math.hypot(otherX - x, otherY - y) < 1.1 ? [other] : []));
      expect(around.length).toBeGreaterThanOrEqual(3);
      for (const other of around) expect(shownPlane.shade(other)).not.toBe(shownPlane.shade(square));
    });
  });

  it("has squares in two colors when the board is turned", () => {
    const turned = plane(board);
    expect(turned.hasHexagons).toBe(false);
    expect(new Set(board.squares.map((_, square) => turned.shade(square)))).toEqual(new Set(["light", "dark"]));
  });
});

describe("a board without joined edges", () => {
  const { board } = fixture("diamond");

  it("has no squares in holes or beyond its edges", () => {
    const shownPlane = plane(board);
    expect(shownPlane.squareAt({ file: 0, rank: 0 })).toBeNull();
    expect(shownPlane.squareAt({ file: 4, rank: 4 })).toBeNull();
    expect(shownPlane.squareAt({ file: 4, rank: 0 })).toBe(squareNamed(board, "e1"));
    expect(shownPlane.squareAt({ file: 4, rank: 9 })).toBeNull();
    expect(shownPlane.placeAt([-3, 2])).toBeNull();
  });

  it("shows each square once", () => {
    const shownPlane = plane(board);
    for (const square of board.squares.keys()) expect(shownPlane.copies(square)).toHaveLength(1);
  });
});

describe("a torus", () => {
  const { board } = fixture("diamondring");

  it("repeats corners three times, edges once, the middle never", () => {
    const shownPlane = plane(board);
    const count = (name: string) => shownPlane.copies(squareNamed(board, name)).length;
    expect([count("a1"), count("l12"), count("a6"), count("f12"), count("f6")]).toEqual([4, 4, 2, 2, 1]);
  });

  it("shows squares of the opposite edge in the ring", () => {
    const shownPlane = plane(board);
    expect(shownPlane.squareAt({ file: -1, rank: 12 })).toBe(squareNamed(board, "l1"));
    expect(shownPlane.isRepeat({ file: -1, rank: 12 })).toBe(true);
    expect(shownPlane.isRepeat({ file: 0, rank: 11 })).toBe(false);
  });

  it("has the origin's square in its corner after scrolling", () => {
    const shownPlane = plane(board, { origin: { file: 3, rank: 11 } });
    expect(shownPlane.squareAt({ file: 0, rank: 0 })).toBe(squareNamed(board, "d12"));
    expect(shownPlane.placeOf(squareNamed(board, "d1"))).toEqual({ file: 0, rank: 1 });
    const texts = labels(shownPlane).map((label) => label.text);
    expect(texts.slice(0, 3)).toEqual(["d", "e", "f"]);
    expect(texts.slice(12, 14)).toEqual(["12", "1"]);
  });

  it("joins only files on a cylinder", () => {
    const round = fixture("cylinder").board;
    const shownPlane = plane(round);
    expect(shownPlane.squareAt({ file: -1, rank: 0 })).toBe(squareNamed(round, "h1"));
    expect(shownPlane.squareAt({ file: 0, rank: -1 })).toBeNull();
    expect(shownPlane.isVisible({ file: 0, rank: -1 })).toBe(false);
  });
});

describe("piece size", () => {
  it("fills a cell in the square view, fits in the diamond view", () => {
    const { views } = fixture("diamondback").board;
    expect(pieceSize(views.square.corners).size).toBeGreaterThan(0.95);
    expect(pieceSize(views.diamond.corners).size).toBeGreaterThan(0.6);
    expect(pieceSize(views.diamond.corners).size).toBeLessThan(1);
  });
});
