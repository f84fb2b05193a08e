/**
 * The board for pages. Importing this module defines `<loz-board>`.
 *
 * ```html
 * <loz-board movable="white" premove sound></loz-board>
 * ```
 * ```ts
 * board.board = geometry;               // once for each game
 * board.pieces = state.pieces;             // a new array replaces the position; the same array changes nothing
 * board.last = state.last;
 * board.check = state.check;
 * board.destinations = state.moves;
 * board.castlings = state.castlings;
 * board.turn = state.turn;
 * board.reach = reach;                  // as soon as it is known; the event `reach-wanted` asks for it
 * board.inspectable = true;             // the event `inspect` asks to explain a piece
 * board.addEventListener("move", (event) => send(event.detail.move));
 * ```
 * A move of the user is shown at once. The board accepts no other move until `pieces` or `destinations` are set;
 * `reset()` takes a refused move back. The board itself plays a premove when the turn comes: it sends `move` with
 * `premove: true`, or `premove-cancelled` if the move is illegal.
 *
 * Attributes: `view` (diamond, square; otherwise the usual view of the game), `turns` (quarter turns to the left),
 * `movable` (a color, both, none), `premove`, `sound`, `static` (a picture: no input, no coordinates, no ring), `ring`, `coordinates="off"`,
 * `hover-reach="off"`, `show-destinations="off"`, `sprite` (address of the pictures, usually `/pieces.svg`), `theme` (oak,
 * lake, contrast; otherwise heather). Colors are custom properties `--loz-...`, see `style`; they follow the page's
 * `color-scheme`. The board is as wide as its element; the element's `--loz-aspect` is its width by its height.
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
export { play, setSound, isSoundOn, onSoundChange } from "./sounds.ts";
export { symbolAddress } from "./sprite.ts";
export { ENGLISH, type Texts } from "./texts.ts";
export type * from "./types.ts";
export { LozBoard };
