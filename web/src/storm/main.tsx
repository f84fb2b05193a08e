/** The entry of the storm. */
import "../common/every.ts";
import "../../styles/level.css";
import "../../styles/puzzle.css";
import "../../styles/coordinates.css";
import "../board/index.ts";
import { render } from "preact";
import { makeBoard } from "../common/make_board.ts";
import type { Board } from "../board/types.ts";
import { pageData } from "../common/page.ts";
import { SessionContext } from "./hooks.ts";
import { StormPage } from "./page.tsx";
import { Session, siteServices } from "./session.ts";

const root = document.getElementById("storm");
if (root) {
  const geometry = pageData<Board>("board");
  const session = new Session(geometry, siteServices(geometry.variant));
  const board = makeBoard();
  root.replaceChildren();
  render(
    <SessionContext.Provider value={session}>
      <StormPage board={board} />
    </SessionContext.Provider>,
    root,
  );
  void session.begin();
}
