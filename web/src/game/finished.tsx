/** A finished game: result, rematch, downloads. */
import { useState } from "preact/hooks";
import { copyText } from "../common/page.ts";
import { rulesId } from "../common/rules_id.ts";
import { Repeat, Book, Bulb, Check, Graph, Play, Plus } from "./icons.tsx";
import { ColorSign } from "../common/color_sign.tsx";
import { isOver, positionAt } from "./record.ts";
import { colorsOf, isMulti, otherColors, playerOf, seatOf } from "./seats.ts";
import { type GameText, t } from "./texts.ts";
import { useSession } from "./hooks.ts";
import { nameOf, reasonText, winnerText, hasWon } from "./game_text.ts";

interface FinishedProps {
  playFromHere: () => void;
  hasPuzzles: boolean;
}

export function Finished({ playFromHere, hasPuzzles }: FinishedProps) {
  const session = useSession();
  const { game } = session;
  if (!isOver(game)) return null;
  const won = hasWon(game);
  return (
    <section
      class="g-card g-finished"
      data-won={won === null ? undefined : won ? "yes" : "no"}
      aria-labelledby="g-result"
    >
      <h2 id="g-result">
        {winnerText(game)} <span class="g-reason">{reasonText(game)}</span>
      </h2>
      {won !== null && <p class="g-won">{t(won ? "you_won" : "you_lost")}</p>}
      <Places />
      <div class="g-answers g-next">
        <Rematch />
        <a class="g-button" href="/">
          <Plus /> {t("new_game")}
        </a>
        <Studies playFromHere={playFromHere} hasPuzzles={hasPuzzles} />
      </div>
      <Downloads />
    </section>
  );
}

/** The four players by their places. */
function Places() {
  const { game } = useSession();
  const placed = colorsOf(game).map((color) => ({ color, place: seatOf(game.state, color)?.place ?? 0 }));
  if (placed.some(({ place }) => place === 0)) return null;
  placed.sort((one, two) => one.place - two.place);
  return (
    <ol class="g-places">
      {placed.map(({ color, place }) => (
        <li key={color} data-mine={game.you === color ? "" : undefined}>
          <b>{t(`place_${place}` as GameText)}</b>
          <ColorSign color={color} />
          <span>
            {t(color)} · {nameOf(game, color)}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Buttons for the moves of the game. */
function Studies({ playFromHere, hasPuzzles }: FinishedProps) {
  const session = useSession();
  const { game } = session;
  return (
    <>
      <a class="g-button" href={`/analysis/${game.id}${session.viewedPly === null ? "" : `#${session.viewedPly}`}`}>
        <Bulb /> {t("analysis")}
      </a>
      {game.state.ply > 0 && !isMulti(game) && (
        <a class="g-button" href={`/analysis/${game.id}#review`}>
          <Graph /> {t("review")}
        </a>
      )}
      {document.body.dataset["user"] && (
        <a class="g-button" href={`/study/new?game=${game.id}`}>
          <Book /> {t("study")}
        </a>
      )}
      {isMulti(game) ? (
        session.ply < game.state.ply && (
          <a class="g-button" href={`/?${new URLSearchParams({ variant: rulesId(game), fen: positionAt(game, session.ply).fen })}`}>
            <Play /> {t("from_here")}
          </a>
        )
      ) : (
        <button type="button" class="g-button" onClick={playFromHere}>
          <Play /> {t("from_here")}
        </button>
      )}
      {hasPuzzles && (
        <a class="g-button" href={`/puzzles?variant=${game.variant}`}>
          <Check /> {t("puzzles")}
        </a>
      )}
    </>
  );
}

function Rematch() {
  const session = useSession();
  const { game } = session;
  if (game.next) {
    return (
      <a class="g-button g-good" href={`/game/${game.next}`}>
        <Repeat /> {t("rematch_go")}
      </a>
    );
  }
  // There is no opponent, or the account was deleted.
  if (!game.you || otherColors(game).some((color) => !playerOf(game, color)?.id)) return null;
  const offered = game.state.offers.rematch === game.you;
  return (
    <button
      type="button"
      class="g-button g-good"
      disabled={offered}
      onClick={() => session.sendAction({ type: "rematch" })}
    >
      <Repeat /> {t(offered ? "rematch_offered" : "rematch")}
    </button>
  );
}

/** Copies a link to the position on the board. */
function CopyLink() {
  const session = useSession();
  const [copied, setCopied] = useState(false);
  const link = `${location.origin}/game/${session.game.id}${session.viewedPly === null ? "" : `#${session.viewedPly}`}`;
  const copy = async (): Promise<void> => {
    if (!(await copyText(link))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2500);
  };
  return (
    <button type="button" class="g-plain" title={link} onClick={() => void copy()}>
      <span aria-live="polite">{t(copied ? "copied" : "copy_link")}</span>
    </button>
  );
}

/** Downloads: the game as PGN, the position as FEN and picture. */
function Downloads() {
  const session = useSession();
  const { game } = session;
  const basePath = `/api/games/${game.id}`;
  const at = `?ply=${session.ply}`;
  return (
    <p class="g-downloads">
      <span class="unseen">{t("downloads")}: </span>
      <CopyLink />
      <a href={`${basePath}/pgn`} download>
        {t("pgn")}
      </a>
      <a href={`${basePath}/fen${at}`} title={positionAt(game, session.ply).fen}>
        {t("fen")}
      </a>
      <a href={`${basePath}/picture.svg${at}`}>{t("svg")}</a>
      <a href={`${basePath}/picture.png${at}`}>{t("png")}</a>
      {game.previous && <a href={`/game/${game.previous}`}>{t("earlier")}</a>}
    </p>
  );
}
