/** Captured pieces and material balance, computed from the positions of a game. */
import { type Color, type Game, type Piece, opposite, positionAt } from "./record.ts";

/** The pieces that a side has captured up to a ply, in order. */
export function captured(game: Game, by: Color, ply: number): Piece[] {
  const captures: Piece[] = [];
  let before = game.start_men;
  for (let index = 0; index < ply; index += 1) {
    const after = game.history[index]?.men ?? before;
    // The opponent's pieces do not move on this side's turn.
    const remaining = new Set(after.map(({ square, color }) => (color === by ? -1 : square)));
    const target = game.history[index]?.last[1];
    const movedColor = after.find(({ square }) => square === target)?.color;
    if (movedColor === by && after.length < before.length) {
      captures.push(...before.filter(({ square, color }) => color === opposite(by) && !remaining.has(square)));
    }
    before = after;
  }
  return captures;
}

/** The material advantage of a side in whole pawns; `value` is in centipawns. */
export function balance(game: Game, side: Color, ply: number, value: (role: string) => number): number {
  const { pieces } = positionAt(game, ply);
  const sum = pieces.reduce((total, { role, color }) => total + (color === side ? value(role) : -value(role)), 0);
  return Math.round(sum / 100);
}
