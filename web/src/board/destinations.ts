/**
 * The legal moves by their squares, as the page has set them. Moves with the same squares differ in the suffix, and
 * the user chooses. Not here: which moves are legal.
 */
import type { Board, Castling } from "./types.ts";

export interface MoveText {
  from: number;
  to: number;
  /** A role's letter in lower case, or nothing. */
  suffix: string;
}

export interface MoveOption {
  move: string;
  suffix: string;
  /** The piece's destination; for castling entered by the rook's square, not that square. */
  to: number;
}

const FORM = /^([a-z]+[0-9]+)([a-z]+[0-9]+)(.*)$/;

/** Parses a UCI move with the board's own square names; null if it is malformed. */
export function readMove(board: Board, text: string): MoveText | null {
  const parts = FORM.exec(text);
  if (!parts) return null;
  const [, first, second, suffix] = parts;
  const from = board.squares.findIndex((square) => square.name === first);
  const to = board.squares.findIndex((square) => square.name === second);
  return from < 0 || to < 0 ? null : { from, to, suffix: suffix ?? "" };
}

export class Destinations {
  readonly #moves = new Map<number, Map<number, MoveOption[]>>();

  constructor(board: Pick<Board, "squares">, moves: readonly string[], castlings: readonly Castling[] = []) {
    const numbers = new Map(board.squares.map((square, number) => [square.name, number]));
    const targets = new Map<string, number>();
    for (const move of moves) {
      const parts = FORM.exec(move);
      const from = numbers.get(parts?.[1] ?? "");
      const to = numbers.get(parts?.[2] ?? "");
      if (from === undefined || to === undefined) continue;
      this.#add(from, to, { move, suffix: parts?.[3] ?? "", to });
      targets.set(move, to);
    }
    for (const { move, king, rook } of castlings) {
      const to = targets.get(move);
      // A listed move to the rook's square takes precedence.
      if (to === undefined || this.options(king, rook).length > 0) continue;
      this.#add(king, rook, { move, suffix: "", to });
    }
  }

  #add(from: number, to: number, option: MoveOption): void {
    const byTarget = this.#moves.get(from) ?? new Map<number, MoveOption[]>();
    this.#moves.set(from, byTarget);
    byTarget.set(to, [...(byTarget.get(to) ?? []), option]);
  }

  get isEmpty(): boolean {
    return this.#moves.size === 0;
  }

  /** The squares of pieces with legal moves. */
  sources(): number[] {
    return [...this.#moves.keys()];
  }

  canLeave(from: number): boolean {
    return this.#moves.has(from);
  }

  /** The target squares of the piece on a square. */
  targets(from: number): number[] {
    return [...(this.#moves.get(from)?.keys() ?? [])];
  }

  /** The moves between two squares. */
  options(from: number, to: number): MoveOption[] {
    return this.#moves.get(from)?.get(to) ?? [];
  }
}
