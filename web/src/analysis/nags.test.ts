/** Glyphs behind a move. */
import { expect, it } from "vitest";
import { nagText, POSITION_NAGS, POSITION_NAGS_OF_FOUR } from "./nags.ts";
import { t, type Text } from "./texts.ts";

it("writes move glyphs, then position glyphs, others as numbers", () => {
  expect(nagText([1, 14, 99])).toBe("! +/= $99");
});

it("offers no glyphs about White and Black with four players", () => {
  expect(POSITION_NAGS_OF_FOUR.map(([nag]) => nag)).toEqual([10, 13]);
  for (const [nag] of POSITION_NAGS_OF_FOUR) expect(t(`nag_${nag}` as Text)).not.toMatch(/White|Black/);
});

it("uses only glyphs that common fonts contain", () => {
  // Not those of the block "Supplemental Mathematical Operators".
  expect(POSITION_NAGS.filter(([, text]) => /[\u2a00-\u2aff]/.test(text))).toEqual([]);
});
