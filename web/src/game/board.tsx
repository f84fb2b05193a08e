/** The board of the page: connects `<loz-board>` with the session. */
import type { LozBoard } from "../board/index.ts";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { BoardEvents, ViewName } from "../board/types.ts";
import { data } from "../common/data.ts";
import { boardTexts } from "../common/on_board.ts";
import { dress } from "../common/settings.ts";
import type { Reach } from "./reach.ts";
import { isOver, positionAt } from "./record.ts";
import type { Session } from "./session.ts";
import { t } from "./texts.ts";
import { useSession } from "./use.ts";

export interface Look {
  view: ViewName;
  flipped: boolean;
}

/** Creates the element, once. */
export function makeBoard(): LozBoard {
  const board = document.createElement("loz-board");
  board.board = data("board");
  board.texts = boardTexts();
  board.sound = true;
  dress(board);
  board.premove = true;
  return board;
}

const NONE: readonly string[] = [];

/** Whether the board shows a move that the server has not answered yet. */
const runsAhead = (session: Session): boolean =>
  session.viewed === null &&
  [session.pending, session.proposed].some((move) => move?.ply === session.game.state.ply);

function feed(board: LozBoard, session: Session): void {
  const { game } = session;
  const live = session.viewed === null;
  const position = positionAt(game, session.ply);
  board.narrated = !session.walking;
  board.start = game.start_men;
  board.pieces = position.pieces;
  board.last = position.last;
  board.check = position.check;
  board.turn = game.state.turn;
  board.castlings = live ? game.state.castlings : [];
  board.destinations = session.canMove ? game.state.moves : NONE;
  const hint = live && session.hint?.ply === game.state.ply ? session.hint : null;
  const [from, to] = hint?.squares ?? [];
  board.hints = from !== undefined && to !== undefined ? [{ from, to, brush: "blue" }] : [];
  const plays = live && game.state.status === "started" && game.you;
  board.movable = plays ? plays : "none";
}

/** Handles the board's events until the returned function is called. */
function hear(board: LozBoard, session: Session, reach: Reach): () => void {
  const stop = new AbortController();
  const on = <K extends keyof BoardEvents>(name: K, heard: (detail: BoardEvents[K]) => void): void =>
    board.addEventListener(name, (event) => heard((event as CustomEvent<BoardEvents[K]>).detail), stop);
  let waiting: BoardEvents["premove"] | null = null;
  // A premove needs no confirmation.
  on("move", ({ move, premove }) => (premove ? session.play(move) : session.enter(move)));
  on("reach-wanted", () => void reach.ask());
  on("premove", (premove) => {
    waiting = premove;
    session.clearProblem();
  });
  on("premove-cancelled", ({ reason }) => {
    if (reason === "illegal" && waiting) session.complain(t("premove_dropped", { move: written(board, waiting) }));
  });
  return () => stop.abort();
}

/** The scroll distance for one half move, in pixels: a mouse wheel gives about 100 at once, a touchpad a few. */
const STEP = 60;

/** Lets the wheel step through the moves of a finished game, until the returned function is called. */
function walk(board: LozBoard, session: Session): () => void {
  const stop = new AbortController();
  let turned = 0;
  const turn = (event: WheelEvent): void => {
    if (!isOver(session.game) || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
    if (Math.abs(turned) < STEP) return;
    session.view(session.ply + Math.sign(turned));
    turned = 0;
  };
  board.addEventListener("wheel", turn, { signal: stop.signal, passive: false });
  return () => stop.abort();
}

/** A premove in the form in which it is typed. */
function written(board: LozBoard, { from, to, suffix }: BoardEvents["premove"]): string {
  const name = (square: number): string => board.board?.squares[square]?.name ?? "";
  return name(from) + name(to) + (suffix ?? "");
}

export function Board({ board, look, reach }: { board: LozBoard; look: Look; reach: Reach }) {
  const session = useSession();
  const place = useRef<HTMLDivElement>(null);
  const refused = useRef(0);

  useLayoutEffect(() => {
    feed(board, session);
    place.current?.append(board);
    const [deaf, still] = [hear(board, session, reach), walk(board, session)];
    return () => {
      deaf();
      still();
    };
  }, [board, session, reach]);

  useLayoutEffect(() => {
    board.view = look.view;
    board.flipped = look.flipped;
    // The layout of the page depends on the aspect ratio of the board.
    void board.updated.then(() => {
      const page = place.current?.closest<HTMLElement>(".g-page");
      page?.style.setProperty("--g-aspect", String(board.aspect));
    });
  }, [board, look.view, look.flipped]);

  // A layout effect, so that board and page always show the same position.
  useLayoutEffect(() => {
    if (session.refused !== refused.current) {
      refused.current = session.refused;
      board.reset();
    }
    if (!runsAhead(session)) feed(board, session);
    // Its turn will not come.
    if (isOver(session.game) && board.selection.premove) board.cancelPremove();
    reach.follow();
  });

  return <div class="g-stage" ref={place} role="region" aria-label={t("board")} />;
}
