/** The board of the page: connects `<loz-board>` with the analysis. */
import { useLayoutEffect } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import type { DrawnShape, ViewName } from "../board/types.ts";
import type { Analysis } from "./analysis.ts";
import { onBoardEvent, stepByWheel, useBoardStage } from "../common/board_stage.ts";
import { useRefusals } from "../common/entered_move.ts";
import { piecesOf, turnOf } from "../common/fen.ts";
import { useAnalysis } from "./hooks.ts";
import { t } from "./texts.ts";

export interface DisplayOptions {
  view: ViewName;
  /** Quarter turns to the left. */
  turns: number;
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
  // The border of a board of four is of the player to move.
  board.turn = analysis.isMulti && position !== null && position.result !== "*" ? null : turnOf(node.fen);
  board.castlings = position?.castlings ?? [];
  board.destinations = position?.legal.map(({ uci }) => uci) ?? [];
  if (board.drawings !== node.shapes) board.drawings = node.shapes;
  const showsBestMove = analysis.isEngineOn && !analysis.isEngineHidden && display.arrow;
  const best = showsBestMove ? arrowOf(board, analysis.info?.lines[0]?.pv[0], "blue") : [];
  const threat = analysis.showsThreat ? arrowOf(board, analysis.threatInfo?.lines[0]?.pv[0], "red") : [];
  const hints = [...best, ...threat];
  if (JSON.stringify(hints) !== JSON.stringify(board.hints)) board.hints = hints;
}

/** Handles the board's events until the returned function is called. */
function handleEvents(board: LozBoard, analysis: Analysis): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  onBoardEvent(board, signal, "move", ({ move }) => void analysis.play(move));
  onBoardEvent(board, signal, "drawn", ({ shapes }) => analysis.setShapes(shapes));
  stepByWheel(board, signal, (by) => {
    const { node } = analysis;
    analysis.view((by > 0 ? node.children[0] : node.parent) ?? node);
  });
  return () => controller.abort();
}

export function Board({ board, display }: { board: LozBoard; display: DisplayOptions }) {
  const analysis = useAnalysis();
  const container = useBoardStage(board, display.view, display.turns);
  useLayoutEffect(() => handleEvents(board, analysis), [board, analysis]);
  useRefusals(board, analysis.entered);
  useLayoutEffect(() => update(board, analysis, display));
  return <div class="a-stage" ref={container} role="region" aria-label={t("board")} />;
}
