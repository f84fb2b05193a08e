/** The entry of a course's page. Its address ends with `#` and the level that is open. */
import "../common/every.ts";
import "../../styles/level.css";
import "../../styles/opening.css";
import "../../styles/learn.css";
import "../board/index.ts";
import { makeBoard } from "../common/make_board.ts";
import { pageData } from "../common/page.ts";
import { renderParts } from "../common/session_context.ts";
import type { Board } from "../board/types.ts";
import { SessionContext } from "./hooks.ts";
import { Levels, Overview } from "./overview.tsx";
import { LearnPage } from "./page.tsx";
import { Session, siteServices } from "./session.ts";

const root = document.getElementById("learn");
const opening = document.getElementById("opening");
if (root && opening) {
  const board = pageData<Board>("board");
  const session = new Session(board, siteServices(board));
  const element = makeBoard();
  root.replaceChildren();
  renderParts(SessionContext, session, {
    learn: <LearnPage board={element} opening={opening} />,
    "course-start": <Overview />,
    "course-levels": <Levels />,
  });
  const follow = (): void => session.follow(decodeURIComponent(location.hash.slice(1)));
  addEventListener("hashchange", follow);
  follow();
  void session.load();
}
