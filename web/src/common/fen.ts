/** The pieces of a FEN, for boards; the server decides what is legal. */
import { isMulti } from "../board/colors.ts";
import type { Board, Color, Piece, PieceColor, WhiteOrBlack } from "../board/types.ts";

/** Most cached positions of each board: more than a long game has. */
const MAX_KEPT = 1_000;

/** Lookup tables for reading positions of one board, and a cache of those read. */
interface FenReader {
  squares: ReadonlyMap<string, number>;
  roles: ReadonlyMap<string, string>;
  positions: Map<string, readonly Piece[]>;
}

const readers = new WeakMap<Board, FenReader>();

function readerOf(board: Board): FenReader {
  const known = readers.get(board);
  if (known) return known;
  const reader: FenReader = {
    squares: new Map(board.squares.map(({ file, rank }, index) => [`${file},${rank}`, index])),
    roles: new Map(board.roles.map((role) => [role.letter.toUpperCase(), role.id])),
    positions: new Map(),
  };
  readers.set(board, reader);
  return reader;
}

/** The pieces of a FEN. The same text gives the same array, so that an element that is given it again does not redraw it. */
export function piecesOf(board: Board, fen: string): readonly Piece[] {
  const reader = readerOf(board);
  const known = reader.positions.get(fen);
  if (known) return known;
  if (reader.positions.size >= MAX_KEPT) reader.positions.clear();
  const pieces = readPieces(reader, board, fen);
  reader.positions.set(fen, pieces);
  return pieces;
}

/** The owners of pieces, by their letters in games of three and four. */
const OWNERS: Readonly<Record<string, PieceColor>> = { r: "red", b: "blue", y: "yellow", g: "green", d: "dead" };

/** The owner and the letter of a piece. In games of four the owner's letter stands before it, else case tells white from black. */
function readPiece(token: string, players: number | undefined): [owner: PieceColor, letter: string] {
  const [owner = "", letter = ""] = token;
  if (isMulti(players)) return [OWNERS[owner] ?? "dead", letter];
  return [token === token.toUpperCase() ? "white" : "black", token.toUpperCase()];
}

function readPieces({ squares, roles }: FenReader, { ranks, players }: Board, fen: string): Piece[] {
  const [placement = ""] = fen.split(" ");
  const pieces: Piece[] = [];
  placement.split("/").forEach((text, row) => {
    const rank = ranks - 1 - row;
    let file = 0;
    for (const [token] of text.matchAll(isMulti(players) ? /\d+|[a-z]?./gu : /\d+|./gu)) {
      if (/\d/.test(token)) {
        file += Number(token);
        continue;
      }
      const [color, letter] = readPiece(token, players);
      const role = roles.get(letter);
      const square = squares.get(`${file},${rank}`);
      if (role !== undefined && square !== undefined) pieces.push({ square, role, color });
      file += 1;
    }
  });
  return pieces;
}

/** The colors to move by their letters: the four in FENs that end with the living and the eliminated players. */
const MOVERS: Readonly<Record<string, Color>> = { r: "red", b: "blue", y: "yellow", g: "green" };
const FOUR_FEN = /\s([rbyg]+)(\/[rbyg]+)?\s*$/;

/** The living players of a position of four, in the order of turns; null with two. */
export function livingOf(fen: string): readonly Color[] | null {
  const letters = FOUR_FEN.exec(fen)?.[1];
  return letters === undefined ? null : [...letters].map((letter) => MOVERS[letter] ?? "red");
}

/** The players of a position of three or four who are out, the first one first. */
export const outOf = (fen: string): Color[] => [...(FOUR_FEN.exec(fen)?.[2] ?? "").slice(1)].map((letter) => MOVERS[letter] ?? "red");

/** The letter of a color in FEN, as the owner of a piece or the player to move. */
export const letterOf = (color: PieceColor): string => color.charAt(0);

/** How many play, by a FEN. */
export function playersOf(fen: string): number {
  const [, living, out = ""] = FOUR_FEN.exec(fen) ?? [];
  return living === undefined ? 2 : `${living}${out}`.replace("/", "").length;
}

/** The side to move. */
export function turnOf(fen: string): Color {
  const mover = fen.split(/\s+/)[1] ?? "";
  if (FOUR_FEN.test(fen)) return MOVERS[mover] ?? "red";
  return moverOf(fen);
}

/** The side to move in a game of two players. */
export const moverOf = (fen: string): WhiteOrBlack => (fen.split(/\s+/)[1] === "b" ? "black" : "white");
