/**
 * What may promote where, as far as legal moves have shown it: so that a premove can ask at once. A board
 * that tells it itself goes before this. Not here: which moves are legal.
 */
import { Destinations } from "../board/destinations.ts";
import type { Board, Man, PromotionHint } from "../board/types.ts";

export class Promotions {
  readonly #known = new Map<string, PromotionHint>();
  #hints: readonly PromotionHint[] = [];
  #moves: readonly string[] = [];

  /** What is known now; the same array as long as nothing new was learned. */
  get hints(): readonly PromotionHint[] {
    return this.#hints;
  }

  /** Looks at the legal moves of a position. */
  learn(board: Board, men: readonly Man[], moves: readonly string[]): void {
    if (moves === this.#moves) return;
    this.#moves = moves;
    const before = this.#known.size;
    const choices = new Destinations(board, moves);
    for (const man of men) {
      for (const square of choices.targets(man.square)) {
        const letters = choices.options(man.square, square).map((option) => option.suffix);
        // Where the man may also stay what it is a part of it leaves, and that depends on more than the square.
        if (letters.includes("")) continue;
        const { role, color } = man;
        this.#known.set(`${color} ${role} ${square}`, { role, color, squares: [square], letters });
      }
    }
    if (this.#known.size > before) this.#hints = [...this.#known.values()];
  }
}
