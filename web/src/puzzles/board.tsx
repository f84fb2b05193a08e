/** The board of the page: connects `<loz-board>` with the solver. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import type { BoardEvents, ViewName } from "../board/types.ts";
import { useSolver } from "./hooks.ts";
import type { Solver } from "./solver.ts";
import { t } from "./texts.ts";
import { piecesOf, turnOf } from "../common/fen.ts";

export interface DisplayOptions {
  view: ViewName;
  /** Whether the board is seen from the other side than the solver's. */
  flipped: boolean;
}

function update(board: LozBoard, solver: Solver): void {
  const { fen, step, legal, hintSquare } = solver;
  board.announcesMoves = !solver.isBrowsing;
  board.pieces = piecesOf(solver.board, fen);
  board.last = step?.last ?? [];
  board.check = step?.check ?? null;
  board.turn = turnOf(fen);
  board.movable = solver.canMove ? solver.side : "none";
  board.castlings = legal?.castlings ?? [];
  board.destinations = legal?.legal.map(({ uci }) => uci) ?? [];
  const hints = hintSquare === null ? [] : [{ from: hintSquare, to: hintSquare, brush: "green" as const }];
  if (JSON.stringify(hints) !== JSON.stringify(board.hints)) board.hints = hints;
}

export function Board({ board, display }: { board: LozBoard; display: DisplayOptions }) {
  const solver = useSolver();
  const container = useRef<HTMLDivElement>(null);
  const handledRefusals = useRef(0);

  useLayoutEffect(() => {
    container.current?.prepend(board);
    const listener = (event: Event): void => void solver.play((event as CustomEvent<BoardEvents["move"]>).detail.move);
    board.addEventListener("move", listener);
    return () => board.removeEventListener("move", listener);
  }, [board, solver]);

  const isBlack = solver.side === "black";
  useLayoutEffect(() => {
    board.view = display.view;
    board.turns = display.flipped !== isBlack ? 2 : 0;
    void board.updated.then(() => {
      container.current?.closest<HTMLElement>(".a-page")?.style.setProperty("--a-aspect", String(board.aspect));
    });
  }, [board, display.view, display.flipped, isBlack]);

  useLayoutEffect(() => {
    if (solver.refusals !== handledRefusals.current) {
      handledRefusals.current = solver.refusals;
      board.reset();
    }
    update(board, solver);
  });

  return <div class="a-stage" ref={container} role="region" aria-label={t("board")} />;
}
