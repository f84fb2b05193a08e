/** The move that the user has entered on the board of a page, until it is answered. Not here: what the answer changes. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";

/** One for each board. `Move` is what the page has to know of a move that waits; pages with a phase for that wait without. */
export class EnteredMove<Move = never> {
  /** The move that waits for its answer. The board shows it, and takes no other. */
  waiting: Move | null = null;
  /** The number of refused moves, after each of which the board takes its move back. */
  refusals = 0;

  enter(move: Move): void {
    this.waiting = move;
  }

  /** The move is answered or no longer matters; the board shows the position of the page. */
  settle(): void {
    this.waiting = null;
  }

  /** The move is refused, here or by the server. */
  refuse(): void {
    this.waiting = null;
    this.refusals += 1;
  }
}

/** Takes each refused move back on the board. To be called before the effect that updates the board. */
export function useRefusals(board: LozBoard, { refusals }: EnteredMove<unknown>): void {
  const handled = useRef(refusals);
  useLayoutEffect(() => {
    if (refusals === handled.current) return;
    handled.current = refusals;
    board.reset();
  });
}
