/**
 * What the user has in hand: which piece is chosen, where it may be put, what a click on a square means, and
 * the move that waits for its turn. Not here: pointers, keys, or anything that is drawn.
 */
import type { Destinations, Option } from "./destinations.ts";
import { NO_TARGETS, type Targets } from "./marks.ts";
import type { Color, Piece, Movable, PromotionHint } from "./types.ts";

/** Everything that the hand must know of the position. */
export interface Situation {
  pieces: ReadonlyMap<number, Piece>;
  destinations: Destinations;
  /** Where each piece could go if it were its turn; null while that is not known. */
  reach: readonly (readonly number[])[] | null;
  movable: Movable;
  /** Whose turn it is, as far as the page has said so. */
  turn: Color | null;
  premove: boolean;
  /** A press anywhere puts the only piece there, and `reach` says where it could go from its square. */
  placing?: boolean;
  /** What may promote where, as far as the page has said so. */
  promotions?: readonly PromotionHint[];
}

/** What can be done with a piece. */
export type Grip = "move" | "premove" | "none";

export type Intent =
  | { kind: "move"; from: number; to: number; options: Option[] }
  | { kind: "premove"; from: number; to: number }
  | { kind: "select"; square: number | null };

export class Hand {
  selected: number | null = null;
  /** Without a suffix the user is asked when there is a choice; an empty one is the piece as it is. */
  premove: { from: number; to: number; suffix: string | null } | null = null;
  #situation: Situation;
  /** The colors that have moves, once it was asked. */
  #movers: Set<Color | undefined> | null = null;

  constructor(situation: Situation) {
    this.#situation = situation;
  }

  get situation(): Situation {
    return this.#situation;
  }

  /** Takes a new position; a piece that is no longer there, or has changed sides, is let go. */
  renew(situation: Situation): void {
    const before = this.selected === null ? undefined : this.#situation.pieces.get(this.selected);
    const now = this.selected === null ? undefined : situation.pieces.get(this.selected);
    this.#situation = situation;
    this.#movers = null;
    if (!now || now.color !== before?.color || now.role !== before.role) this.selected = null;
  }

  /** Whether the piece on a square can be moved now, or later, or only be looked at. */
  grip(square: number): Grip {
    const piece = this.#situation.pieces.get(square);
    const { movable, destinations, premove } = this.#situation;
    if (!piece || movable === "none" || (movable !== "both" && movable !== piece.color)) return "none";
    if (movable === "both" || this.#isTurn(piece.color)) return destinations.canLeave(square) ? "move" : "none";
    return premove ? "premove" : "none";
  }

  #isTurn(color: Color): boolean {
    const { turn, destinations, pieces } = this.#situation;
    if (turn !== null) return turn === color;
    this.#movers ??= new Set(destinations.sources().map((square) => pieces.get(square)?.color));
    return this.#movers.has(color);
  }

  /** Where the piece on a square may be put, with what it would find there. */
  targets(square: number): Targets {
    if (this.#situation.placing) return this.reach(square);
    switch (this.grip(square)) {
      case "move":
        return this.sort(square, this.#situation.destinations.targets(square));
      case "premove":
        return this.sort(square, this.#situation.reach?.[square] ?? []);
      case "none":
        return NO_TARGETS;
    }
  }

  /** Where the piece on a square could go by the rules of its moves, whoever's turn it is. */
  reach(square: number): Targets {
    return this.sort(square, this.#situation.reach?.[square] ?? []);
  }

  sort(from: number, targets: readonly number[]): Targets {
    const { pieces } = this.#situation;
    const own = pieces.get(from)?.color;
    const found = (want: "quiet" | "captures" | "own") =>
      targets.filter((square) => {
        const color = pieces.get(square)?.color;
        return (color === undefined ? "quiet" : color === own ? "own" : "captures") === want;
      });
    return { quiet: found("quiet"), captures: found("captures"), own: found("own") };
  }

  /** What putting the piece from one square onto another means; null when it means nothing. */
  put(from: number, to: number): Intent | null {
    const grip = this.grip(from);
    if (grip === "move") {
      const options = this.#situation.destinations.options(from, to);
      return options.length > 0 ? { kind: "move", from, to, options } : null;
    }
    const later = grip === "premove" && this.#situation.reach?.[from]?.includes(to);
    return later ? { kind: "premove", from, to } : null;
  }

  /** Whether the piece on a square can go to another, as it is told to those who do not see the board. */
  reaches(from: number, to: number): boolean {
    const { placing, reach } = this.#situation;
    return placing ? (reach?.[from]?.includes(to) ?? false) : this.put(from, to) !== null;
  }

  /** What the piece would become on a square, as letters in lower case: none where it stays what it is. */
  letters(from: number, to: number): readonly string[] {
    const { pieces, promotions } = this.#situation;
    const piece = pieces.get(from);
    const hint = promotions?.find(
      (known) => known.role === piece?.role && known.color === piece.color && known.squares.includes(to),
    );
    return hint?.letters ?? [];
  }

  /** What pointing at a square means: put the chosen piece there, choose another, or let go. */
  point(square: number): Intent {
    const [placed] = this.#situation.placing ? this.#situation.pieces.keys() : [];
    const chosen = placed ?? this.selected;
    if (chosen !== null && chosen !== square) {
      const intent = this.put(chosen, square);
      if (intent) return intent;
    }
    const again = chosen === square || !this.#situation.pieces.has(square);
    return { kind: "select", square: again ? null : square };
  }

  /**
   * What becomes of the waiting move in this position: nothing while it waits, the moves that it may be
   * (one, or several to choose from), or none because it is not legal, or not with the letter it was given.
   * While a page shows what was (nothing can be moved) it goes on waiting.
   */
  due(): Option[] | null {
    if (!this.premove || this.#situation.movable === "none") return null;
    const { from, to, suffix } = this.premove;
    const piece = this.#situation.pieces.get(from);
    const grip = piece ? this.grip(from) : "none";
    if (grip === "premove") return null;
    const options = grip === "move" ? this.#situation.destinations.options(from, to) : [];
    const wanted = options.filter((option) => option.suffix === suffix);
    return wanted.length > 0 || suffix ? wanted : options;
  }
}
