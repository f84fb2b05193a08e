/**
 * What the board is fed with. The shapes are those of the server's API; the board knows no rules, so these
 * are cells, pieces and moves as texts. Not here: anything that is computed from them.
 */

export type Color = "white" | "black";
export type Point = readonly [x: number, y: number];
export type ViewName = "diamond" | "square";

/** One way to lay the board out, as White sees it; lengths are in cell sides, y grows downward. */
export interface View {
  width: number;
  height: number;
  /** Of every cell, around its center. */
  corners: Point[];
  /** By square number. */
  centers: Point[];
  /** What one file to the right, and one rank up, is on the page. */
  file: Point;
  rank: Point;
}

export interface Role {
  id: string;
  name: string;
  letter: string;
  /** Base name of the drawing in the sprite; null for a lettered disc. */
  glyph?: string | null;
  royal: boolean;
  /** What it is worth, in centipawns; 0 for the King. */
  value?: number;
}

export interface Square {
  name: string;
  file: number;
  rank: number;
  dark: boolean;
}

export interface Board {
  variant: string;
  name: string;
  view: ViewName;
  files: number;
  ranks: number;
  wraps: { files: boolean; ranks: boolean };
  squares: Square[];
  views: { diamond: View; square: View };
  roles: Role[];
  /** The pieces of the game's first start: by them a board without an edge knows where the camps are. */
  start?: Piece[];
  /** What may promote where, so that a premove can ask; without it, it does not. */
  promotions?: PromotionHint[];
}

export interface Piece {
  square: number;
  role: string;
  color: Color;
}

/** A castling of the moves, with the squares that it can be entered by. */
export interface Castling {
  move: string;
  king: number;
  rook: number;
}

/** What may promote where, for premoves only: the server says what is legal. */
export interface PromotionHint {
  role: string;
  color: Color;
  squares: number[];
  /** Letters in lower case, as in moves. */
  letters: string[];
}

/** Kinds of marks of rules diagrams; each has a shape of its own. */
export type MarkKind = "move" | "capture" | "both" | "from" | "area" | "goal" | "promotion";

export interface Mark {
  square: number;
  kind: MarkKind;
}

/** Colors of drawn arrows and circles. */
export type Brush = "green" | "red" | "blue" | "yellow";

/** A circle where from and to are the same. */
export interface Drawn {
  from: number;
  to: number;
  brush: Brush;
}

export type Movable = Color | "both" | "none";

/** What the board's events carry in their `detail`. */
export interface BoardEvents {
  /** The user has made a move; `premove` when it was entered before the turn came. */
  move: { move: string; from: number; to: number; premove: boolean };
  premove: { from: number; to: number; suffix: string | null };
  "premove-cancelled": { reason: "user" | "illegal" };
  select: { square: number | null };
  /** The board would like `reach` to be set: by this square at least. */
  "reach-wanted": { square: number };
  drawn: { shapes: Drawn[] };
  /** A torus was scrolled: the file and rank now at the lower left. */
  scrolled: { file: number; rank: number };
}
