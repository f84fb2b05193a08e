/** One's own games that are not over, those first in which one is to move. */
import { useEffect, useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { written } from "../common/clocks.ts";
import { nameOf } from "../common/people.ts";
import { t } from "../common/texts.ts";

type Summary = Schemas["GameSummary"];

export function Mine({ me }: { me: Schemas["Player"] | null }) {
  const [games, setGames] = useState<Summary[]>([]);
  useEffect(() => {
    if (!me) return;
    send<Summary[]>("GET", "/api/games?player=me&status=started").then(setGames, () => undefined);
  }, [me]);
  if (!me || games.length === 0) return null;
  const isTurn = (game: Summary) => (game.turn === "white" ? game.white : game.black)?.id === me.id;
  const other = (game: Summary) => (game.white?.id === me.id ? game.black : game.white);
  const whom = (player: Summary["white"]) => (player ? nameOf(player) : t("home.waiting"));
  const sorted = [...games].sort((one, two) => Number(isTurn(two)) - Number(isTurn(one)));
  return (
    <section aria-labelledby="mine-title">
      <h2 id="mine-title">{t("home.mine")}</h2>
      <ul class="games-list">
        {sorted.slice(0, 12).map((game) => (
          <li key={game.id}>
            <a href={`/game/${game.id}`} class={isTurn(game) ? "turn" : undefined}>
              <img
                src={`/api/games/${game.id}/picture.svg?ply=${game.ply}&plain=true`}
                alt=""
                loading="lazy"
                width="160"
                height="160"
              />
              <span class="what">{game.variant_name}</span>
              <span class="whom">{whom(other(game))}</span>
              <span class="how">
                {isTurn(game) ? t("home.your_turn") : t("home.their_turn")} · {written(game.clock)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
