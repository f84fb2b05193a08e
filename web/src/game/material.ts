/** Captured pieces and material balance, computed from the positions of a game. */
import { type Color, type Game, type Piece, other, positionAt } from "./record.ts";

/** The pieces that a side has captured up to a ply, in order. */
export function captured(game: Game, by: Color, ply: number): Piece[] {
  const taken: Piece[] = [];
  let before = game.start_men;
  for (let index = 0; index < ply; index += 1) {
    const after = game.history[index]?.men ?? before;
    // The opponent's pieces do not move on this side's turn.
    const left = new Set(after.map(({ square, color }) => (color === by ? -1 : square)));
    const mover = game.history[index]?.last[1];
    const moved = after.find(({ square }) => square === mover)?.color;
    if (moved === by && after.length < before.length) {
      taken.push(...before.filter(({ square, color }) => color === other(by) && !left.has(square)));
    }
    before = after;
  }
  return taken;
}

/** The material advantage of a side in whole pawns; `value` is in centipawns. */
export function balance(game: Game, side: Color, ply: number, value: (role: string) => number): number {
  const { pieces } = positionAt(game, ply);
  const sum = pieces.reduce((total, { role, color }) => total + (color === side ? value(role) : -value(role)), 0);
  return Math.round(sum / 100);
}
