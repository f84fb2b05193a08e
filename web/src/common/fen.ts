/** The pieces of a FEN, for boards; the server decides what is legal. */
import type { Board, Piece } from "../board/types.ts";

/** The positions that are kept of each board: more than a long game has. */
const MAX_KEPT = 1_000;
const keptPositions = new WeakMap<Board, Map<string, readonly Piece[]>>();

/** The pieces of a FEN. The same text gives the same array, so that an element that is given it again does not redraw it. */
export function piecesOf(board: Board, fen: string): readonly Piece[] {
  const kept = keptPositions.get(board) ?? new Map<string, readonly Piece[]>();
  keptPositions.set(board, kept);
  const known = kept.get(fen);
  if (known) return known;
  if (kept.size >= MAX_KEPT) kept.clear();
  const pieces = readPieces(board, fen);
  kept.set(fen, pieces);
  return pieces;
}

function readPieces(board: Board, fen: string): Piece[] {
  const [placement = ""] = fen.split(" ");
  const numbers = new Map(board.squares.map(({ file, rank }, index) => [`${file},${rank}`, index]));
  const roles = new Map(board.roles.map((role) => [role.letter.toUpperCase(), role.id]));
  const pieces: Piece[] = [];
  placement.split("/").forEach((text, row) => {
    const rank = board.ranks - 1 - row;
    let file = 0;
    for (const [token] of text.matchAll(/\d+|./gu)) {
      if (/\d/.test(token)) {
        file += Number(token);
        continue;
      }
      const role = roles.get(token.toUpperCase());
      const square = numbers.get(`${file},${rank}`);
      const color = token === token.toUpperCase() ? "white" : "black";
      if (role !== undefined && square !== undefined) pieces.push({ square, role, color });
      file += 1;
    }
  });
  return pieces;
}

/** The side to move. */
export const turnOf = (fen: string): "white" | "black" => (fen.split(/\s+/)[1] === "b" ? "black" : "white");
