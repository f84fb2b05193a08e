/** The board of the page: connects `<loz-board>` with the solver. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import type { BoardEvents, ViewName } from "../board/types.ts";
import { useSolver } from "./hooks.ts";
import type { Solver } from "./solver.ts";
import { t } from "./texts.ts";
import { turnOf } from "../analysis/fen.ts";

export interface Look {
  view: ViewName;
  /** Whether the board is seen from the other side than the solver's. */
  flipped: boolean;
}

/** The position that the board shows, so that it is not set again with every change. */
let shown = "";

function update(board: LozBoard, solver: Solver): void {
  const { fen, step, legal, hintSquare } = solver;
  board.narrated = !solver.isBrowsing;
  const key = `${solver.puzzle.id} ${solver.at} ${fen}`;
  if (shown !== key) {
    shown = key;
    board.pieces = solver.pieces();
  }
  board.last = step?.last ?? [];
  board.check = step?.check ?? null;
  board.turn = turnOf(fen);
  board.movable = solver.isAwaited ? solver.side : "none";
  board.castlings = legal?.castlings ?? [];
  board.destinations = legal?.legal.map(({ uci }) => uci) ?? [];
  const hints = hintSquare === null ? [] : [{ from: hintSquare, to: hintSquare, brush: "green" as const }];
  if (JSON.stringify(hints) !== JSON.stringify(board.hints)) board.hints = hints;
}

export function Board({ board, look }: { board: LozBoard; look: Look }) {
  const solver = useSolver();
  const place = useRef<HTMLDivElement>(null);
  const refused = useRef(0);

  useLayoutEffect(() => {
    place.current?.prepend(board);
    const listener = (event: Event): void => {
      shown = "";
      void solver.play((event as CustomEvent<BoardEvents["move"]>).detail.move);
    };
    board.addEventListener("move", listener);
    return () => board.removeEventListener("move", listener);
  }, [board, solver]);

  const black = solver.side === "black";
  useLayoutEffect(() => {
    board.view = look.view;
    board.flipped = look.flipped !== black;
    void board.updated.then(() => {
      place.current?.closest<HTMLElement>(".a-page")?.style.setProperty("--a-aspect", String(board.aspect));
    });
  }, [board, look.view, look.flipped, black]);

  useLayoutEffect(() => {
    if (solver.refusals !== refused.current) {
      refused.current = solver.refusals;
      shown = "";
      board.reset();
    }
    update(board, solver);
  });

  return <div class="a-stage" ref={place} role="region" aria-label={t("board")} />;
}
