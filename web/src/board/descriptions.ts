/** Squares, pieces and moves in words, for screen readers. Not here: when they are announced (`announcer`). */
import { comparePositions } from "./animation.ts";
import { isMulti } from "./colors.ts";
import type { Selection } from "./selection.ts";
import { fill, type Texts } from "./texts.ts";
import type { Board, Piece } from "./types.ts";

/** The squares of the last move and of the King in check. */
export interface Highlights {
  last: readonly number[];
  check: number | null;
}

export class Descriptions {
  readonly #board: Board;
  readonly #texts: Texts;
  /** Every cell is labeled after each move, so the names of pieces are cached. */
  readonly #pieceNames = new Map<string, string>();

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
    const cached = this.#pieceNames.get(key);
    if (cached) return cached;
    const text = fill(this.#texts.piece, { color: this.#texts[piece.color], role: this.role(piece.role) });
    this.#pieceNames.set(key, text);
    return text;
  }

  /** "e4, white pawn, can move". */
  cell(square: number, selection: Selection, { last, check }: Highlights): string {
    const texts = this.#texts;
    const { pieces, placing } = selection.state;
    const piece = pieces.get(square);
    const parts = [this.square(square), piece ? this.piece(piece) : texts.empty];
    const [placed] = placing ? pieces.keys() : [];
    const selected = placed ?? selection.selected;
    if (selected === square) parts.push(texts.selected);
    else if (selected !== null && selection.canReach(selected, square)) {
      const own = piece && piece.color === pieces.get(selected)?.color;
      parts.push(!piece ? texts.target : own ? texts.fusion_target : texts.capture);
    } else if (selection.movability(square) === "move") parts.push(texts.can_move);
    if (check === square) parts.push(texts.in_check);
    if (last.includes(square)) parts.push(texts.last);
    const { premove } = selection;
    if (premove && (premove.from === square || premove.to === square)) parts.push(texts.premove);
    return parts.join(", ");
  }

  /** The move between two positions; empty for a jump in the game, which is more than one move. */
  change(before: readonly Piece[], after: readonly Piece[], { last, check }: Highlights): string {
    const change = comparePositions(before, after, last, () => 0);
    const moved = change.pieces.filter(({ piece, from }) => from !== piece.square);
    // Of four players, those who are out lose their Kings.
    const out = change.removed.filter((piece) => isMulti(this.#board.players) && this.#isRoyal(piece));
    const captured = change.removed.filter(
      (piece) => !out.includes(piece) && !moved.some((other) => isReplaced(piece, other)),
    );
    if (moved.length + out.length === 0 || moved.length > 2 || captured.length > 1) return "";
    const parts = moved.map(({ piece, from }) => this.#movement(piece, from, before));
    for (const piece of captured) {
      const own = moved.some((mover) => mover.piece.color === piece.color);
      parts.push(fill(own ? this.#texts.fuses : this.#texts.takes, { piece: this.piece(piece) }));
    }
    for (const { color } of out) parts.push(fill(this.#texts.out, { color: this.#texts[color] }));
    if (check !== null) parts.push(this.#texts.check);
    return parts.join(", ");
  }

  #isRoyal({ role }: Piece): boolean {
    return this.#board.roles.some(({ id, royal }) => royal && id === role);
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

/** Whether a removed piece was only replaced by another of its color, as in a promotion. */
function isReplaced(removed: Piece, { piece, from }: { piece: Piece; from: number | null }): boolean {
  return from === null && removed.square === piece.square && removed.color === piece.color;
}
