/** The entry of the page of endings. Its address ends with `#` and the class that is open. */
import "../common/every.ts";
import "../../styles/level.css";
import "../../styles/opening.css";
import "../../styles/learn.css";
import "../../styles/drill.css";
import "../board/index.ts";
import { type ComponentChild, render } from "preact";
import { makeBoard } from "../common/make_board.ts";
import type { Board } from "../board/types.ts";
import { pageData } from "../common/page.ts";
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
  const show = (content: ComponentChild, place: HTMLElement | null): void => {
    if (place) render(<SessionContext.Provider value={session}>{content}</SessionContext.Provider>, place);
  };
  show(<DrillsPage board={element} opening={opening} />, root);
  show(<Classes />, document.getElementById("drill-classes"));
  const follow = (): void => session.follow(decodeURIComponent(location.hash.slice(1)));
  addEventListener("hashchange", follow);
  follow();
  void session.load();
}
