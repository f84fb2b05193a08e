/** The entry of the coordinates page. */
import "../common/every.ts";
import "../../styles/level.css";
import "../../styles/learn.css";
import "../../styles/coordinates.css";
import "../board/index.ts";
import { render } from "preact";
import { makeBoard } from "../common/make_board.ts";
import type { Board } from "../board/types.ts";
import { pageData } from "../common/page.ts";
import { SessionContext } from "./hooks.ts";
import { CoordinatesPage } from "./page.tsx";
import { Session } from "./session.ts";

const root = document.getElementById("coordinates");
if (root) {
  const session = new Session(pageData<Board>("board"), { now: Date.now, random: Math.random });
  const board = makeBoard();
  root.replaceChildren();
  render(
    <SessionContext.Provider value={session}>
      <CoordinatesPage board={board} lessons={root.dataset.learn ?? "/learn"} />
    </SessionContext.Provider>,
    root,
  );
}
