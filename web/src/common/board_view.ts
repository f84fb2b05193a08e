/**
 * The view of a board wherever it is shown: that of its game, which the server's pictures have, too, until the player turns
 * the board of this game.
 */
import { load, store } from "../board/storage.ts";
import type { ViewName } from "../board/types.ts";

const keyOf = (rules: string): string => `lozenge.turned.${rules}`;

/** The view that the player has chosen, or that of the game. `rules` is the id by which the rules are requested. */
export function viewOf(rules: string, usual: ViewName): ViewName {
  const chosen = load(keyOf(rules));
  return chosen === "diamond" || chosen === "square" ? chosen : usual;
}

/** Stores a view, if it is not that of the game. */
export function keepView(rules: string, usual: ViewName, view: ViewName): void {
  store(keyOf(rules), view === usual ? null : view);
}
