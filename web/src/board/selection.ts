/**
 * The selection on the board: the piece, its possible squares, what a click on a square means, and the
 * premove. Not here: pointers, keys, drawing.
 */
import type { Destinations, MoveOption } from "./destinations.ts";
import type { Color, Movable, Piece, PieceColor, PromotionHint } from "./types.ts";

/** Everything about the position that decides what can be selected and moved. */
export interface BoardState {
  pieces: ReadonlyMap<number, Piece>;
  destinations: Destinations;
  /** By square, where the piece there could go if it were its turn; null while unknown. */
  reach: readonly (readonly number[])[] | null;
  movable: Movable;
  /** Null if the page has not set it. */
  turn: Color | null;
  premove: boolean;
  /** A press anywhere puts the only piece there, and `reach` has the squares it could go to. */
  placing?: boolean;
  /** Which roles promote where, if the page has set it. */
  promotions?: readonly PromotionHint[];
}

/** Target squares, by what stands there. */
export interface Targets {
  quiet: number[];
  captures: number[];
  /** Own pieces, for castling by the rook and for fusion. */
  own: number[];
}

export const NO_TARGETS: Targets = { quiet: [], captures: [], own: [] };

/** Whether a piece can be moved now, premoved, or neither. */
export type Movability = "move" | "premove" | "none";

export type Intent =
  | { kind: "move"; from: number; to: number; options: MoveOption[] }
  | { kind: "premove"; from: number; to: number }
  | { kind: "select"; square: number | null };

/** A null suffix means that the user chooses the promotion when the move is played; an empty one, no promotion. */
export interface Premove {
  from: number;
  to: number;
  suffix: string | null;
}

export class Selection {
  selected: number | null = null;
  premove: Premove | null = null;
  #state: BoardState;
  /** The colors that have moves; computed on demand. */
  #colorsToMove: Set<PieceColor | undefined> | null = null;

  constructor(state: BoardState) {
    this.#state = state;
  }

  get state(): BoardState {
    return this.#state;
  }

  /** Takes a new position. Deselects a piece that was captured or replaced. */
  update(state: BoardState): void {
    const before = this.selected === null ? undefined : this.#state.pieces.get(this.selected);
    const now = this.selected === null ? undefined : state.pieces.get(this.selected);
    this.#state = state;
    this.#colorsToMove = null;
    if (!now || now.color !== before?.color || now.role !== before.role) this.selected = null;
  }

  movability(square: number): Movability {
    const piece = this.#state.pieces.get(square);
    const { movable, destinations, premove } = this.#state;
    if (!piece || movable === "none" || (movable !== "both" && movable !== piece.color)) return "none";
    if (movable === "both" || this.#isTurn(piece.color)) return destinations.canLeave(square) ? "move" : "none";
    return premove ? "premove" : "none";
  }

  #isTurn(color: PieceColor): boolean {
    const { turn, destinations, pieces } = this.#state;
    if (turn !== null) return turn === color;
    this.#colorsToMove ??= new Set(destinations.sources().map((square) => pieces.get(square)?.color));
    return this.#colorsToMove.has(color);
  }

  /** The squares that the piece on a square can be moved or premoved to. */
  targets(square: number): Targets {
    if (this.#state.placing) return this.reach(square);
    switch (this.movability(square)) {
      case "move":
        return this.sortTargets(square, this.#state.destinations.targets(square));
      case "premove":
        return this.reach(square);
      case "none":
        return NO_TARGETS;
    }
  }

  /** The reach of the piece on a square, regardless of the turn. */
  reach(square: number): Targets {
    return this.sortTargets(square, this.#state.reach?.[square] ?? []);
  }

  sortTargets(from: number, targets: readonly number[]): Targets {
    const { pieces } = this.#state;
    const own = pieces.get(from)?.color;
    const only = (kind: "quiet" | "captures" | "own") =>
      targets.filter((square) => {
        const color = pieces.get(square)?.color;
        return (color === undefined ? "quiet" : color === own ? "own" : "captures") === kind;
      });
    return { quiet: only("quiet"), captures: only("captures"), own: only("own") };
  }

  /** The move or premove between two squares; null if there is none. */
  intent(from: number, to: number): Intent | null {
    const movability = this.movability(from);
    if (movability === "move") {
      const options = this.#state.destinations.options(from, to);
      return options.length > 0 ? { kind: "move", from, to, options } : null;
    }
    const canPremove = movability === "premove" && this.#state.reach?.[from]?.includes(to);
    return canPremove ? { kind: "premove", from, to } : null;
  }

  /** Whether a piece can go from one square to another, as announced to screen readers. */
  canReach(from: number, to: number): boolean {
    const { placing, reach } = this.#state;
    return placing ? (reach?.[from]?.includes(to) ?? false) : this.intent(from, to) !== null;
  }

  /** The letters, in lower case, of the roles a piece may promote to by this move; empty if it does not promote. */
  promotionLetters(from: number, to: number): readonly string[] {
    const { pieces, promotions } = this.#state;
    const piece = pieces.get(from);
    const hint = promotions?.find(
      (promotion) => promotion.role === piece?.role && promotion.color === piece.color && promotion.squares.includes(to),
    );
    return hint?.letters ?? [];
  }

  /** The meaning of a click: move the selected piece there, select another one, or deselect. */
  clickIntent(square: number): Intent {
    const [placed] = this.#state.placing ? this.#state.pieces.keys() : [];
    const selected = placed ?? this.selected;
    if (selected !== null && selected !== square) {
      const intent = this.intent(selected, square);
      if (intent) return intent;
    }
    const deselect = selected === square || !this.#state.pieces.has(square);
    return { kind: "select", square: deselect ? null : square };
  }

  /**
   * The legal moves that the premove stands for: null while it must wait, empty if it is illegal. There are
   * several if the user must choose a promotion. The premove also waits while the page shows a past position.
   */
  playablePremove(): MoveOption[] | null {
    if (!this.premove || this.#state.movable === "none") return null;
    const { from, to, suffix } = this.premove;
    const movability = this.#state.pieces.has(from) ? this.movability(from) : "none";
    if (movability === "premove") return null;
    const options = movability === "move" ? this.#state.destinations.options(from, to) : [];
    const matching = options.filter((option) => option.suffix === suffix);
    return matching.length > 0 || suffix ? matching : options;
  }
}
