/** Small decisions about what is shown, from what is known. Not here: drawing. */
import type { Hand } from "./hand.ts";
import { NO_TARGETS, type Said } from "./marks.ts";
import type { Board, Piece, Mark, Movable } from "./types.ts";

/** The pieces after one of them was put somewhere; what stood there is gone. */
export function put(pieces: readonly Piece[], from: number, to: number): Piece[] {
  return pieces
    .filter((piece) => piece.square !== to)
    .map((piece) => (piece.square === from ? { ...piece, square: to } : piece));
}

/** Where the focus begins: at the user's own King, or any piece. */
export function firstFocus(board: Board, pieces: readonly Piece[], movable: Movable): number {
  const royal = new Set(board.roles.filter((role) => role.royal).map((role) => role.id));
  const own = movable === "black" ? "black" : "white";
  const king = pieces.find((piece) => royal.has(piece.role) && piece.color === own);
  return king?.square ?? pieces[0]?.square ?? 0;
}

export interface Known {
  last: readonly number[];
  check: number | null;
  hovered: number | null;
  /** Under a dragged piece. */
  over: number | null;
  marks: readonly Mark[];
  showDestinations: boolean;
}

/** What is to be marked on the board. */
export function said(hand: Hand, known: Known): Said {
  const { selected, premove } = hand;
  const grip = selected === null ? "none" : hand.grip(selected);
  const targets = selected !== null && known.showDestinations ? hand.targets(selected) : NO_TARGETS;
  const looked = selected === null ? known.hovered : grip === "none" ? selected : null;
  return {
    last: [...known.last],
    check: known.check,
    selected,
    targets: grip === "move" ? targets : NO_TARGETS,
    premoveTargets: grip === "premove" ? targets : NO_TARGETS,
    reach: looked === null ? NO_TARGETS : hand.grip(looked) === "move" ? hand.targets(looked) : hand.reach(looked),
    premove: premove && hand.situation.movable !== "none" ? [premove.from, premove.to] : [],
    over: known.over,
    marks: known.marks,
  };
}
