/** The pieces of a FEN, for boards; the server decides what is legal. */
import type { Board, Piece } from "../board/types.ts";

/** Most cached positions of each board: more than a long game has. */
const MAX_KEPT = 1_000;

/** What is looked up in a board for each of its positions, and the positions that have been read. */
interface Reader {
  squares: ReadonlyMap<string, number>;
  roles: ReadonlyMap<string, string>;
  positions: Map<string, readonly Piece[]>;
}

const readers = new WeakMap<Board, Reader>();

function readerOf(board: Board): Reader {
  const known = readers.get(board);
  if (known) return known;
  const reader: Reader = {
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
  const pieces = readPieces(reader, board.ranks, fen);
  reader.positions.set(fen, pieces);
  return pieces;
}

function readPieces({ squares, roles }: Reader, ranks: number, fen: string): Piece[] {
  const [placement = ""] = fen.split(" ");
  const pieces: Piece[] = [];
  placement.split("/").forEach((text, row) => {
    const rank = ranks - 1 - row;
    let file = 0;
    for (const [token] of text.matchAll(/\d+|./gu)) {
      if (/\d/.test(token)) {
        file += Number(token);
        continue;
      }
      const role = roles.get(token.toUpperCase());
      const square = squares.get(`${file},${rank}`);
      const color = token === token.toUpperCase() ? "white" : "black";
      if (role !== undefined && square !== undefined) pieces.push({ square, role, color });
      file += 1;
    }
  });
  return pieces;
}

/** The side to move. */
export const turnOf = (fen: string): "white" | "black" => (fen.split(/\s+/)[1] === "b" ? "black" : "white");
