/** The entry of the editor's page. */
import "../common/every.ts";
import "../../styles/game.css";
import "../../styles/analysis.css";
import "../../styles/editor.css";
import "../board/index.ts";
import { render } from "preact";
import type { Schemas } from "../common/api.ts";
import { boardTexts } from "../common/board_texts.ts";
import { explainPieces } from "../common/inspect.ts";
import { pageData } from "../common/page.ts";
import { applyToBoard } from "../common/settings.ts";
import { EditorPage } from "./page.tsx";

const root = document.getElementById("editor");
if (root) {
  const board = document.createElement("loz-board");
  board.board = pageData("board");
  board.texts = boardTexts();
  board.announcesMoves = false;
  board.hoverReach = false;
  applyToBoard(board);
  explainPieces(board);
  root.replaceChildren();
  render(<EditorPage board={board} start={pageData<Schemas["EditorStart"]>("data")} />, root);
}
