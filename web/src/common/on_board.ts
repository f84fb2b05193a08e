/** What the board says in the page's language: other languages know each of its messages as `board.` and its key. */
import { ENGLISH, type Texts } from "../board/texts.ts";
import { learn, t } from "./texts.ts";

const keys = Object.keys(ENGLISH) as (keyof Texts)[];
const nameOf = (key: keyof Texts): string => `board.${key}`;

learn(Object.fromEntries(keys.map((key) => [nameOf(key), ENGLISH[key]])));

/** The board's messages. Their places stay: it fills them itself. */
export function boardTexts(): Texts {
  return Object.fromEntries(keys.map((key) => [key, t(nameOf(key))])) as Texts;
}
