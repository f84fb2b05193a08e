/** Parses typed lines: commands, and moves for the server to read. */

/** The longest move that the server reads. */
export const MAX_LENGTH = 40;

export const COMMANDS = [
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

export type CommandName = (typeof COMMANDS)[number];
export type TypedLine = { kind: "command"; command: CommandName } | { kind: "move"; text: string } | null;

/** Synonyms and German commands. */
const SYNONYMS: Readonly<Record<string, CommandName>> = {
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
export function parseLine(line: string): TypedLine {
  const text = line.trim();
  if (text === "") return null;
  const lower = text.toLowerCase();
  const command = SYNONYMS[lower] ?? COMMANDS.find((name) => name === lower);
  if (command) return { kind: "command", command };
  return { kind: "move", text: castling(text) };
}

/** Castling may be typed with zeros. */
function castling(text: string): string {
  return /^0-0(-0)?[+#]?$/.test(text) || /^o-o(-o)?[+#]?$/.test(text) ? text.replace(/[0o]/g, "O") : text;
}
