/** Games for tests: answers of the server, stored as files. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Plane, type PlaneOptions } from "./geometry.ts";
import type { Board, Castling, Color, Piece } from "./types.ts";

export interface Fixture {
  board: Board;
  state: {
    fen: string;
    turn: Color;
    pieces: Piece[];
    moves: string[];
    castlings: Castling[];
    reach: number[][];
  };
}

export const GAMES = ["diamond", "diagonal", "diamondback", "diamondring", "doublediamond"] as const;

export function fixture(name: string): Fixture {
  const path = fileURLToPath(new URL(`../../fixtures/${name}.json`, import.meta.url));
  return JSON.parse(readFileSync(path, "utf8"));
}

export function plane(board: Board, options: Partial<PlaneOptions> = {}): Plane {
  return new Plane(board, {
    view: "square",
    turns: 0,
    ring: 1,
    origin: { file: 0, rank: 0 },
    margin: 1,
    ...options,
  });
}

/** The number of a square. */
export function squareNamed(board: Board, name: string): number {
  const number = board.squares.findIndex((square) => square.name === name);
  if (number < 0) throw new Error(`expected a square of ${board.name}, found ${name}`);
  return number;
}

/** A choice as a text: its suffix and its role. */
export const suffixNames = ({ suffix, role }: { suffix: string; role: { name: string } }): string =>
  `${suffix} ${role.name}`;
