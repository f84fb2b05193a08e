/** The board of a page on which moves are found: places `<loz-board>` in the page. Not here: what the board shows. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import type { ViewName } from "../board/types.ts";
import { onBoardEvent, useBoardStage } from "../common/board_stage.ts";
import { type EnteredMove, useRefusals } from "../common/entered_move.ts";

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
  entered: EnteredMove;
  play: (move: string) => void;
  /** Brings the board up to date, with every rendering. */
  update: (board: LozBoard) => void;
}

export function Stage({ board, display, label, isBlack = false, entered, play, update }: StageProps) {
  const container = useBoardStage(board, display.view, display.flipped === isBlack ? 0 : 2);
  const latestPlay = useRef(play);
  latestPlay.current = play;

  useLayoutEffect(() => {
    const controller = new AbortController();
    onBoardEvent(board, controller.signal, "move", ({ move }) => latestPlay.current(move));
    return () => controller.abort();
  }, [board]);
  useRefusals(board, entered);
  useLayoutEffect(() => update(board));

  return <div class="a-stage" ref={container} role="region" aria-label={label} />;
}
