/** The strip of a player: name, presence, captures, clock. */
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import { play } from "../board/sounds.ts";
import { Captures } from "./captures.tsx";
import { inkOf } from "../board/armies.ts";
import { ColorSign } from "../common/color_sign.tsx";
import { remainingTime, remainingTimeAt, runningClock, TENTHS_BELOW_MS, warningMs, formatTime } from "./clock.ts";
import { type Color, type Game, isOver, passedColors } from "./record.ts";
import { colorsOf, isPresent as isConnected, type Place, partnerOf, playerOf, seatOf } from "./seats.ts";
import { type GameText, t } from "./texts.ts";
import { useSession, useTick } from "./hooks.ts";
import { nameOf, seatText } from "./game_text.ts";
import { profileOf } from "../common/player_link.tsx";

interface StripProps {
  board: LozBoard;
  color: Color;
  place: Place;
}

export function PlayerStrip({ board, color, place }: StripProps) {
  const session = useSession();
  const { game } = session;
  const { state } = game;
  const player = playerOf(game, color);
  // A lost connection means that the viewer is absent.
  const isPresent = isConnected(state, color) && !(session.link === "lost" && game.you === color);
  const isOngoing = state.status === "started";
  const isThinking = isOngoing && player?.kind === "engine" && state.turn === color;
  const result = isOver(game) ? points(game, color) : "";
  const seat = seatOf(state, color);
  return (
    <section
      class={`g-player g-${place}`}
      style={seat ? { "--army": inkOf(color).body } : undefined}
      data-turn={isOngoing && state.turn === color ? "" : undefined}
      data-out={seat && !seat.living ? "" : undefined}
    >
      <ColorSign color={color} />
      <span class="g-presence" data-there={isPresent ? "" : undefined} title={t(isPresent ? "present" : "absent")}>
        <span class="unseen">{player ? t(isPresent ? "present" : "absent") : ""}</span>
      </span>
      <span class="g-name">
        <span class="g-name-text" title={nameOf(game, color)}>
          <Name name={nameOf(game, color)} profile={player && profileOf(player)} />
        </span>
        <span class="unseen"> ({t(color)})</span>
        {game.you === color && <span class="g-rating">{t("you")}</span>}
        {game.you && partnerOf(game, color) === game.you && <span class="g-rating">{t("partner")}</span>}
        <Rating color={color} />
        {isThinking && (
          <span class="g-thinks">
            <i />
            <i />
            <i />
            <span class="unseen">{t("engine_thinks")}</span>
          </span>
        )}
        {seat ? <SeatStatus color={color} /> : <Captures board={board} color={color} />}
      </span>
      {result && <span class="g-points">{result}</span>}
      <ClockFace color={color} />
    </section>
  );
}

/** A name that can break at its hyphens, as a link to the profile of an account. */
function Name({ name, profile }: { name: string; profile: string | null | undefined }) {
  const parts = name.split(/(?<=[_-])/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ));
  return profile ? <a href={profile}>{parts}</a> : <>{parts}</>;
}

/** The rating at the start; after a rated game, the new rating and the change. */
function Rating({ color }: { color: Color }) {
  const { game } = useSession();
  const player = playerOf(game, color);
  const { rating_changes: changes, seats } = game.state;
  const change = color === "white" || color === "black" ? changes?.[color] : seatOf({ seats }, color)?.rating_change;
  const rating = change?.after ?? player?.rating;
  if (!player || rating === undefined || rating === null) return null;
  const difference = change ? change.after - change.before : 0;
  return (
    <span class="g-rating" title={player.provisional ? t("provisional") : undefined}>
      {rating}
      {player.provisional ? "?" : ""}
      {change && " "}
      {change && (
        <strong class="g-change" data-sign={Math.sign(difference)}>
          {difference > 0 ? "+" : difference < 0 ? "\u2212" : "±"}
          {Math.abs(difference)}
        </strong>
      )}
    </span>
  );
}

/** The status of a player of four: in check, out, passed, agrees to a draw. */
function SeatStatus({ color }: { color: Color }) {
  const { game } = useSession();
  const { state } = game;
  const seat = seatOf(state, color);
  const isChecked = state.status === "started" && state.turn === color && typeof state.check === "number";
  const text = seat && seatText(seat, isChecked, passedColors(game).includes(color), isOver(game));
  return text ? <span class="g-seat" data-urgent={isChecked ? "" : undefined}>{text}</span> : null;
}

/** The points of a player, or the place among four. */
function points(game: Game, color: Color): string {
  const { result } = game.state;
  const place = seatOf(game.state, color)?.place;
  if (place) return t(`place_${place}` as GameText);
  const isOfFirst = colorsOf(game).indexOf(color) % 2 === 0;
  if (result === "1/2-1/2") return "½";
  if (result === "1-0") return isOfFirst ? "1" : "0";
  if (result === "0-1") return isOfFirst ? "0" : "1";
  return "";
}

function ClockFace({ color }: { color: Color }) {
  const session = useSession();
  const { game } = session;
  const { state } = game;
  const running = runningClock(state) === color;
  const recordedTime = session.viewedPly !== null || isOver(game) ? remainingTimeAt(game, color, session.ply) : null;
  const now = session.connection.now();
  const ms = session.viewedPly !== null ? recordedTime : remainingTime(state, color, now);
  useTick(!running || ms === null ? null : ms < TENTHS_BELOW_MS + 1000 ? 100 : 250);
  const warning = game.clock?.kind === "live" ? warningMs(game) : 24 * 3_600_000;
  const isLow = ms !== null && ms <= warning && !isOver(game);
  useWarning(running && isLow && game.you === color && game.clock?.kind === "live");
  if (ms === null) return null;
  const { main, tenths, days } = formatTime(ms);
  return (
    <span
      class="g-clock"
      role="timer"
      aria-label={t("clock_of", { name: nameOf(game, color) })}
      data-running={running ? "" : undefined}
      data-low={isLow ? "" : undefined}
      data-days={days ? "" : undefined}
    >
      {days ? t("days", { ...days }) : main}
      {tenths && <small>{tenths}</small>}
    </span>
  );
}

/** Plays the warning each time the clock falls below the threshold. */
function useWarning(isLow: boolean): void {
  const hasWarned = useRef(false);
  useEffect(() => {
    if (isLow && !hasWarned.current) play("low-time");
    hasWarned.current = isLow;
  }, [isLow]);
}
