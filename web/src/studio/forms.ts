/**
 * Forms: changes of the drawn parts of a variant file (the board, the start, joined edges, pictures of pieces) as changes of
 * its text. Unchanged parts stay as written, comments too. Not here: the forms on screen.
 */

/** A part of a text, and where it begins. */
interface TextSpan {
  from: number;
  text: string;
}

/** A cell of the board's drawing, from the top left. */
export interface Cell {
  column: number;
  row: number;
}

/** The rows of the board's drawing, the last rank first; null if the file has none of its own. */
export function boardRows(text: string): TextSpan[] | null {
  const table = /^[ \t]*\[board\][ \t]*(?:#.*)?$/m.exec(text);
  if (!table) return null;
  const rest = text.slice(table.index);
  const drawing = /^[ \t]*squares\s*=\s*("""|''')([\s\S]*?)\1/m.exec(rest);
  const next = /^[ \t]*\[(?!board\])/m.exec(rest);
  if (!drawing || (next && next.index < drawing.index)) return null;
  const content = drawing[2] ?? "";
  let from = table.index + drawing.index + drawing[0].length - content.length - 3;
  const rows: TextSpan[] = [];
  for (const line of content.split("\n")) {
    const row = line.trim();
    if (row !== "") rows.push({ from: from + line.indexOf(row), text: row });
    from += line.length + 1;
  }
  const width = rows[0]?.text.length ?? 0;
  return width > 0 && rows.every((row) => row.text.length === width && /^[.*]+$/.test(row.text)) ? rows : null;
}

/** A board as it is drawn in a file, the last rank first, by the names of its squares. */
export function drawingOf(files: number, ranks: number, names: ReadonlySet<string>): string {
  const row = (rank: number): string =>
    Array.from({ length: files }, (_, file) => (names.has(`${String.fromCharCode(97 + file)}${rank}`) ? "." : "*")).join("");
  return Array.from({ length: ranks }, (_, at) => row(ranks - at)).join("\n");
}

/**
 * Writes the board of the game that a file extends into the file, so that it can be drawn. Also writes the start where the
 * file has none; of several starts it is the first.
 */
export function insertBoard(text: string, drawing: string, fen: string): string {
  const squares = `squares = """\n${drawing}\n"""\n`;
  const table = /^[ \t]*\[board\][^\n]*\n?/m.exec(text);
  const ended = text.endsWith("\n") ? text : `${text}\n`;
  const insertAt = table && table.index + table[0].trimEnd().length + 1;
  const result = insertAt ? replaced(ended, insertAt, insertAt, squares) : `${ended}\n[board]\n${squares}`;
  return startFen(text) ? result : `${result}\n[start]\nfen = "${fen}"\n`;
}

/** The first starting position of the file. */
function startFen(text: string): TextSpan | null {
  const match = /^[ \t]*(?:fen|start)[ \t]*=[ \t]*"([^"\n]*)"/m.exec(text);
  return match ? { from: match.index + match[0].length - (match[1] ?? "").length - 1, text: match[1] ?? "" } : null;
}

/** The cells of a FEN, row by row: a letter, `*` for a hole, empty; null if it is written otherwise. */
function cellsOf(fen: string): string[][] | null {
  const rows = (fen.split(" ")[0] ?? "").split("/").map((row) => {
    const cells: string[] = [];
    for (const [token] of row.matchAll(/\d+|[^\d]/g)) {
      if (/\d/.test(token)) cells.push(...Array.from({ length: Math.min(Number(token), 32) }, () => ""));
      else cells.push(token);
    }
    return cells;
  });
  const isPlain = rows.every((row) => row.length === rows[0]?.length && row.every((cell) => /^[A-Za-z*]?$/.test(cell)));
  return isPlain ? rows : null;
}

function fenOf(rows: readonly string[][]): string {
  const row = (cells: readonly string[]): string => {
    let [row, empty] = ["", 0];
    for (const cell of cells) {
      if (cell === "") empty += 1;
      else {
        row += `${empty || ""}${cell}`;
        empty = 0;
      }
    }
    return `${row}${empty || ""}`;
  };
  return rows.map(row).join("/");
}

/** The cells of the first start; null if it cannot be changed here. */
export function startCells(text: string): string[][] | null {
  const fen = startFen(text);
  return fen && cellsOf(fen.text);
}

const replaced = (text: string, from: number, to: number, insert: string): string => text.slice(0, from) + insert + text.slice(to);

function withCells(text: string, cells: readonly string[][]): string {
  const fen = startFen(text);
  if (!fen) return text;
  const placement = fen.text.split(" ")[0] ?? "";
  return replaced(text, fen.from, fen.from + placement.length, fenOf(cells));
}

/** The cell on Black's side that a cell of White's is laid on. */
export function mirrored(text: string, { column, row }: Cell, width: number, height: number): Cell | null {
  const [right, bottom] = [width - 1, height - 1];
  const images: Readonly<Record<string, Cell>> = {
    turn: { column: right - column, row: bottom - row },
    "mirror-ranks": { column, row: bottom - row },
    "mirror-files": { column: right - column, row },
    "mirror-rising": { column: bottom - row, row: right - column },
    "mirror-falling": { column: row, row: column },
  };
  const symmetry = /^[ \t]*symmetry[ \t]*=[ \t]*"([^"\n]*)"/m.exec(text)?.[1] ?? "mirror-ranks";
  const image = images[symmetry];
  return image && image.column >= 0 && image.column <= right && image.row >= 0 && image.row <= bottom ? image : null;
}

/** Makes a square a hole, or a hole a square, with its image on the other side; pieces in the start make room. */
export function toggleHole(text: string, cell: Cell): string {
  const rows = boardRows(text);
  const row = rows?.[cell.row];
  if (!rows || !row) return text;
  const mark = row.text[cell.column] === "." ? "*" : ".";
  const image = mirrored(text, cell, row.text.length, rows.length);
  const changed = [cell, ...(image ? [image] : [])];
  // Before the drawing, whose position it may move.
  const start = startFen(text);
  let result = text;
  for (const { column, row: at } of changed) {
    const part = rows[at];
    if (part) result = replaced(result, part.from + column, part.from + column + 1, mark);
  }
  const cells = start && cellsOf(start.text);
  if (!cells || cells.length !== rows.length || cells[0]?.length !== row.text.length) return result;
  for (const { column, row: at } of changed) {
    const line = cells[at];
    if (line) line[column] = mark === "*" ? "*" : "";
  }
  return withCells(result, cells);
}

const otherColor = (letter: string): string =>
  letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();

/** Puts a piece (a letter as in FEN; empty for none) on a square of the start, and the opponent's on its image. */
export function placePiece(text: string, cell: Cell, letter: string, both: boolean): string {
  const cells = startCells(text);
  const width = cells?.[0]?.length ?? 0;
  if (!cells || cells[cell.row]?.[cell.column] === undefined || cells[cell.row]?.[cell.column] === "*") return text;
  const setCell = ({ column, row }: Cell, letter: string): void => {
    const line = cells[row];
    if (line && line[column] !== "*") line[column] = letter;
  };
  const image = both ? mirrored(text, cell, width, cells.length) : null;
  if (image) setCell(image, otherColor(letter));
  setCell(cell, letter);
  return withCells(text, cells);
}

/** The table of a piece, by its letter, from its first line to the next table; null if the file has none. */
function roleTable(text: string, letter: string): TextSpan | null {
  const head = new RegExp(`^[ \\t]*\\[roles\\.${letter}\\][ \\t]*(?:#.*)?\\n?`, "m").exec(text);
  if (!head) return null;
  const from = head.index + head[0].length;
  const next = /^[ \t]*\[/m.exec(text.slice(from));
  return { from, text: text.slice(from, next ? from + next.index : text.length) };
}

const PICTURE = /^([ \t]*picture[ \t]*=[ \t]*)(?:"[^"\n]*"|'[^'\n]*')[ \t]*(?:#.*)?\n?/m;

/**
 * Names the picture of a piece (empty: its letter): changes the key, or adds it to the piece's table. A file that extends a
 * game gets a table where it has none; another one that writes its pieces otherwise is left as it is, and null is returned.
 */
export function setPicture(text: string, letter: string, name: string): string | null {
  const inherits = /^[ \t]*extends[ \t]*=/m.test(text);
  const table = roleTable(text, letter);
  if (!table) {
    if (!inherits) return null;
    const gap = text.endsWith("\n") ? "" : "\n";
    return `${text}${gap}\n[roles.${letter}]\npicture = "${name}"\n`;
  }
  const match = PICTURE.exec(table.text);
  if (match) {
    const from = table.from + match.index;
    if (name === "" && !inherits) return replaced(text, from, from + match[0].length, "");
    const value = from + (match[1] ?? "").length;
    const length = /^(?:"[^"\n]*"|'[^'\n]*')/.exec(text.slice(value))?.[0].length ?? 0;
    return replaced(text, value, value + length, `"${name}"`);
  }
  if (name === "" && !inherits) return text;
  const after = /^[ \t]*name[ \t]*=.*\n/m.exec(table.text);
  const at = table.from + (after ? after.index + after[0].length : 0);
  return replaced(text, at, at, `picture = "${name}"\n`);
}

export const WRAPS = ["none", "files", "ranks", "both"] as const;
export type Wrap = (typeof WRAPS)[number];

const WRAP = /^([ \t]*wrap[ \t]*=[ \t]*)"([^"\n]*)"/m;

export function wrapOf(text: string): Wrap {
  const match = WRAP.exec(text)?.[2];
  return WRAPS.find((wrap) => wrap === match) ?? "none";
}

/** Joins edges: changes the word, or adds the key to the board's table. */
export function setWrap(text: string, wrap: Wrap): string {
  const match = WRAP.exec(text);
  if (match) {
    const from = match.index + (match[1] ?? "").length;
    return replaced(text, from, match.index + match[0].length, `"${wrap}"`);
  }
  const table = /^[ \t]*\[board\][^\n]*\n?/m.exec(text);
  if (!table) return text;
  const at = table.index + table[0].length;
  return replaced(text, at, at, `${table[0].endsWith("\n") ? "" : "\n"}wrap = "${wrap}"\n`);
}

/** Keys of a file's head that the form has. */
export type HeadKey = "name" | "author";

/** A key above the first table, and its text in quotes. */
function headSpan(text: string, key: string): TextSpan | null {
  const table = /^[ \t]*\[/m.exec(text)?.index ?? text.length;
  const match = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*("(?!"")(?:[^"\\\\\\n]|\\\\.)*")`, "m").exec(text.slice(0, table));
  const quoted = match?.[1];
  return match && quoted !== undefined ? { from: match.index + match[0].length - quoted.length, text: quoted } : null;
}

/** The text of a key of the head; empty if the file has none, null if it is written in a way that the form cannot change. */
export function headText(text: string, key: HeadKey): string | null {
  const span = headSpan(text, key);
  if (!span) return new RegExp(`^[ \\t]*${key}[ \\t]*=`, "m").test(text.split(/^[ \t]*\[/m)[0] ?? "") ? null : "";
  try {
    return JSON.parse(span.text) as string;
  } catch {
    return null;
  }
}

/** Changes a text of the head, or adds its key below the id. */
export function setHeadText(text: string, key: HeadKey, value: string): string {
  const quoted = JSON.stringify(value);
  const span = headSpan(text, key);
  if (span) return replaced(text, span.from, span.from + span.text.length, quoted);
  const id = /^[ \t]*id[ \t]*=[^\n]*\n/m.exec(text);
  const at = id ? id.index + id[0].length : 0;
  return replaced(text, at, at, `${key} = ${quoted}\n`);
}
