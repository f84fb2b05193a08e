/**
 * The view of a board wherever it is shown: that of its game, which the server's pictures have, too, until the player turns
 * the board of this game. On a phone, boards with small squares have level ranks.
 */
import { isSmallOnPhone } from "../board/small_squares.ts";
import { load, store } from "../board/storage.ts";
import type { Board, ViewName } from "../board/types.ts";

const keyOf = (rules: string): string => `lozenge.turned.${rules}`;

type Shown = Pick<Board, "view" | "files" | "ranks">;

const usualView = (board: Shown): ViewName => (isSmallOnPhone(board) ? "square" : board.view);

/** The view that the player has chosen, or the usual one. `rules` is the id by which the rules are requested. */
export function viewOf(rules: string, board: Shown): ViewName {
  const chosen = load(keyOf(rules));
  return chosen === "diamond" || chosen === "square" ? chosen : usualView(board);
}

/** Stores a view, if it is not the usual one. */
export function keepView(rules: string, board: Shown, view: ViewName): void {
  store(keyOf(rules), view === usualView(board) ? null : view);
}
