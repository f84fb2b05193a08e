/** Names, addresses and modes of studies and their chapters. */
import type { Schemas } from "../common/api.ts";
import { t } from "./texts.ts";

/** The name of a chapter; one without a name is numbered. */
export const chapterName = (list: readonly Schemas["ChapterSummary"][], id: string): string => {
  const index = list.findIndex((chapter) => chapter.id === id);
  const name = list[index]?.name ?? "";
  return name === "" ? t("chapter_number", { number: index + 1 }) : name;
};

/** The name of a language in itself. */
export const languageName = (code: string): string => new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;

export const pathOfChapter = (study: string, chapter: string): string => `/study/${study}/${chapter}`;

/** The id of a game from its address, or as it was typed. */
export const gameId = (text: string): string => /\/(?:game|analysis)\/([^/?#]+)/.exec(text)?.[1] ?? text.trim();

/** The tag of a chapter whose moves its readers find, as lichess writes it. */
export const MODE_TAG = "ChapterMode";
export const CONCEAL = "conceal";

export const conceals = (tags: readonly Schemas["Tag"][]): boolean =>
  tags.some(({ name, value }) => name === MODE_TAG && value === CONCEAL);
