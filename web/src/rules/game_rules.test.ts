import { describe, expect, it } from "vitest";
import { drawnSquare } from "./game_rules.ts";

describe("the moves of a piece", () => {
  it("are drawn on a usual square if they are the same everywhere", () => {
    expect(drawnSquare({ squares: [12] }, 3)).toBe(12);
    expect(drawnSquare({ squares: [12] }, null)).toBe(12);
  });

  it("are drawn on the piece's own square if they depend on it", () => {
    expect(drawnSquare({ squares: [12, 20] }, 3)).toBe(3);
    expect(drawnSquare({ squares: [12, 20] }, null)).toBe(12);
  });
});
