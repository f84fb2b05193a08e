/**
 * The input of the board, in the shapes of the server's API. The board knows no rules, so these are only cells, pieces
 * and moves. Not here: anything computed from them.
 */

/** The two colors of most games, and the four of games with four players. */
export type Color = "white" | "black" | "red" | "blue" | "yellow" | "green";
/** The colors of a game for two players. */
export type WhiteOrBlack = "white" | "black";
/** A value for each of them. */
export type ByColor<T> = Readonly<Record<WhiteOrBlack, T>>;
/** Whose a piece is. The pieces of a player who is out are dead. */
export type PieceColor = Color | "dead";
export type Point = readonly [x: number, y: number];
export type ViewName = "diamond" | "square";
export type Shade = "light" | "middle" | "dark";

/** A layout of the board, as the first player sees it. Lengths are in cell sides, y grows downward. */
export interface View {
  width: number;
  height: number;
  /** Of every cell, around its center. */
  corners: Point[];
  /** By square number. */
  centers: Point[];
  /** By square number, on a board of hexagons; otherwise `dark` of the squares tells it. */
  shades?: Shade[];
  /** One file to the right and one rank up, on the page. */
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
  /** In centipawns; 0 for the King. */
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
  /** Absent for two. */
  players?: number;
  /** The identity of its rules. */
  digest?: string;
  name: string;
  view: ViewName;
  files: number;
  ranks: number;
  wraps: { files: boolean; ranks: boolean };
  squares: Square[];
  views: { diamond: View; square: View };
  roles: Role[];
  /** The pieces of the game's first start, from which a board without edges computes where it starts. */
  start?: Piece[];
  /** Which roles promote where, so that a premove can ask for the promotion. */
  promotions?: PromotionHint[];
}

export interface Piece {
  square: number;
  role: string;
  color: PieceColor;
}

/** A castling move, with the squares of King and rook. */
export interface Castling {
  move: string;
  king: number;
  rook: number;
}

/** Which role may promote where. For premoves only: `destinations` has the legal moves. */
export interface PromotionHint {
  role: string;
  color: Color;
  squares: number[];
  /** Letters in lower case, as in moves. */
  letters: string[];
}

/** Marks of rules diagrams; each kind has a shape of its own. */
export type MarkKind = "move" | "capture" | "both" | "from" | "area" | "goal" | "promotion";

export interface Mark {
  square: number;
  kind: MarkKind;
}

/** Colors of arrows and circles. */
export type Brush = "green" | "red" | "blue" | "yellow";

/** An arrow; a circle if both squares are the same. */
export interface DrawnShape {
  from: number;
  to: number;
  brush: Brush;
}

export type Movable = Color | "both" | "none";

/** How the user asks about a piece: the mouse rests on it, a finger is held on it, or `?` is pressed. */
export type InspectTrigger = "mouse" | "finger" | "key";

/** A piece that the user asks about; its square is null if it was captured. */
export interface Inspection {
  piece: { square: number | null; role: string; color: Color };
  trigger: InspectTrigger;
  /** The middle of its square in the window, and half the width of the square, in pixels. */
  center: Point;
  radius: number;
}

/** The `detail` of the board's events. */
export interface BoardEvents {
  /** The user has moved; `premove` if the move was entered before the turn came. */
  move: { move: string; from: number; to: number; premove: boolean };
  premove: { from: number; to: number; suffix: string | null };
  "premove-cancelled": { reason: "user" | "illegal" };
  select: { square: number | null };
  /** The user asks about a piece; null: the user has closed the answer. */
  inspect: { inspection: Inspection | null };
  /** The board needs `reach`, at least for this square. */
  "reach-wanted": { square: number };
  drawn: { shapes: DrawnShape[] };
  /** A torus was scrolled; the file and rank now at the lower left. */
  scrolled: { file: number; rank: number };
}
