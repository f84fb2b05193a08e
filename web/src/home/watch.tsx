/** A few of the games being played. The boards' code comes only once there is a game to be seen. */
import { useEffect, useState } from "preact/hooks";
import { t } from "../common/texts.ts";
import { followGames, type Summary } from "../live/follow.ts";

/** Games on the first page; all are on the page of games being played. */
const MOST = 6;

type Thumbs = typeof import("../live/thumb.tsx");

export function Watch() {
  const [games, setGames] = useState<Summary[]>([]);
  const [thumbs, setThumbs] = useState<Thumbs | null>(null);
  useEffect(() => followGames(setGames), []);
  const wanted = games.length > 0;
  useEffect(() => {
    if (wanted) import("../live/thumb.tsx").then(setThumbs, () => undefined);
  }, [wanted]);
  if (!wanted || !thumbs) return null;
  return (
    <section aria-labelledby="watch-title">
      <h2 id="watch-title">{t("home.watch")}</h2>
      <thumbs.Games games={games.slice(0, MOST)} />
      <p class="further">
        <a class="button quiet" href="/live">
          {t("home.watch_all")}
        </a>
      </p>
    </section>
  );
}
