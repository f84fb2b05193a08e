/** The entry of the game page. */
import "../common/every.ts";
import "../../styles/game.css";
import "../board/index.ts";
import { render } from "preact";
import { play } from "../board/sounds.ts";
import { pageData } from "../common/page.ts";
import { makeBoard } from "../common/make_board.ts";
import { GamePage } from "./page.tsx";
import type { Game } from "./record.ts";
import { GameSession } from "./session.ts";
import { SessionContext } from "./hooks.ts";

const root = document.getElementById("game");
if (root) {
  const session = new GameSession(pageData<Game>("data"));
  session.onEnd(() => play("end"));
  const { array, puzzles } = root.dataset;
  root.replaceChildren();
  render(
    <SessionContext.Provider value={session}>
      <GamePage board={makeBoard()} array={array} hasPuzzles={puzzles !== undefined} />
    </SessionContext.Provider>,
    root,
  );
  // `#12` in the address opens the position after ply 12.
  const [, ply] = /^#(\d{1,6})$/.exec(location.hash) ?? [];
  if (ply !== undefined) session.view(Number(ply));
  session.connection.start();
}
