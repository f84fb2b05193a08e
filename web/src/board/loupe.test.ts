import { describe, expect, it } from "vitest";
import { fixture, GAMES } from "./fixtures.ts";
import { placeLoupe } from "./loupe.ts";
import { needsLoupe } from "./small_squares.ts";

describe("the loupe", () => {
  it("is for boards of more than ten files or ranks", () => {
    expect(GAMES.filter((game) => needsLoupe(fixture(game).board))).toEqual(["diamondring"]);
  });

  it("stands above the finger, within the board's width", () => {
    expect(placeLoupe([200, 300], 390, 100)).toEqual([132, 120]);
    expect(placeLoupe([10, 300], 390, 100)).toEqual([0, 120]);
    expect(placeLoupe([385, 300], 390, 100)).toEqual([254, 120]);
  });

  it("stands beside the finger where the window ends above it", () => {
    expect(placeLoupe([100, 60], 390, 100)).toEqual([144, -8]);
    expect(placeLoupe([300, 60], 390, 100)).toEqual([120, -8]);
    expect(placeLoupe([300, 30], 390, 20)).toEqual([120, -20]);
  });
});
