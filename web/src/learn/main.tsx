/** The entry of a course's page. Its address ends with `#` and the level that is open. */
import "../common/plain.ts";
import "../../styles/game.css";
import "../../styles/analysis.css";
import "../../styles/learn.css";
import "../board/index.ts";
import { render } from "preact";
import { makeBoard } from "../common/make_board.ts";
import { pageData } from "../common/page.ts";
import type { Board } from "../board/types.ts";
import { SessionContext } from "./hooks.ts";
import { LearnPage } from "./page.tsx";
import { Session, siteServices } from "./session.ts";

const root = document.getElementById("learn");
const opening = document.getElementById("opening");
if (root && opening) {
  const board = pageData<Board>("board");
  const session = new Session(board, siteServices(board));
  const element = makeBoard();
  root.replaceChildren();
  render(
    <SessionContext.Provider value={session}>
      <LearnPage board={element} opening={opening} />
    </SessionContext.Provider>,
    root,
  );
  const follow = (): void => session.follow(decodeURIComponent(location.hash.slice(1)));
  addEventListener("hashchange", follow);
  follow();
  void session.load();
}
