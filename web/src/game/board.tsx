/** The board of the page: connects `<loz-board>` with the session. */
import type { LozBoard } from "../board/index.ts";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { BoardEvents, ViewName } from "../board/types.ts";
import { onBoardEvent, stepByWheel, useBoardStage } from "../common/board_stage.ts";
import { useRefusals } from "../common/entered_move.ts";
import { piecesOf, turnOf } from "../common/fen.ts";
import { mustConfirmMoves } from "../common/settings.ts";
import type { ReachLoader } from "./reach_loader.ts";
import { isOver, positionAt } from "./record.ts";
import type { GameSession } from "./session.ts";
import { isMulti } from "./seats.ts";
import { t } from "./texts.ts";
import { useSession } from "./hooks.ts";

export interface DisplayOptions {
  view: ViewName;
  /** Quarter turns to the left. */
  turns: number;
}

const NO_MOVES: readonly string[] = [];

/** Whether the board shows a move that the server has not answered yet. */
const isBoardAhead = (session: GameSession): boolean =>
  session.viewedPly === null && session.entered.waiting?.ply === session.game.state.ply;

function updateBoard(board: LozBoard, session: GameSession): void {
  const { game } = session;
  const geometry = board.board;
  if (!geometry) return;
  const isLatest = session.viewedPly === null;
  const position = positionAt(game, session.ply);
  board.announcesMoves = !session.isBrowsing;
  board.pieces = piecesOf(geometry, position.fen);
  board.last = position.last;
  board.check = position.check;
  // The border of a board of four is of the position that is shown.
  board.turn = isMulti(game) ? (isLatest && game.state.status !== "started" ? null : turnOf(position.fen)) : game.state.turn;
  board.castlings = isLatest ? game.state.castlings : [];
  board.destinations = session.canMove ? game.state.moves : NO_MOVES;
  const hint = isLatest && session.hint?.ply === game.state.ply ? session.hint : null;
  const [from, to] = hint?.squares ?? [];
  board.hints = from !== undefined && to !== undefined ? [{ from, to, brush: "blue" }] : [];
  const playerColor = isLatest && game.state.status === "started" && game.you;
  board.movable = playerColor ? playerColor : "none";
  board.premove = !isMulti(game);
}

/** Handles the board's events until the returned function is called. The wheel steps through the moves of a finished game. */
function handleEvents(board: LozBoard, session: GameSession, reach: ReachLoader): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let currentPremove: BoardEvents["premove"] | null = null;
  // A premove needs no confirmation.
  onBoardEvent(board, signal, "move", ({ move, premove }) => (premove ? session.play(move) : session.enterMove(move, mustConfirmMoves(board.board))));
  onBoardEvent(board, signal, "reach-wanted", () => void reach.load());
  onBoardEvent(board, signal, "premove", (premove) => {
    currentPremove = premove;
    session.clearProblem();
  });
  onBoardEvent(board, signal, "premove-cancelled", ({ reason }) => {
    if (reason === "illegal" && currentPremove) session.showProblem(t("premove_dropped", { move: premoveText(board, currentPremove) }));
  });
  stepByWheel(board, signal, (by) => session.view(session.ply + by), () => isOver(session.game));
  return () => controller.abort();
}

/** A premove in the form in which it is typed. */
function premoveText(board: LozBoard, { from, to, suffix }: BoardEvents["premove"]): string {
  const name = (square: number): string => board.board?.squares[square]?.name ?? "";
  return name(from) + name(to) + (suffix ?? "");
}

export function Board({ board, display, reach }: { board: LozBoard; display: DisplayOptions; reach: ReachLoader }) {
  const session = useSession();
  const handledTakebacks = useRef(0);

  useLayoutEffect(() => updateBoard(board, session), [board, session]);
  const container = useBoardStage(board, display.view, display.turns, "g");
  useLayoutEffect(() => handleEvents(board, session, reach), [board, session, reach]);
  useRefusals(board, session.entered);
  // A layout effect, so that board and page always show the same position.
  useLayoutEffect(() => {
    if (session.takebacks !== handledTakebacks.current) {
      handledTakebacks.current = session.takebacks;
      board.cancelPremove();
    }
    if (!isBoardAhead(session)) updateBoard(board, session);
    // Its turn will not come.
    if (isOver(session.game) && board.selection.premove) board.cancelPremove();
    reach.update();
  });

  return <div class="g-stage" ref={container} role="region" aria-label={t("board")} />;
}
