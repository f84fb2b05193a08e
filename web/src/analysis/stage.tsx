/** The board of a page on which moves are found: places `<loz-board>` in the page. Not here: what the board shows. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import type { BoardEvents, ViewName } from "../board/types.ts";

export interface DisplayOptions {
  view: ViewName;
  /** Whether the board is seen from the other side than the player's. */
  flipped: boolean;
}

interface StageProps {
  board: LozBoard;
  display: DisplayOptions;
  label: string;
  /** Whether the player has the black pieces. */
  isBlack?: boolean;
  /** The number of refused moves, after each of which the board takes its move back. */
  refusals: number;
  play: (move: string) => void;
  /** Brings the board up to date, with every rendering. */
  update: (board: LozBoard) => void;
}

export function Stage({ board, display, label, isBlack = false, refusals, play, update }: StageProps) {
  const container = useRef<HTMLDivElement>(null);
  const handledRefusals = useRef(refusals);
  const latestPlay = useRef(play);
  latestPlay.current = play;

  useLayoutEffect(() => {
    container.current?.prepend(board);
    const listener = (event: Event): void => latestPlay.current((event as CustomEvent<BoardEvents["move"]>).detail.move);
    board.addEventListener("move", listener);
    return () => board.removeEventListener("move", listener);
  }, [board]);

  useLayoutEffect(() => {
    board.view = display.view;
    board.turns = display.flipped === isBlack ? 0 : 2;
    void board.updated.then(() => {
      container.current?.closest<HTMLElement>(".a-page")?.style.setProperty("--a-aspect", String(board.aspect));
    });
  }, [board, display.view, display.flipped, isBlack]);

  useLayoutEffect(() => {
    if (refusals !== handledRefusals.current) {
      handledRefusals.current = refusals;
      board.reset();
    }
    update(board);
  });

  return <div class="a-stage" ref={container} role="region" aria-label={label} />;
}
