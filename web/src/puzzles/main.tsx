/** The entry of the puzzle page. */
import "../common/every.ts";
import "../../styles/game.css";
import "../../styles/analysis.css";
import "../../styles/puzzle.css";
import "../board/index.ts";
import { render } from "preact";
import { makeBoard } from "../common/make_board.ts";
import { pageData } from "../common/page.ts";
import { SolverContext } from "./hooks.ts";
import { PuzzlePage } from "./page.tsx";
import { Solver, type Start } from "./solver.ts";

const root = document.getElementById("puzzle");
if (root) {
  const start = pageData<Start>("data");
  const solver = new Solver(start, pageData("board"));
  const board = makeBoard();
  root.replaceChildren();
  render(
    <SolverContext.Provider value={solver}>
      <PuzzlePage board={board} />
    </SolverContext.Provider>,
    root,
  );
  addEventListener("popstate", () => void solver.follow(location.pathname));
  void solver.open(start.puzzle);
}
