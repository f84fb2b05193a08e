/** Glyphs behind a move. */
import { expect, it } from "vitest";
import { nagText, POSITION_NAGS } from "./nags.ts";

it("writes move glyphs, then position glyphs, others as numbers", () => {
  expect(nagText([1, 14, 99])).toBe("! +/= $99");
});

it("uses only glyphs that common fonts contain", () => {
  // Not those of the block "Supplemental Mathematical Operators".
  expect(POSITION_NAGS.filter(([, text]) => /[\u2a00-\u2aff]/.test(text))).toEqual([]);
});
