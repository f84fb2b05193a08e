/** A few live games. The code of the boards is loaded when they are needed. */
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../common/texts.ts";
import { followGames, type Summary } from "../live/follow.ts";

/** The maximum number of games shown here. */
const MOST = 6;

/** The distance from the viewport at which boards are loaded. */
const MARGIN = "300px";

type Thumbs = typeof import("../live/thumb.tsx");

export function Watch() {
  const [games, setGames] = useState<Summary[]>([]);
  const [thumbs, setThumbs] = useState<Thumbs | null>(null);
  useEffect(() => followGames(setGames), []);
  const place = useRef<HTMLElement>(null);
  const there = games.length > 0;
  useEffect(() => {
    if (!there || !place.current) return;
    const load = () => import("../live/thumb.tsx").then(setThumbs, () => undefined);
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        void load();
      },
      { rootMargin: MARGIN },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [there]);
  if (!there) return null;
  return (
    <section ref={place} aria-labelledby="watch-title">
      <h2 id="watch-title">{t("home.watch")}</h2>
      {thumbs && <thumbs.Games games={games.slice(0, MOST)} />}
      <p class="further">
        <a class="button quiet" href="/live">
          {t("home.watch_all")}
        </a>
      </p>
    </section>
  );
}
