/** A position as it is set up: pieces and the other fields of a FEN, from a FEN and to it. Not here: what is legal. */
import { colorsOf, isMulti } from "../board/colors.ts";
import type { Board, Color, Piece, PieceColor } from "../board/types.ts";
import { letterOf, livingOf, outOf, piecesOf, turnOf } from "../common/fen.ts";

export interface Setup {
  pieces: readonly Piece[];
  turn: Color;
  /** The castling rights that are there, as FEN lists them. */
  rights: string;
  /** The field of the en passant square or squares, `-` for none. */
  enPassant: string;
  halfmove: number;
  fullmove: number;
  /** The squares whose pieces have moved, as FEN lists them; empty for the usual. */
  moved: string;
  /** Of more than two players those who are out, the first one first. */
  out: readonly Color[];
}

/** The castling rights of a text, a letter each; with more than two players each after the letter of its owner. */
export const rightsOf = (board: Board, text: string): string[] => text.match(isMulti(board.players) ? /../gu : /./gu) ?? [];

/** The colors of pieces in the order in which the right button changes them. */
export const pieceColorsOf = ({ players }: Board): readonly PieceColor[] =>
  isMulti(players) ? [...colorsOf(players), "dead"] : colorsOf(players);

const count = (text: string | undefined, least: number): number => Math.max(least, Number.parseInt(text ?? "", 10) || least);

export function readFen(board: Board, fen: string): Setup {
  const [, , rights = "-", enPassant = "-", halfmove, fullmove, moved = ""] = fen.trim().split(/\s+/);
  return {
    pieces: piecesOf(board, fen),
    turn: isMulti(board.players) && livingOf(fen) === null ? "red" : turnOf(fen),
    rights: rights === "-" ? "" : rights,
    enPassant,
    halfmove: count(halfmove, 0),
    fullmove: count(fullmove, 1),
    moved: isMulti(board.players) ? "" : moved,
    out: outOf(fen),
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
      row += (empty > 0 ? String(empty) : "") + (piece && isMulti(board.players) ? letterOf(piece.color) : "");
      row += piece?.color === "black" ? letter.toLowerCase() : letter.toUpperCase();
      empty = 0;
    }
    rows.push(row + (empty > 0 ? String(empty) : ""));
  }
  return rows.join("/");
}

/** The living in the order of turns, and after a slash those who are out. */
function players(board: Board, out: readonly Color[]): string {
  const living = colorsOf(board.players).filter((color) => !out.includes(color));
  const letters = (colors: readonly Color[]): string => colors.map(letterOf).join("");
  return letters(living) + (out.length > 0 ? `/${letters(out)}` : "");
}

export function writeFen(board: Board, setup: Setup): string {
  const { pieces, turn, rights, enPassant, halfmove, fullmove, moved, out } = setup;
  const fields = [placement(board, pieces), letterOf(turn), rights || "-", enPassant.trim() || "-", halfmove, fullmove];
  const last = isMulti(board.players) ? players(board, out) : moved.trim();
  return [...fields, ...(last === "" ? [] : [last])].join(" ");
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

/** Gives a piece to the next one of these colors. */
export const swapColor = (pieces: readonly Piece[], square: number, colors: readonly PieceColor[]): Piece[] =>
  pieces.map((piece) =>
    piece.square === square ? { ...piece, color: colors[(colors.indexOf(piece.color) + 1) % colors.length] ?? piece.color } : piece,
  );

/**
 * Takes a player out: the royal piece leaves the board, the others stay without an owner, and the next living player is to move.
 * Back in, the player has no pieces.
 */
export function toggleOut(board: Board, setup: Setup, color: Color): Setup {
  if (setup.out.includes(color)) return { ...setup, out: setup.out.filter((other) => other !== color) };
  const out = [...setup.out, color];
  const colors = colorsOf(board.players);
  const later = [...colors.slice(colors.indexOf(setup.turn)), ...colors];
  const royal = new Set(board.roles.filter(({ royal }) => royal).map(({ id }) => id));
  const pieces = setup.pieces
    .filter((piece) => piece.color !== color || !royal.has(piece.role))
    .map((piece): Piece => (piece.color === color ? { ...piece, color: "dead" } : piece));
  const rights = rightsOf(board, setup.rights).filter((right) => !right.startsWith(letterOf(color))).join("");
  return { ...setup, pieces, out, rights, turn: later.find((other) => !out.includes(other)) ?? setup.turn };
}
