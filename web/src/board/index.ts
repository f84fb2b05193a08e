/** The board for pages: importing this defines `<loz-board>`. */
import { LozBoard } from "./element.ts";

if (!customElements.get("loz-board")) customElements.define("loz-board", LozBoard);

declare global {
  interface HTMLElementTagNameMap {
    "loz-board": LozBoard;
  }
}

export { brushFor } from "./arrows.ts";
export { Destinations, readMove } from "./destinations.ts";
export { play, setSound, soundOn } from "./sounds.ts";
export { symbolId } from "./sprite.ts";
export { ENGLISH, type Texts } from "./texts.ts";
export type * from "./types.ts";
export { LozBoard };
