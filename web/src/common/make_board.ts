/** Makes the board of a page. Not here: what it shows. */
import type { LozBoard } from "../board/index.ts";
import { boardTexts } from "./board_texts.ts";
import { explainPieces } from "./inspect.ts";
import { pageData } from "./page.ts";
import { applyToBoard } from "./settings.ts";

/** Creates the element, once. Both sides move on it until the page says otherwise. */
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
