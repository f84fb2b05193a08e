/** Captured pieces and material balance, computed from the positions of a game. */
import { opposite } from "../board/colors.ts";
import type { Board, Piece } from "../board/types.ts";
import { piecesOf } from "../common/fen.ts";
import { type Color, type Game, positionAt } from "./record.ts";

/** The pieces that a side has captured up to a ply, in order. */
export function captured(board: Board, game: Game, by: Color, ply: number): Piece[] {
  const captures: Piece[] = [];
  let before = piecesOf(board, game.start_fen);
  for (let index = 0; index < ply; index += 1) {
    const entry = game.history[index];
    const after = entry ? piecesOf(board, entry.fen) : before;
    // The opponent's pieces do not move on this side's turn.
    const remaining = new Set(after.map(({ square, color }) => (color === by ? -1 : square)));
    const target = entry?.last[1];
    const movedColor = after.find(({ square }) => square === target)?.color;
    if (movedColor === by && after.length < before.length) {
      captures.push(...before.filter(({ square, color }) => color === opposite(by) && !remaining.has(square)));
    }
    before = after;
  }
  return captures;
}

/** The material advantage of a side in whole pawns. */
export function balance(board: Board, game: Game, side: Color, ply: number): number {
  const values = new Map(board.roles.map((role) => [role.id, role.value ?? 0]));
  const pieces = piecesOf(board, positionAt(game, ply).fen);
  const sum = pieces.reduce((total, { role, color }) => total + (values.get(role) ?? 0) * (color === side ? 1 : -1), 0);
  return Math.round(sum / 100);
}
