/**
 * The moves that the board was given, by the squares they leave and reach. Where several share both they
 * differ in the suffix, and the user chooses. Not here: which moves are legal; that was decided elsewhere.
 */
import type { Board, Castling } from "./types.ts";

export interface MoveText {
  from: number;
  to: number;
  /** A role's letter in lower case, or nothing. */
  suffix: string;
}

export interface Option {
  move: string;
  suffix: string;
  /** Where the piece of the move really goes: not the square that was pointed at when that was the rook's. */
  to: number;
}

const FORM = /^([a-z]+[0-9]+)([a-z]+[0-9]+)(.*)$/;

/** Reads a move in the form of UCI by the board's own square names; null when it is not one. */
export function readMove(board: Board, text: string): MoveText | null {
  const parts = FORM.exec(text);
  if (!parts) return null;
  const [, first, second, suffix] = parts;
  const from = board.squares.findIndex((square) => square.name === first);
  const to = board.squares.findIndex((square) => square.name === second);
  return from < 0 || to < 0 ? null : { from, to, suffix: suffix ?? "" };
}

export class Destinations {
  readonly #moves = new Map<number, Map<number, Option[]>>();

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
      // A move of the King to the rook's own square has been listed and means itself.
      if (to === undefined || this.options(king, rook).length > 0) continue;
      this.#add(king, rook, { move, suffix: "", to });
    }
  }

  #add(from: number, to: number, option: Option): void {
    const byTarget = this.#moves.get(from) ?? new Map<number, Option[]>();
    this.#moves.set(from, byTarget);
    byTarget.set(to, [...(byTarget.get(to) ?? []), option]);
  }

  get isEmpty(): boolean {
    return this.#moves.size === 0;
  }

  /** The squares that moves leave. */
  sources(): number[] {
    return [...this.#moves.keys()];
  }

  canLeave(from: number): boolean {
    return this.#moves.has(from);
  }

  /** Where the piece on a square may be put. */
  targets(from: number): number[] {
    return [...(this.#moves.get(from)?.keys() ?? [])];
  }

  /** The moves between two squares. */
  options(from: number, to: number): Option[] {
    return this.#moves.get(from)?.get(to) ?? [];
  }
}
