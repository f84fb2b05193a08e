/** A live game as a small board, with its players. */
import { rulesId } from "../common/rules_id.ts";
import "../board/index.ts";
import { useEffect, useRef } from "preact/hooks";
import type { Board, LozBoard } from "../board/index.ts";
import { send } from "../common/api.ts";
import { colorsOf, isMulti, playerOf } from "../game/seats.ts";
import { ColorSign } from "../common/color_sign.tsx";
import { timeControlText } from "../common/time_control.ts";
import { PlayerLink, ratingOf } from "../common/player_link.tsx";
import { piecesOf } from "../common/fen.ts";
import { sprite } from "../common/settings.ts";
import { addTexts, t } from "../common/texts.ts";
import type { Summary } from "./live_games.ts";

addTexts({
  "live.open": "open place",
  "live.moves": "{count} moves",
  "live.move": "1 move",
  "live.rated": "rated",
  "live.white_won": "White won",
  "live.black_won": "Black won",
  "live.red_won": "Red won",
  "live.blue_won": "Blue won",
  "live.yellow_won": "Yellow won",
  "live.green_won": "Green won",
  "live.first_team_won": "Red and Yellow won",
  "live.second_team_won": "Blue and Green won",
  "live.drawn": "Draw",
  "live.aborted": "Aborted",
});

const boards = new Map<string, Promise<Board>>();

/** The geometry of a variant's board, loaded once. */
function fetchBoard(variant: string): Promise<Board> {
  const request = boards.get(variant) ?? send<Board>("GET", `/api/variants/${variant}/board`);
  boards.set(variant, request);
  request.catch(() => boards.delete(variant));
  return request;
}

function LiveBoard({ game }: { game: Summary }) {
  const element = useRef<LozBoard>(null);
  useEffect(() => {
    let isCurrent = true;
    fetchBoard(rulesId(game)).then(
      (board) => {
        if (!isCurrent || !element.current) return;
        element.current.board = board;
        element.current.pieces = piecesOf(board, game.fen);
        element.current.last = game.last;
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [rulesId(game), game.ply, game.fen]);
  return (
    <span class="thumb">
      <loz-board ref={element} static sprite={sprite()} />
    </span>
  );
}

function Seat({ player }: { player: Summary["white"] }) {
  if (!player) return <>{t("live.open")}</>;
  return (
    <>
      <PlayerLink player={player} /> {ratingOf(player)}
    </>
  );
}

/** The result in words; null while the game is running. */
function resultText(game: Summary): string | null {
  if (game.status !== "finished") return null;
  if (isMulti(game) && /^\d-\d-\d-\d$/.test(game.result)) {
    const colors = colorsOf(game).filter((_, index) => game.result.split("-")[index] === "1");
    return colors.length === 1 ? t(`live.${colors[0]}_won`) : t("live.drawn");
  }
  if (isMulti(game) && /^[01]-[01]$/.test(game.result)) return t(game.result === "1-0" ? "live.first_team_won" : "live.second_team_won");
  const keys: Record<string, string> = { "1-0": "live.white_won", "0-1": "live.black_won", "1/2-1/2": "live.drawn" };
  return t(keys[game.result] ?? "live.aborted");
}

function GameStatus({ game }: { game: Summary }) {
  const end = resultText(game);
  if (end) return <strong class="ended">{end}</strong>;
  const moves = Math.ceil(game.ply / colorsOf(game).length);
  return (
    <>
      {timeControlText(game.clock)}
      {game.rated ? ` · ${t("live.rated")}` : ""} ·{" "}
      {moves === 1 ? t("live.move") : t("live.moves", { count: moves })}
    </>
  );
}

function LiveGame({ game }: { game: Summary }) {
  return (
    <li>
      <a class="cover" href={`/game/${game.id}`}>
        <LiveBoard game={game} />
        <span class="what">{game.variant_name}</span>
      </a>
      <span class="whom">
        {colorsOf(game).map((color, index) => (
          <span key={color} class={isMulti(game) ? "seat-of-four" : undefined}>
            {isMulti(game) ? <ColorSign color={color} /> : index > 0 && " – "}
            <Seat player={playerOf(game, color)} />
          </span>
        ))}
      </span>
      <span class="how">
        <GameStatus game={game} />
      </span>
    </li>
  );
}

/** The games in a list. */
export function Games({ games, large }: { games: readonly Summary[]; large?: boolean }) {
  return (
    <ul class={large ? "games-list large" : "games-list"}>
      {games.map((game) => (
        <LiveGame key={game.id} game={game} />
      ))}
    </ul>
  );
}
