/**
 * Typed premoves. Not here: playing the premove when the turn comes (the board's `controller`).
 */
import type { LozBoard } from "../board/index.ts";
import type { Board } from "../board/types.ts";
import type { ReachLoader } from "./reach_loader.ts";
import { type Color, isMyTurn, isOver } from "./record.ts";
import type { GameSession } from "./session.ts";
import { t } from "./texts.ts";

export interface TypedMove {
  from: number;
  to: number;
  /** A role's letter in lower case; empty for none. */
  suffix: string;
  /** The letter of the piece, if it was typed. */
  piece: string | null;
}

/** `e2e4`, also as `e2-e4`, `Pe2xe4`, `e7e8=Q`. */
const MOVE_PATTERN = /^([A-Z])?([a-z]+[0-9]+)[-x]?([a-z]+[0-9]+)=?([a-z]?)[+#]?$/;

/** Parses a move with both squares; null for anything else. */
export function parseMove(board: Pick<Board, "squares">, line: string): TypedMove | null {
  const text = line.replace(/\s+/g, "");
  // Only the letter of the piece must be a capital.
  const lower = text.charAt(0) + text.slice(1).toLowerCase();
  const parts = MOVE_PATTERN.exec(lower) ?? MOVE_PATTERN.exec(text.toLowerCase());
  if (!parts) return null;
  const [, piece, first, second, suffix = ""] = parts;
  const number = (name: string | undefined): number => board.squares.findIndex((square) => square.name === name);
  const [from, to] = [number(first), number(second)];
  return from < 0 || to < 0 ? null : { from, to, suffix, piece: piece ?? null };
}

const nameOf = (board: Board, square: number): string => board.squares[square]?.name ?? "";

/** An example of a move to type. */
function example(board: LozBoard, squares: Board, you: Color): string {
  const ownPieces = board.pieces.filter((piece) => piece.color === you);
  const piece = ownPieces.find(({ square }) => (board.reach?.[square] ?? []).length > 0) ?? ownPieces[0];
  const to = board.reach?.[piece?.square ?? -1]?.[0] ?? board.pieces[0]?.square ?? 0;
  return nameOf(squares, piece?.square ?? 0) + nameOf(squares, to);
}

/** Sets a typed premove on the board; returns an error message, or null. */
export async function premove(
  board: LozBoard,
  session: GameSession,
  reach: ReachLoader,
  line: string,
): Promise<string | null> {
  if (session.sent) return t("typed_pending");
  const { takebacks } = session;
  // A premove refers to the current position.
  if (session.viewedPly !== null) session.view(session.game.state.ply);
  await boardUpdated(board);
  await reach.load();
  await boardUpdated(board);
  const { game } = session;
  if (isOver(game)) return t("typed_over");
  if (session.takebacks !== takebacks) return t("premove_taken_back");
  if (isMyTurn(game)) {
    // Meanwhile the turn has come.
    session.play(line);
    return null;
  }
  const squares = board.board;
  if (!squares || !game.you) return t("typed_watching");
  const typed = parseMove(squares, line);
  if (!typed) return t("typed_both", { example: example(board, squares, game.you) });
  return setTypedPremove(board, squares, typed, game.you);
}

function setTypedPremove(board: LozBoard, squares: Board, typed: TypedMove, you: Color): string | null {
  const { from, to, suffix } = typed;
  const [start, end] = [nameOf(squares, from), nameOf(squares, to)];
  const piece = board.pieces.find((piece) => piece.square === from);
  const role = squares.roles.find((role) => role.id === piece?.role);
  const isNamedPiece = typed.piece === null || typed.piece === role?.letter.toUpperCase();
  if (piece?.color !== you || !isNamedPiece) return t("premove_nobody", { square: start });
  if (board.reach === null) return t("offline");
  if (board.selection.intent(from, to)?.kind !== "premove") {
    return t("premove_cannot", { piece: role?.name ?? "", from: start, to: end });
  }
  const letters = board.selection.promotionLetters(from, to);
  const isPossible = letters.length > 0 ? letters.includes(suffix) : isRole(squares, suffix);
  if (!isPossible) {
    const examples = letters.map((letter) => start + end + letter).join(", ");
    return letters.length > 0 ? t("premove_letter", { examples }) : t("premove_no_letter", { letter: suffix });
  }
  board.setPremove(from, to, suffix);
  return null;
}

/** Whether the letter is empty or that of a non-royal piece. */
function isRole(board: Board, letter: string): boolean {
  return letter === "" || board.roles.some((role) => !role.royal && role.letter.toLowerCase() === letter);
}

/** Waits until the page has updated the board. */
async function boardUpdated(board: LozBoard): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await board.updated;
}

/** Cancels the premove; returns a message if there is none. */
export function cancelPremove(board: LozBoard): string | null {
  if (!board.selection.premove) return t("premove_none");
  board.cancelPremove();
  return null;
}
