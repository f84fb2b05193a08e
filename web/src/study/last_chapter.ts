/** The chapter at which a reader left each study, in this browser. */

const KEY = "lozenge.chapters";
/** Studies that are remembered. */
const MAX_STUDIES = 50;

type Chapters = [study: string, chapter: string][];

function read(): Chapters {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? (stored as Chapters) : [];
  } catch {
    return [];
  }
}

/** Remembers the chapter that is open. */
export function keepChapter(study: string, chapter: string): void {
  const others = read().filter(([id]) => id !== study);
  try {
    localStorage.setItem(KEY, JSON.stringify([[study, chapter], ...others].slice(0, MAX_STUDIES)));
  } catch {
    // Without storage a study opens at its first chapter.
  }
}

/** The remembered chapter of a study, if it is still in its list. */
export function lastChapter(study: string, list: readonly { id: string }[]): string | null {
  const chapter = read().find(([id]) => id === study)?.[1];
  return list.some(({ id }) => id === chapter) ? (chapter ?? null) : null;
}
