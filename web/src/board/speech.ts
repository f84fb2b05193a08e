/** What is said of squares and moves to those who do not see the board. Not here: when it is said. */
import { compare } from "./animation.ts";
import type { Hand } from "./hand.ts";
import { fill, type Texts } from "./texts.ts";
import type { Board, Piece } from "./types.ts";

export class Speech {
  readonly #board: Board;
  readonly #texts: Texts;
  /** Every cell is named after each move, so the names of pieces are kept. */
  readonly #pieces = new Map<string, string>();

  constructor(board: Board, texts: Texts) {
    this.#board = board;
    this.#texts = texts;
  }

  square(square: number): string {
    return this.#board.squares[square]?.name ?? "";
  }

  role(id: string): string {
    const name = this.#board.roles.find((role) => role.id === id)?.name ?? id;
    return this.#texts.nouns === "small" ? name.toLowerCase() : name;
  }

  piece(piece: Piece): string {
    const key = `${piece.color} ${piece.role}`;
    const known = this.#pieces.get(key);
    if (known) return known;
    const text = fill(this.#texts.piece, { color: this.#texts[piece.color], role: this.role(piece.role) });
    this.#pieces.set(key, text);
    return text;
  }

  /** "e4, white pawn, can move". */
  cell(square: number, hand: Hand, said: { last: readonly number[]; check: number | null }): string {
    const texts = this.#texts;
    const piece = hand.situation.pieces.get(square);
    const parts = [this.square(square), piece ? this.piece(piece) : texts.empty];
    const [placed] = hand.situation.placing ? hand.situation.pieces.keys() : [];
    const chosen = placed ?? hand.selected;
    if (chosen === square) parts.push(texts.chosen);
    else if (chosen !== null && hand.reaches(chosen, square)) {
      const own = piece && piece.color === hand.situation.pieces.get(chosen)?.color;
      parts.push(!piece ? texts.target : own ? texts.join : texts.capture);
    } else if (hand.grip(square) === "move") parts.push(texts.can_move);
    if (said.check === square) parts.push(texts.in_check);
    if (said.last.includes(square)) parts.push(texts.last);
    if (hand.premove && (hand.premove.from === square || hand.premove.to === square))
      parts.push(texts.waiting);
    return parts.join(", ");
  }

  /** What happened between two positions: one move is told, a jump in the game is not. */
  change(
    before: readonly Piece[],
    after: readonly Piece[],
    last: readonly number[],
    check: number | null,
  ): string {
    const change = compare(before, after, last, () => 0);
    const moved = change.pieces.filter(({ piece, from }) => from !== piece.square);
    const gone = change.gone.filter((piece) => !moved.some((other) => became(piece, other)));
    if (moved.length === 0 || moved.length > 2 || gone.length > 1) return "";
    const parts = moved.map(({ piece, from }) => this.#movement(piece, from, before));
    for (const piece of gone) {
      const own = moved.some((mover) => mover.piece.color === piece.color);
      parts.push(fill(own ? this.#texts.joins : this.#texts.takes, { piece: this.piece(piece) }));
    }
    if (check !== null) parts.push(this.#texts.check);
    return parts.join(", ");
  }

  #movement(piece: Piece, from: number | null, before: readonly Piece[]): string {
    const [square, role] = [this.square(piece.square), this.role(piece.role)];
    const source = before.find((other) => other.square === (from ?? piece.square) && other.color === piece.color);
    if (!source) return fill(this.#texts.arrived, { piece: this.piece(piece), square });
    const becomes = source.role === piece.role ? "" : `, ${fill(this.#texts.becomes, { role })}`;
    const text = from === null ? this.#texts.arrived : this.#texts.moved;
    const start = from === null ? "" : this.square(from);
    return fill(text, { piece: this.piece(source), from: start, to: square, square }) + becomes;
  }
}

/** Whether a piece that is gone has only become another on its square. */
function became(gone: Piece, { piece, from }: { piece: Piece; from: number | null }): boolean {
  return from === null && gone.square === piece.square && gone.color === piece.color;
}
