/** What the board says in the page's language: other languages know each of its messages as `board.` and its key. */
import { ENGLISH, type Texts } from "../board/texts.ts";
import { learn, named, t } from "./texts.ts";

const PREFIX = "board.";

learn(named(PREFIX, ENGLISH));

/** The board's messages. Their places stay: it fills them itself. */
export function boardTexts(): Texts {
  return Object.fromEntries(Object.keys(ENGLISH).map((key) => [key, t(PREFIX + key)])) as Texts;
}
