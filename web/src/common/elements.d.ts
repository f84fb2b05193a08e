/** Declares `<loz-board>` for JSX. */
import type { LozBoard } from "../board/index.ts";
import "preact";

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "loz-board": JSX.HTMLAttributes<LozBoard> & {
        sprite?: string;
        movable?: string;
        view?: string;
        theme?: string;
        static?: boolean;
        placing?: boolean;
        turns?: number;
        ring?: string;
        coordinates?: string;
        "show-destinations"?: string;
        "hover-reach"?: string;
      };
    }
  }
}
