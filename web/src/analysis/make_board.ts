/** Makes a board on which both sides move, for analyses, studies, puzzles and lessons. Not here: what it shows. */
import type { LozBoard } from "../board/index.ts";
import { boardTexts } from "../common/board_texts.ts";
import { explainPieces } from "../common/inspect.ts";
import { pageData } from "../common/page.ts";
import { applyToBoard } from "../common/settings.ts";

/** Creates the element, once. */
export function makeBoard(): LozBoard {
  const board = document.createElement("loz-board");
  board.board = pageData("board");
  board.texts = boardTexts();
  board.sound = true;
  applyToBoard(board);
  board.movable = "both";
  explainPieces(board);
  return board;
}
