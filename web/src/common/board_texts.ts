/** The board's texts in the language of the page; the keys of their translations begin with `board.`. */
import { ENGLISH, type Texts } from "../board/texts.ts";
import { addTexts, t, withPrefix } from "./texts.ts";

const PREFIX = "board.";

addTexts(withPrefix(PREFIX, ENGLISH));

/** The board's texts, with their placeholders unfilled. */
export function boardTexts(): Texts {
  return Object.fromEntries(Object.keys(ENGLISH).map((key) => [key, t(PREFIX + key)])) as Texts;
}
