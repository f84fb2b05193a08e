/** A position as it is set up: pieces and the other fields of a FEN, from a FEN and to it. Not here: what is legal. */
import { opposite } from "../board/colors.ts";
import type { Board, Color, Piece } from "../board/types.ts";
import { piecesOf } from "../common/fen.ts";

export interface Setup {
  pieces: readonly Piece[];
  turn: Color;
  /** The letters of the castling rights that are there. */
  rights: string;
  /** The field of the en passant square, `-` for none. */
  enPassant: string;
  halfmove: number;
  fullmove: number;
  /** The squares whose pieces have moved, as FEN lists them; empty for the usual. */
  moved: string;
}

const count = (text: string | undefined, least: number): number => Math.max(least, Number.parseInt(text ?? "", 10) || least);

export function readFen(board: Board, fen: string): Setup {
  const [, turn, rights = "-", enPassant = "-", halfmove, fullmove, moved = ""] = fen.trim().split(/\s+/);
  return {
    pieces: piecesOf(board, fen),
    turn: turn === "b" ? "black" : "white",
    rights: rights === "-" ? "" : rights,
    enPassant,
    halfmove: count(halfmove, 0),
    fullmove: count(fullmove, 1),
    moved,
  };
}

/**
 * The position of a FEN, if the FEN is written as here; otherwise the game's start, and the text that has yet to be checked.
 */
export function readStart(board: Board, fen: string | null | undefined, start: string): { setup: Setup; text: string | null } {
  const setup = readFen(board, fen || start);
  if (!fen || writeFen(board, setup) === fen.trim()) return { setup, text: null };
  return { setup: readFen(board, start), text: fen };
}

function placement(board: Board, pieces: readonly Piece[]): string {
  const squares = new Map(board.squares.map(({ file, rank }, index) => [`${file},${rank}`, index]));
  const letters = new Map(board.roles.map((role) => [role.id, role.letter]));
  const piecesBySquare = new Map(pieces.map((piece) => [piece.square, piece]));
  const rows: string[] = [];
  for (let rank = board.ranks - 1; rank >= 0; rank -= 1) {
    let [row, empty] = ["", 0];
    for (let file = 0; file < board.files; file += 1) {
      const square = squares.get(`${file},${rank}`);
      const piece = square === undefined ? undefined : piecesBySquare.get(square);
      if (square !== undefined && !piece) {
        empty += 1;
        continue;
      }
      const letter = piece ? (letters.get(piece.role) ?? "?") : "*";
      row += (empty > 0 ? String(empty) : "") + (piece?.color === "black" ? letter.toLowerCase() : letter.toUpperCase());
      empty = 0;
    }
    rows.push(row + (empty > 0 ? String(empty) : ""));
  }
  return rows.join("/");
}

export function writeFen(board: Board, setup: Setup): string {
  const { pieces, turn, rights, enPassant, halfmove, fullmove, moved } = setup;
  const fields = [placement(board, pieces), turn === "white" ? "w" : "b", rights || "-", enPassant.trim() || "-", halfmove, fullmove];
  return [...fields, ...(moved.trim() === "" ? [] : [moved.trim()])].join(" ");
}

/** Puts a piece on a square; the same piece again takes it off. */
export function togglePiece(pieces: readonly Piece[], piece: Piece): Piece[] {
  const others = pieces.filter(({ square }) => square !== piece.square);
  const existing = pieces.find(({ square }) => square === piece.square);
  return existing && existing.role === piece.role && existing.color === piece.color ? others : [...others, piece];
}

/** Takes the piece of a square off. */
export const removePiece = (pieces: readonly Piece[], square: number): Piece[] => pieces.filter((piece) => piece.square !== square);

/** Moves a piece to another square, or off the board (null). */
export function movePiece(pieces: readonly Piece[], from: number, to: number | null): Piece[] {
  const piece = pieces.find(({ square }) => square === from);
  if (!piece || from === to) return [...pieces];
  const others = pieces.filter(({ square }) => square !== from && square !== to);
  return to === null ? others : [...others, { ...piece, square: to }];
}

/** Gives a piece to the other side. */
export const swapColor = (pieces: readonly Piece[], square: number): Piece[] =>
  pieces.map((piece) => (piece.square === square ? { ...piece, color: opposite(piece.color) } : piece));
