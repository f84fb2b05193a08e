/** Parses typed lines: commands, and moves for the server to read. */

/** The longest move that the server reads. */
export const LONGEST = 40;

export const WORDS = [
  "draw",
  "resign",
  "takeback",
  "abort",
  "clock",
  "last",
  "accept",
  "decline",
  "claim",
  "rematch",
  "flip",
  "help",
  "cancel",
] as const;

export type Word = (typeof WORDS)[number];
export type Typed = { kind: "word"; word: Word } | { kind: "move"; text: string } | null;

/** Synonyms and German commands. */
const SHORT: Readonly<Record<string, Word>> = {
  yes: "accept",
  no: "decline",
  undo: "takeback",
  "?": "help",
  remis: "draw",
  aufgeben: "resign",
  zurück: "takeback",
  rücknahme: "takeback",
  uhr: "clock",
  uhren: "clock",
  letzter: "last",
  "letzter zug": "last",
  ja: "accept",
  annehmen: "accept",
  nein: "decline",
  ablehnen: "decline",
  verlangen: "claim",
  revanche: "rematch",
  drehen: "flip",
  hilfe: "help",
  aufheben: "cancel",
  abbrechen: "cancel",
};

/** Parses a line; null for an empty one. */
export function read(line: string): Typed {
  const text = line.trim();
  if (text === "") return null;
  const lower = text.toLowerCase();
  const word = SHORT[lower] ?? WORDS.find((known) => known === lower);
  if (word) return { kind: "word", word };
  return { kind: "move", text: castling(text) };
}

/** Castling may be typed with zeros. */
function castling(text: string): string {
  return /^0-0(-0)?[+#]?$/.test(text) || /^o-o(-o)?[+#]?$/.test(text) ? text.replace(/[0o]/g, "O") : text;
}
