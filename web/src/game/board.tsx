/** The board of the page: connects `<loz-board>` with the session. */
import type { LozBoard } from "../board/index.ts";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { BoardEvents, ViewName } from "../board/types.ts";
import { pageData } from "../common/page.ts";
import { boardTexts } from "../common/board_texts.ts";
import { piecesOf, turnOf } from "../common/fen.ts";
import { explainPieces } from "../common/inspect.ts";
import { applyToBoard } from "../common/settings.ts";
import type { ReachLoader } from "./reach_loader.ts";
import { isOver, positionAt } from "./record.ts";
import type { GameSession } from "./session.ts";
import { isOfFour } from "./seats.ts";
import { t } from "./texts.ts";
import { useSession } from "./hooks.ts";

export interface DisplayOptions {
  view: ViewName;
  /** Quarter turns to the left. */
  turns: number;
}

/** Creates the element, once. */
export function makeBoard(): LozBoard {
  const board = document.createElement("loz-board");
  board.board = pageData("board");
  board.texts = boardTexts();
  board.sound = true;
  applyToBoard(board);
  explainPieces(board);
  return board;
}

const NO_MOVES: readonly string[] = [];

/** Whether the board shows a move that the server has not answered yet. */
const isBoardAhead = (session: GameSession): boolean =>
  session.viewedPly === null &&
  [session.pending, session.unconfirmed].some((move) => move?.ply === session.game.state.ply);

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
  board.turn = isOfFour(game) ? (isLatest && game.state.status !== "started" ? null : turnOf(position.fen)) : game.state.turn;
  board.castlings = isLatest ? game.state.castlings : [];
  board.destinations = session.canMove ? game.state.moves : NO_MOVES;
  const hint = isLatest && session.hint?.ply === game.state.ply ? session.hint : null;
  const [from, to] = hint?.squares ?? [];
  board.hints = from !== undefined && to !== undefined ? [{ from, to, brush: "blue" }] : [];
  const playerColor = isLatest && game.state.status === "started" && game.you;
  board.movable = playerColor ? playerColor : "none";
  board.premove = !isOfFour(game);
}

/** Handles the board's events until the returned function is called. */
function handleEvents(board: LozBoard, session: GameSession, reach: ReachLoader): () => void {
  const controller = new AbortController();
  const on = <K extends keyof BoardEvents>(name: K, listener: (detail: BoardEvents[K]) => void): void =>
    board.addEventListener(name, (event) => listener((event as CustomEvent<BoardEvents[K]>).detail), controller);
  let currentPremove: BoardEvents["premove"] | null = null;
  // A premove needs no confirmation.
  on("move", ({ move, premove }) => (premove ? session.play(move) : session.enterMove(move)));
  on("reach-wanted", () => void reach.load());
  on("premove", (premove) => {
    currentPremove = premove;
    session.clearProblem();
  });
  on("premove-cancelled", ({ reason }) => {
    if (reason === "illegal" && currentPremove) session.showProblem(t("premove_dropped", { move: premoveText(board, currentPremove) }));
  });
  return () => controller.abort();
}

/** The scroll distance for one half move, in pixels: a mouse wheel gives about 100 at once, a touchpad a few. */
const WHEEL_STEP = 60;

/** Lets the wheel step through the moves of a finished game, until the returned function is called. */
function stepByWheel(board: LozBoard, session: GameSession): () => void {
  const controller = new AbortController();
  let scrolled = 0;
  const onWheel = (event: WheelEvent): void => {
    if (!isOver(session.game) || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    scrolled = Math.sign(scrolled) === Math.sign(event.deltaY) ? scrolled + event.deltaY : event.deltaY;
    if (Math.abs(scrolled) < WHEEL_STEP) return;
    session.view(session.ply + Math.sign(scrolled));
    scrolled = 0;
  };
  board.addEventListener("wheel", onWheel, { signal: controller.signal, passive: false });
  return () => controller.abort();
}

/** A premove in the form in which it is typed. */
function premoveText(board: LozBoard, { from, to, suffix }: BoardEvents["premove"]): string {
  const name = (square: number): string => board.board?.squares[square]?.name ?? "";
  return name(from) + name(to) + (suffix ?? "");
}

export function Board({ board, display, reach }: { board: LozBoard; display: DisplayOptions; reach: ReachLoader }) {
  const session = useSession();
  const container = useRef<HTMLDivElement>(null);
  const handledRefusals = useRef(0);
  const handledTakebacks = useRef(0);

  useLayoutEffect(() => {
    updateBoard(board, session);
    container.current?.append(board);
    const [stopEvents, stopWheel] = [handleEvents(board, session, reach), stepByWheel(board, session)];
    return () => {
      stopEvents();
      stopWheel();
    };
  }, [board, session, reach]);

  useLayoutEffect(() => {
    board.view = display.view;
    board.turns = display.turns;
    // The layout of the page depends on the aspect ratio of the board.
    void board.updated.then(() => {
      const page = container.current?.closest<HTMLElement>(".g-page");
      page?.style.setProperty("--g-aspect", String(board.aspect));
    });
  }, [board, display.view, display.turns]);

  // A layout effect, so that board and page always show the same position.
  useLayoutEffect(() => {
    if (session.refusals !== handledRefusals.current) {
      handledRefusals.current = session.refusals;
      board.reset();
    }
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
