/** The pieces of a FEN, for boards; the server decides what is legal. */
import type { Board, Piece } from "../board/types.ts";

export function piecesOf(board: Board, fen: string): Piece[] {
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
