/** Glyphs behind a move. */
import { expect, it } from "vitest";
import { nagText, POSITION_NAGS } from "./nags.ts";

it("writes glyphs of the move at the move, those of the position apart, others by number", () => {
  expect(nagText([1, 14, 99])).toBe("! +/= $99");
});

it("has only glyphs that common fonts have", () => {
  // Not those of the block "Supplemental Mathematical Operators".
  expect(POSITION_NAGS.filter(([, text]) => /[\u2a00-\u2aff]/.test(text))).toEqual([]);
});
