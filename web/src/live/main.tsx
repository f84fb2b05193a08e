/** The page of live games. */
import "../common/every.ts";
import "../../styles/pages.css";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pageData } from "../common/page.ts";
import { addTexts, t } from "../common/texts.ts";
import { followGames, type Summary } from "./live_games.ts";
import { Games } from "./live_board.tsx";
import { type Replay, ReplayedGame } from "./replay.tsx";

addTexts({
  "live.none": "No live games right now.",
  "live.start": "Start a game",
  "live.none_more": "and others can watch it.",
  "live.lost": "The server does not respond. These positions may be out of date.",
});

const MAX_GAMES = 24;

function LivePage() {
  const [games, setGames] = useState(() => pageData<Summary[]>("data"));
  const [replay] = useState(() => pageData<Replay | null>("replay"));
  const [isLost, setLost] = useState(false);
  useEffect(
    () =>
      followGames((games, isLost) => {
        setLost(isLost);
        if (!isLost) setGames(games);
      }),
    [],
  );
  return (
    <>
      {isLost && (
        <p class="notice" role="status">
          {t("live.lost")}
        </p>
      )}
      {games.length === 0 ? (
        <>
          <p class="notice">
            {t("live.none")} <a href="/">{t("live.start")}</a> {t("live.none_more")}
          </p>
          {replay && <ReplayedGame game={replay} />}
        </>
      ) : (
        <Games games={games.slice(0, MAX_GAMES)} large />
      )}
    </>
  );
}

const root = document.getElementById("live");
if (root) render(<LivePage />, root);
