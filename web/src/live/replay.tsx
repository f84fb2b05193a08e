/** A finished game that is replayed on a board, while there is no live one. */
import "../board/index.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board, LozBoard } from "../board/index.ts";
import type { ByColor } from "../board/types.ts";
import { send } from "../common/api.ts";
import { piecesOf } from "../common/fen.ts";
import { displayName } from "../common/player_names.ts";
import { sprite } from "../common/settings.ts";
import { addTexts, t } from "../common/texts.ts";

addTexts({
  "live.replay": "The last game, replayed",
  "live.demonstration": "The engine against itself",
  "live.replay_game": "Open the game",
  "live.rules": "Rules",
  "live.play": "Replay",
  "live.pause": "Pause",
  "live.ply": "Move {move} of {count}",
});

/** A game to replay, as the server puts it into the page. */
export interface Replay extends ByColor<string> {
  id: string | null;
  variant: string;
  variant_name: string;
  result: string;
  start: string;
  steps: { fen: string; last: number[] }[];
}

const STEP_MS = 1_600;
/** How long the last position stays before the game begins again. */
const END_MS = 6_000;

/** The ply after another; the game begins again after its end. */
export const nextPly = (ply: number, plies: number): number => (ply >= plies ? 0 : ply + 1);

export function ReplayedGame({ game }: { game: Replay }) {
  const element = useRef<LozBoard>(null);
  const [board, setBoard] = useState<Board | null>(null);
  const [ply, setPly] = useState(0);
  // The animation can be stopped, and does not start for users who prefer reduced motion.
  const [isPlaying, setPlaying] = useState(() => !matchMedia("(prefers-reduced-motion: reduce)").matches);
  const plies = game.steps.length;
  useEffect(() => {
    send<Board>("GET", `/api/variants/${game.variant}/board`).then(setBoard, () => undefined);
  }, [game.variant]);
  useEffect(() => {
    if (!board || !element.current) return;
    const step = game.steps[ply - 1];
    element.current.board = board;
    element.current.pieces = piecesOf(board, step?.fen ?? game.start);
    element.current.last = step?.last ?? [];
  }, [board, ply]);
  useEffect(() => {
    if (!isPlaying || !board) return;
    const timer = setTimeout(() => setPly(nextPly(ply, plies)), ply >= plies ? END_MS : STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, board, ply]);
  const isOver = ply >= plies;
  return (
    <section class="replay" aria-labelledby="replay-title">
      <h2 id="replay-title">{t(game.id === null ? "live.demonstration" : "live.replay")}</h2>
      <span class="replay-board">
        <loz-board ref={element} static sprite={sprite()} />
      </span>
      <div class="replay-about">
        <p>
          <strong>{game.variant_name}</strong>
          {game.id !== null && ` · ${displayName(game.white)} – ${displayName(game.black)}`}
          {isOver && ` · ${game.result}`}
        </p>
        <p class="hint">{t("live.ply", { move: Math.ceil(ply / 2), count: Math.ceil(plies / 2) })}</p>
        <p class="buttons">
          <button type="button" class="button" onClick={() => setPlaying(!isPlaying)}>
            {t(isPlaying ? "live.pause" : "live.play")}
          </button>{" "}
          <a class="button quiet" href={game.id === null ? `/rules/${game.variant}` : `/game/${game.id}`}>
            {game.id === null ? t("live.rules") : t("live.replay_game")}
          </a>
        </p>
      </div>
    </section>
  );
}
