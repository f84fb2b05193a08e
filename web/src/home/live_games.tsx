/** A few live games. The code of the boards is loaded when they are needed. */
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../common/texts.ts";
import { followGames, type Summary } from "../live/live_games.ts";

/** The maximum number of games shown here. */
const MAX_GAMES = 6;

/** The distance from the viewport at which boards are loaded. */
const MARGIN = "300px";

type LiveBoards = typeof import("../live/live_board.tsx");

export function LiveGames() {
  const [games, setGames] = useState<Summary[]>([]);
  const [liveBoards, setLiveBoards] = useState<LiveBoards | null>(null);
  useEffect(() => followGames(setGames), []);
  const section = useRef<HTMLElement>(null);
  const hasGames = games.length > 0;
  useEffect(() => {
    if (!hasGames || !section.current) return;
    const load = () => import("../live/live_board.tsx").then(setLiveBoards, () => undefined);
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        void load();
      },
      { rootMargin: MARGIN },
    );
    observer.observe(section.current);
    return () => observer.disconnect();
  }, [hasGames]);
  if (!hasGames) return null;
  return (
    <section ref={section} aria-labelledby="watch-title">
      <h2 id="watch-title">{t("home.watch")}</h2>
      {liveBoards && <liveBoards.Games games={games.slice(0, MAX_GAMES)} />}
      <p class="further">
        <a class="button quiet" href="/live">
          {t("home.watch_all")}
        </a>
      </p>
    </section>
  );
}
