/** The entry of the analysis page. */
import "../common/every.ts";
import "../../styles/game.css";
import "../../styles/analysis.css";
import "../board/index.ts";
import { render } from "preact";
import { pageData } from "../common/page.ts";
import { Analysis, type Start } from "./analysis.ts";
import { makeBoard } from "../common/make_board.ts";
import { AnalysisContext } from "./hooks.ts";
import { AnalysisPage } from "./page.tsx";

const root = document.getElementById("analysis");
if (root) {
  const board = makeBoard();
  const analysis = new Analysis(pageData<Start>("data"), pageData("board"));
  root.replaceChildren();
  void analysis.open().then(() => {
    render(
      <AnalysisContext.Provider value={analysis}>
        <AnalysisPage board={board} />
      </AnalysisContext.Provider>,
      root,
    );
  });
}
