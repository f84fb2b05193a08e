/** The games that are being played, on boards that move. */
import "../common/plain.ts";
import "../board/index.ts";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board, LozBoard } from "../board/index.ts";
import { type Schemas, send } from "../common/api.ts";
import { written } from "../common/clocks.ts";
import { data } from "../common/data.ts";
import { learn, t } from "../common/texts.ts";

type Summary = Schemas["GameSummary"];

learn({
  "live.none": "Nobody is playing at the moment.",
  "live.start": "Start a game",
  "live.none_more": "and be watched.",
  "live.open": "open place",
  "live.moves": "{count} moves",
  "live.move": "1 move",
  "live.rated": "rated",
  "live.lost": "The server does not answer; this is how the games stood last.",
});

const EVERY_MS = 3000;

const boards = new Map<string, Promise<Board>>();

/** The geometry of a game's board, asked for once. */
function boardOf(variant: string): Promise<Board> {
  const known = boards.get(variant) ?? send<Board>("GET", `/api/variants/${variant}/board`);
  boards.set(variant, known);
  known.catch(() => boards.delete(variant));
  return known;
}

function Thumb({ game }: { game: Summary }) {
  const element = useRef<LozBoard>(null);
  useEffect(() => {
    let wanted = true;
    boardOf(game.variant).then(
      (board) => {
        if (wanted && element.current) element.current.board = board;
      },
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [game.variant]);
  useEffect(() => {
    if (!element.current) return;
    element.current.men = game.men;
    element.current.last = game.last;
  }, [game.ply, game.fen]);
  return (
    <span class="thumb">
      <loz-board ref={element} static sprite="/men.svg" />
    </span>
  );
}

const nameOf = (player: Summary["white"]): string =>
  player ? [player.name, player.rating].filter(Boolean).join(" ") : t("live.open");

function One({ game }: { game: Summary }) {
  const moves = Math.ceil(game.ply / 2);
  return (
    <li>
      <a href={`/game/${game.id}`}>
        <Thumb game={game} />
        <span class="what">{game.variant_name}</span>
        <span class="whom">
          {nameOf(game.white)} – {nameOf(game.black)}
        </span>
        <span class="how">
          {written(game.clock)}
          {game.rated ? ` · ${t("live.rated")}` : ""} ·{" "}
          {moves === 1 ? t("live.move") : t("live.moves", { count: moves })}
        </span>
      </a>
    </li>
  );
}

function Live() {
  const [games, setGames] = useState(() => data<Summary[]>("data"));
  const [lost, setLost] = useState(false);
  useEffect(() => {
    let going = true;
    let timer: ReturnType<typeof setTimeout>;
    const ask = async (): Promise<void> => {
      if (!document.hidden) {
        try {
          setGames(await send<Summary[]>("GET", "/api/games?status=started"));
          setLost(false);
        } catch {
          setLost(true);
        }
      }
      if (going) timer = setTimeout(() => void ask(), EVERY_MS);
    };
    timer = setTimeout(() => void ask(), EVERY_MS);
    return () => {
      going = false;
      clearTimeout(timer);
    };
  }, []);
  return (
    <>
      {lost && (
        <p class="notice" role="status">
          {t("live.lost")}
        </p>
      )}
      {games.length === 0 ? (
        <p class="notice">
          {t("live.none")} <a href="/">{t("live.start")}</a> {t("live.none_more")}
        </p>
      ) : (
        <ul class="games-list large">
          {games.slice(0, 24).map((game) => (
            <One key={game.id} game={game} />
          ))}
        </ul>
      )}
    </>
  );
}

const root = document.getElementById("live");
if (root) render(<Live />, root);
