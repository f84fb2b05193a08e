/** The user's running games, first those in which it is their turn. */
import { useEffect, useState } from "preact/hooks";
import { onPlayerEvent } from "../challenges/events.ts";
import { type Schemas, send } from "../common/api.ts";
import { timeControlText } from "../common/time_control.ts";
import { colorsOf, isMulti, playerOf } from "../game/seats.ts";
import { PlayerLink } from "../common/player_link.tsx";
import { t } from "../common/texts.ts";

type Summary = Schemas["GameSummary"];

/** The user's data in the page. */
export interface UserData {
  player: Schemas["Player"] | null;
  games: Summary[];
  challenges: Schemas["Challenges"];
}

/** The maximum number of games shown. */
const MAX_GAMES = 12;

/** Whether it is the player's turn. */
export const isTurnOf = (game: Summary, me: string): boolean => playerOf(game, game.turn)?.id === me;

/** The games in the page, reloaded when the page becomes visible again. */
export function useOwnGames({ player, games: first }: UserData): Summary[] {
  const [games, setGames] = useState(first);
  useEffect(() => {
    if (!player) return;
    const refresh = (): void => {
      send<Summary[]>("GET", "/api/games?player=me&status=started&limit=100").then(setGames, () => undefined);
    };
    const onVisibilityChange = (): void => void (document.visibilityState === "visible" && refresh());
    const onPageShow = (event: PageTransitionEvent): void => void (event.persisted && refresh());
    document.addEventListener("visibilitychange", onVisibilityChange);
    addEventListener("pageshow", onPageShow);
    const stop = onPlayerEvent(({ type }) => void ((type === "gameStart" || type === "gameFinish") && refresh()));
    return () => {
      document.removeEventListener("visibilitychange", onVisibilityChange);
      removeEventListener("pageshow", onPageShow);
      stop();
    };
  }, []);
  return games;
}

/** The opponent, and of four players the three others. */
function Others({ game, me }: { game: Summary; me: string }) {
  const others = colorsOf(game).map((color) => playerOf(game, color)).filter((player) => player?.id !== me);
  if (others.includes(null)) return <>{t("home.waiting")}</>;
  return others.map((player, index) => player && <span key={index}>{index > 0 && ", "}<PlayerLink player={player} /></span>);
}

export function OwnGames({ me, games }: { me: string; games: Summary[] }) {
  if (games.length === 0) return null;
  const turn = (game: Summary): boolean => isTurnOf(game, me);
  const sorted = [...games].sort((one, two) => Number(turn(two)) - Number(turn(one)));
  return (
    <section class={games.some(turn) ? "first" : undefined} aria-labelledby="mine-title">
      <h2 id="mine-title">{t("home.mine")}</h2>
      <ul class="games-list">
        {sorted.slice(0, MAX_GAMES).map((game) => (
          <li key={game.id} class={turn(game) ? "turn" : undefined}>
            <a class="cover" href={`/game/${game.id}`}>
              <img
                src={`/api/games/${game.id}/picture.svg?ply=${game.ply}&plain=true`}
                alt=""
                loading="lazy"
                width="160"
                height="160"
              />
              <span class="what">{game.variant_name}</span>
            </a>
            <span class="whom"><Others game={game} me={me} /></span>
            <span class="how">
              {turn(game) ? t("home.your_turn") : isMulti(game) ? t("home.turn_of", { side: t(`home.${game.turn}`) }) : t("home.their_turn")} · {timeControlText(game.clock)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
