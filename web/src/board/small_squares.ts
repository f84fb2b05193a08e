/** Boards whose squares are smaller than a finger: what they need on a phone. Not here: the loupe. */
import type { Board } from "./types.ts";

type Size = Pick<Board, "files" | "ranks">;

/** On boards with more files or ranks the squares are too small for a finger. */
const MAX_FILES = 10;

const PHONE = "(pointer: coarse) and (max-width: 600px), (pointer: coarse) and (max-height: 600px)";

/** Whether the squares of a board are too small for a finger. */
export const needsLoupe = ({ files, ranks }: Size): boolean => Math.max(files, ranks) > MAX_FILES;

/** Whether they are, on a phone: there the board has level ranks, where squares are larger, and moves are confirmed. */
export const isSmallOnPhone = (board: Size): boolean => needsLoupe(board) && matchMedia(PHONE).matches;
