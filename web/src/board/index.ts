/**
 * The board for pages: importing this defines `<loz-board>`.
 *
 * ```html
 * <loz-board movable="white" premove sound></loz-board>
 * ```
 * ```ts
 * board.board = geometry;               // once for a game
 * board.pieces = state.men;                // a new array is the truth; the same array changes nothing
 * board.last = state.last;
 * board.check = state.check;
 * board.destinations = state.moves;
 * board.castlings = state.castlings;
 * board.turn = state.turn;
 * board.reach = reach;                  // when it is known; `reach-wanted` asks for it
 * board.addEventListener("move", (event) => send(event.detail.move));
 * ```
 * After a move of the user the board shows it at once and takes no other until `pieces` or `destinations` are
 * set; `reset()` takes it back when the page was refused. A premove is played by the board itself: when the
 * turn comes `move` is said with `premove: true`, or `premove-cancelled` when it is not legal.
 *
 * Attributes: `view` (diamond, square; otherwise as the game is usually shown), `flipped`, `movable` (white,
 * black, both, none), `premove`, `sound`, `static` (a picture: no input, no coordinates, no ring), `ring`,
 * `coordinates="off"`, `hover-reach="off"`, `show-destinations="off"`, `sprite` (address of the pieces, usually
 * `/men.svg`), `theme` (oak, lake, contrast; otherwise heather). Colors are custom properties `--loz-...`,
 * see `style`; they follow the page's `color-scheme`. The board is as wide as its element; `--loz-aspect`
 * on it is its width by its height, for pages that must fit it.
 */
import { LozBoard } from "./element.ts";
import { prepareSounds } from "./sounds.ts";

if (!customElements.get("loz-board")) {
  customElements.define("loz-board", LozBoard);
  prepareSounds();
}

declare global {
  interface HTMLElementTagNameMap {
    "loz-board": LozBoard;
  }
}

export { brushFor } from "./arrows.ts";
export { Destinations, readMove } from "./destinations.ts";
export { play, setSound, soundOn, watchSound } from "./sounds.ts";
export { symbolId } from "./sprite.ts";
export { ENGLISH, type Texts } from "./texts.ts";
export type * from "./types.ts";
export { LozBoard };
