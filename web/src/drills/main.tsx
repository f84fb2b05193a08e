/** The entry of the page of endings. Its address ends with `#` and the class that is open. */
import "../common/every.ts";
import "../../styles/level.css";
import "../../styles/opening.css";
import "../../styles/learn.css";
import "../../styles/drill.css";
import "../board/index.ts";
import { makeBoard } from "../common/make_board.ts";
import type { Board } from "../board/types.ts";
import { pageData } from "../common/page.ts";
import { renderParts } from "../common/session_context.ts";
import { Classes } from "./classes.tsx";
import { SessionContext } from "./hooks.ts";
import { DrillsPage } from "./page.tsx";
import { Session, siteServices } from "./session.ts";

const root = document.getElementById("drill");
const opening = document.getElementById("opening");
if (root && opening) {
  const board = pageData<Board>("board");
  const session = new Session(board, siteServices(board.variant));
  const element = makeBoard();
  root.replaceChildren();
  renderParts(SessionContext, session, {
    drill: <DrillsPage board={element} opening={opening} />,
    "drill-classes": <Classes />,
  });
  const follow = (): void => session.follow(decodeURIComponent(location.hash.slice(1)));
  addEventListener("hashchange", follow);
  follow();
  void session.load();
}
