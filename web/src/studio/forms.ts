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

/** Whether a FEN is one of three or four players: a piece is two letters, the first of them its owner's. */
function hasOwners(fen: string): boolean {
  const fields = fen.trim().split(/\s+/);
  return /^[rbyg]$/.test(fields[1] ?? "") && /^[rbyg]+(\/[rbyg]*)?$/.test(fields[6] ?? "");
}

/** The cells of a FEN, row by row: a piece as in FEN, `*` for a hole, empty; null if it is written otherwise. */
function cellsOf(fen: string): string[][] | null {
  const tokens = hasOwners(fen) ? /\d+|[rbygd][A-Z]|[^\d]/g : /\d+|[^\d]/g;
  const rows = (fen.split(" ")[0] ?? "").split("/").map((row) => {
    const cells: string[] = [];
    for (const [token] of row.matchAll(tokens)) {
      if (/\d/.test(token)) cells.push(...Array.from({ length: Math.min(Number(token), 32) }, () => ""));
      else cells.push(token);
    }
    return cells;
  });
  const isPlain = rows.every((row) => row.length === rows[0]?.length && row.every((cell) => /^(?:[A-Za-z*]|[rbygd][A-Z])?$/.test(cell)));
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

/** The cell that a symmetry lays a cell on; null if the file names no such symmetry, or the cell is off the board. */
function imageOf(symmetry: string, { column, row }: Cell, width: number, height: number): Cell | null {
  const [right, bottom] = [width - 1, height - 1];
  const images: Readonly<Record<string, Cell>> = {
    turn: { column: right - column, row: bottom - row },
    "mirror-ranks": { column, row: bottom - row },
    "mirror-files": { column: right - column, row },
    "mirror-rising": { column: bottom - row, row: right - column },
    "mirror-falling": { column: row, row: column },
  };
  const image = images[symmetry];
  return image && image.column >= 0 && image.column <= right && image.row >= 0 && image.row <= bottom ? image : null;
}

/** The cell on Black's side that a cell of White's is laid on. */
export function mirrored(text: string, cell: Cell, width: number, height: number): Cell | null {
  const symmetry = /^[ \t]*symmetry[ \t]*=[ \t]*"([^"\n]*)"/m.exec(text)?.[1] ?? "mirror-ranks";
  return imageOf(symmetry, cell, width, height);
}

/** The symmetry that lays Red's side onto a player's, by the letter of the player; Red has none. */
function seatSymmetries(text: string): ReadonlyMap<string, string> {
  const table = /^[ \t]*\[seats\][^\n]*\n((?:[ \t]*(?!\[)[^\n]*\n?)*)/m.exec(text)?.[1] ?? "";
  const found = [...table.matchAll(/^[ \t]*(blue|yellow|green)[ \t]*=[ \t]*"([^"\n]*)"/gm)];
  return new Map(found.map(([, seat = "", symmetry = ""]) => [seat.charAt(0), symmetry]));
}

/** A cell, and all that the symmetries between the players lay it on. */
function orbit(text: string, cell: Cell, width: number, height: number): Cell[] {
  const ofSeats = [...seatSymmetries(text).values()];
  const isForTwo = ofSeats.length === 0 && !hasOwners(startFen(text)?.text ?? "");
  const found = [cell];
  // The list grows while it is read: an image has images.
  for (const one of found) {
    const images = isForTwo ? [mirrored(text, one, width, height)] : ofSeats.map((symmetry) => imageOf(symmetry, one, width, height));
    for (const image of images) {
      if (image && !found.some(({ column, row }) => column === image.column && row === image.row)) found.push(image);
    }
  }
  return found;
}

/** The pieces that the other players have where one has this piece on this cell, each on its cell. */
function counterparts(text: string, cell: Cell, piece: string, width: number, height: number): (readonly [Cell, string])[] {
  if (piece.length < 2) {
    const image = mirrored(text, cell, width, height);
    return image ? [[image, otherColor(piece)]] : [];
  }
  const symmetries = seatSymmetries(text);
  const owner = piece.charAt(0);
  // Each symmetry is its own inverse.
  const laid = (seat: string, from: Cell): Cell | null => (seat === "r" ? from : imageOf(symmetries.get(seat) ?? "", from, width, height));
  const ofRed = laid(owner, cell);
  const others = ["r", ...symmetries.keys()].filter((seat) => seat !== owner);
  return others.flatMap((seat) => {
    const image = ofRed && laid(seat, ofRed);
    return image ? [[image, seat + piece.slice(1)] as const] : [];
  });
}

/** Makes a square a hole, or a hole a square, with its image on the other side; pieces in the start make room. */
export function toggleHole(text: string, cell: Cell): string {
  const rows = boardRows(text);
  const row = rows?.[cell.row];
  if (!rows || !row) return text;
  const mark = row.text[cell.column] === "." ? "*" : ".";
  const changed = orbit(text, cell, row.text.length, rows.length);
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

/** Puts a piece (as in FEN; empty for none) on a square of the start, and those of the other players on its images. */
export function placePiece(text: string, cell: Cell, letter: string, both: boolean): string {
  const cells = startCells(text);
  const width = cells?.[0]?.length ?? 0;
  if (!cells || cells[cell.row]?.[cell.column] === undefined || cells[cell.row]?.[cell.column] === "*") return text;
  const setCell = ({ column, row }: Cell, letter: string): void => {
    const line = cells[row];
    if (line && line[column] !== "*") line[column] = letter;
  };
  // An emptied square is emptied for all players.
  const images = letter === "" ? orbit(text, cell, width, cells.length).map((image) => [image, ""] as const) : counterparts(text, cell, letter, width, cells.length);
  if (both) images.forEach(([image, piece]) => setCell(image, piece));
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
