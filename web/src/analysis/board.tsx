/** The board of the page: connects `<loz-board>` with the analysis. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import type { BoardEvents, DrawnShape, ViewName } from "../board/types.ts";
import type { Analysis } from "./analysis.ts";
import { piecesOf, turnOf } from "../common/fen.ts";
import { useAnalysis } from "./hooks.ts";
import { t } from "./texts.ts";

export interface DisplayOptions {
  view: ViewName;
  flipped: boolean;
  arrow: boolean;
  /** Whether variations are written within the text of the moves. */
  inline: boolean;
}

/** The arrow of a move in long algebraic form. */
export function arrowOf(board: LozBoard, uci: string | undefined, brush: DrawnShape["brush"]): DrawnShape[] {
  const [, from, to] = /^([a-z]\d+)([a-z]\d+)/.exec(uci ?? "") ?? [];
  const squareIndex = (name: string | undefined): number => board.board?.squares.findIndex((square) => square.name === name) ?? -1;
  const shape = { from: squareIndex(from), to: squareIndex(to), brush };
  return shape.from < 0 || shape.to < 0 ? [] : [shape];
}

function update(board: LozBoard, analysis: Analysis, display: DisplayOptions): void {
  const { node, position } = analysis;
  const geometry = analysis.board;
  board.announcesMoves = !analysis.isBrowsing;
  board.pieces = piecesOf(geometry, node.fen);
  board.last = node.last;
  board.check = node.check;
  board.turn = turnOf(node.fen);
  board.castlings = position?.castlings ?? [];
  board.destinations = position?.legal.map(({ uci }) => uci) ?? [];
  if (board.drawings !== node.shapes) board.drawings = node.shapes;
  const showsBestMove = analysis.isEngineOn && !analysis.isEngineHidden && display.arrow;
  const best = showsBestMove ? arrowOf(board, analysis.info?.lines[0]?.pv[0], "blue") : [];
  const threat = analysis.showsThreat ? arrowOf(board, analysis.threatInfo?.lines[0]?.pv[0], "red") : [];
  const hints = [...best, ...threat];
  if (JSON.stringify(hints) !== JSON.stringify(board.hints)) board.hints = hints;
}

/** The scroll distance for one half move, in pixels. */
const WHEEL_STEP = 60;

function handleEvents(board: LozBoard, analysis: Analysis): () => void {
  const controller = new AbortController();
  const on = <K extends keyof BoardEvents>(name: K, listener: (detail: BoardEvents[K]) => void): void =>
    board.addEventListener(name, (event) => listener((event as CustomEvent<BoardEvents[K]>).detail), controller);
  on("move", ({ move }) => void analysis.play(move));
  on("drawn", ({ shapes }) => analysis.setShapes(shapes));
  let scrolled = 0;
  const onWheel = (event: WheelEvent): void => {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    scrolled = Math.sign(scrolled) === Math.sign(event.deltaY) ? scrolled + event.deltaY : event.deltaY;
    if (Math.abs(scrolled) < WHEEL_STEP) return;
    const { node } = analysis;
    analysis.view((scrolled > 0 ? node.children[0] : node.parent) ?? node);
    scrolled = 0;
  };
  board.addEventListener("wheel", onWheel, { signal: controller.signal, passive: false });
  return () => controller.abort();
}

export function Board({ board, display }: { board: LozBoard; display: DisplayOptions }) {
  const analysis = useAnalysis();
  const container = useRef<HTMLDivElement>(null);
  const handledRefusals = useRef(0);

  useLayoutEffect(() => {
    container.current?.prepend(board);
    return handleEvents(board, analysis);
  }, [board, analysis]);

  useLayoutEffect(() => {
    board.view = display.view;
    board.turns = display.flipped ? 2 : 0;
    void board.updated.then(() => {
      const page = container.current?.closest<HTMLElement>(".a-page");
      page?.style.setProperty("--a-aspect", String(board.aspect));
    });
  }, [board, display.view, display.flipped]);

  useLayoutEffect(() => {
    if (analysis.refusals !== handledRefusals.current) {
      handledRefusals.current = analysis.refusals;
      board.reset();
    }
    update(board, analysis, display);
  });

  return <div class="a-stage" ref={container} role="region" aria-label={t("board")} />;
}
