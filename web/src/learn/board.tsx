/** The board of a level: connects `<loz-board>` with the session. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import type { BoardEvents, DrawnShape, Mark, ViewName } from "../board/types.ts";
import { piecesOf, turnOf } from "../common/fen.ts";
import { useSession } from "./hooks.ts";
import type { Session } from "./session.ts";
import { t } from "./texts.ts";

export interface DisplayOptions {
  view: ViewName;
  flipped: boolean;
}

function update(board: LozBoard, session: Session): void {
  const { fen, step, state } = session;
  const number = (name: string): number => session.board.squares.findIndex((square) => square.name === name);
  board.pieces = piecesOf(session.board, fen);
  board.last = step?.last ?? [];
  board.check = (session.canMove ? state?.check : step?.check) ?? null;
  board.turn = turnOf(fen);
  board.movable = session.canMove ? "white" : "none";
  board.castlings = session.canMove ? (state?.castlings ?? []) : [];
  board.destinations = session.canMove ? (state?.legal.map(({ uci }) => uci) ?? []) : [];
  const stars = session.starsLeft.map(number);
  const taken = new Set(board.pieces.map(({ square }) => square));
  const marks: Mark[] = stars.filter((square) => !taken.has(square)).map((square) => ({ square, kind: "goal" }));
  if (JSON.stringify(marks) !== JSON.stringify(board.marks)) board.marks = marks;
  const arrows: DrawnShape[] = session.arrows.map(([from, to]) => ({ from: number(from), to: number(to), brush: "green" }));
  // A star below a piece would not be seen.
  const circles: DrawnShape[] = stars.filter((square) => taken.has(square)).map((square) => ({ from: square, to: square, brush: "yellow" }));
  const hints = [...circles, ...arrows];
  if (JSON.stringify(hints) !== JSON.stringify(board.hints)) board.hints = hints;
}

export function Board({ board, display }: { board: LozBoard; display: DisplayOptions }) {
  const session = useSession();
  const container = useRef<HTMLDivElement>(null);
  const handledRefusals = useRef(session.refusals);

  useLayoutEffect(() => {
    container.current?.prepend(board);
    const listener = (event: Event): void => void session.play((event as CustomEvent<BoardEvents["move"]>).detail.move);
    board.addEventListener("move", listener);
    return () => board.removeEventListener("move", listener);
  }, [board, session]);

  useLayoutEffect(() => {
    board.view = display.view;
    board.turns = display.flipped ? 2 : 0;
    void board.updated.then(() => {
      container.current?.closest<HTMLElement>(".a-page")?.style.setProperty("--a-aspect", String(board.aspect));
    });
  }, [board, display.view, display.flipped]);

  useLayoutEffect(() => {
    if (session.refusals !== handledRefusals.current) {
      handledRefusals.current = session.refusals;
      board.reset();
    }
    update(board, session);
  });

  return <div class="a-stage" ref={container} role="region" aria-label={t("board")} />;
}
