/** The board of a level. */
import { type DisplayOptions, Stage } from "../analysis/stage.tsx";
import type { LozBoard } from "../board/index.ts";
import type { DrawnShape, Mark } from "../board/types.ts";
import { piecesOf, turnOf } from "../common/fen.ts";
import { learnerOf } from "./course.ts";
import { useSession } from "./hooks.ts";
import type { Session } from "./session.ts";
import { t } from "./texts.ts";

function update(board: LozBoard, session: Session): void {
  const { fen, step, state } = session;
  const number = (name: string): number => session.board.squares.findIndex((square) => square.name === name);
  board.pieces = piecesOf(session.board, fen);
  board.last = step?.last ?? [];
  board.check = (session.canMove ? state?.check : step?.check) ?? null;
  board.turn = turnOf(fen);
  board.movable = session.canMove ? learnerOf(session.board) : "none";
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
  return (
    <Stage
      board={board}
      display={display}
      label={t("board")}
      entered={session.entered}
      play={(move) => void session.play(move)}
      update={(board) => update(board, session)}
    />
  );
}
