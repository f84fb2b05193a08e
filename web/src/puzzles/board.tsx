/** The board of the page. */
import { type DisplayOptions, Stage } from "../analysis/stage.tsx";
import type { LozBoard } from "../board/index.ts";
import { piecesOf, turnOf } from "../common/fen.ts";
import { useSolver } from "./hooks.ts";
import type { Solver } from "./solver.ts";
import { t } from "./texts.ts";

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
  return (
    <Stage
      board={board}
      display={display}
      label={t("board")}
      isBlack={solver.side === "black"}
      entered={solver.entered}
      play={(move) => void solver.play(move)}
      update={(board) => update(board, solver)}
    />
  );
}
