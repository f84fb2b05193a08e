/** Quick pairing and open seeks. */
import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isMulti } from "../board/colors.ts";
import { ColorSign } from "../common/color_sign.tsx";
import { correspondence, daysText, PRESETS, presetClock, speedName, speedOf, timeControlText, type Clock } from "../common/time_control.ts";
import { PlayerLink, ratingOf } from "../common/player_link.tsx";
import { nameOf } from "../common/player_names.ts";
import { t } from "../common/texts.ts";
import { type GameSetup, playersIn, newSeek } from "./game_setup.ts";
import { Field } from "./form_fields.tsx";
import type { VariantSummary } from "./setup_form.tsx";
import { accept, followSeeks, joinGame, loadLobby, type LobbyList, type OpenGame, ratingRange, type Seek, createSeek, SEEK_CREATED, cancelSeek, seekErrorText } from "./seeks.ts";

interface LobbyProps {
  games: readonly VariantSummary[];
  setup: GameSetup;
  signedIn: boolean;
  /** The visitor's id. */
  me: string | null;
}

const QUICK_PAIRINGS: readonly (readonly [string, Clock | null])[] = [
  ...PRESETS.map((name) => [name, presetClock(name)] as const),
  ["3d", correspondence(3)],
];

const isSameClock = (one: Clock | null | undefined, other: Clock | null | undefined): boolean =>
  timeControlText(one) === timeControlText(other);

function SeekRow({ seek, submit }: { seek: Seek; submit: (work: Promise<unknown>) => void }) {
  const range = ratingRange(seek);
  return (
    <li class={seek.yours ? "seek yours" : "seek"}>
      <span class="seek-clock">{timeControlText(seek.clock)}</span>
      <span class="seek-what">
        <strong>{seek.variant_name}</strong>
        <span class="hint">
          {seek.yours ? t("home.yours") : <><PlayerLink player={seek.player} /> {ratingOf(seek.player)}</>} ·{" "}
          {seek.rated ? t("home.rated_small") : t("home.casual")}
          {seek.side === "random" ? "" : ` · ${t(`home.${seek.side}`)}`}
          {range === "" ? "" : ` · ${t("home.for_ratings", { range })}`}
        </span>
      </span>
      {seek.yours ? (
        <button class="button quiet small" type="button" onClick={() => submit(cancelSeek(seek.id))}>
          {t("home.cancel")}
        </button>
      ) : (
        <button
          class="button small"
          type="button"
          aria-label={t("home.accept_named", { game: seek.variant_name, name: nameOf(seek.player) })}
          onClick={() => submit(accept(seek.id))}
        >
          {t("home.accept")}
        </button>
      )}
    </li>
  );
}

/** A game of four: who sits there, and a button to join. */
function GameRow({ game, me, submit }: { game: OpenGame; me: string | null; submit: (work: Promise<unknown>) => void }) {
  const players = game.seats.flatMap(({ player }) => player ?? []);
  const isMine = players.some(({ id }) => id === me);
  const names = players.map(nameOf).join(", ");
  return (
    <li class={isMine ? "seek yours" : "seek"}>
      <span class="seek-clock">{timeControlText(game.clock)}</span>
      <span class="seek-what">
        <strong>{game.variant_name}</strong>
        <span class="seek-seats">
          <span class="seek-signs" aria-hidden="true">
            {game.seats.map(({ color, player }) => (
              <span key={color} class={player ? "taken" : "free"}><ColorSign color={color} /></span>
            ))}
          </span>
          {t("home.players_of", { count: players.length, all: game.seats.length })}
        </span>
        <span class="hint">
          {players.map((player, index) => (
            <Fragment key={player.id}>{index > 0 && ", "}<PlayerLink player={player} /> {ratingOf(player)}</Fragment>
          ))} · {game.rated ? t("home.rated_small") : t("home.casual")}
          {game.fill && ` · ${t("home.engine_fills_minutes", { minutes: Math.ceil(game.fill.after_s / 60) })}`}
        </span>
      </span>
      {isMine ? (
        <a class="button quiet small" href={`/game/${game.id}`}>{t("home.to_game")}</a>
      ) : (
        <button class="button small" type="button" aria-label={t("home.join_named", { game: game.variant_name, names })} onClick={() => submit(joinGame(game.id))}>
          {t("home.join")}
        </button>
      )}
    </li>
  );
}

/** The lobby; without a list until the seeks are loaded, so that what is below it does not move far. */
export function Lobby({ games, setup, signedIn, me }: LobbyProps) {
  const [loaded, setLoaded] = useState<LobbyList | null>(null);
  const [fault, setFault] = useState("");
  const [game, setGame] = useState("");
  const [speed, setSpeed] = useState("");
  const messages = useRef(0);
  const updateList = (list: LobbyList): void => {
    messages.current += 1;
    setLoaded(list);
  };
  /** Loads the list, unless the stream sends a newer one meanwhile. */
  const refresh = async (): Promise<void> => {
    const before = messages.current;
    const list = await loadLobby();
    if (messages.current === before) setLoaded(list);
  };
  useEffect(() => {
    let controller = new AbortController();
    const connect = () => {
      controller.abort();
      controller = new AbortController();
      const { signal } = controller;
      const startStream = () => followSeeks(updateList, signal);
      void refresh().then(startStream, startStream);
    };
    const disconnect = () => controller.abort();
    const onPageShow = (event: PageTransitionEvent) => event.persisted && connect();
    connect();
    addEventListener("pagehide", disconnect);
    addEventListener("pageshow", onPageShow);
    addEventListener(SEEK_CREATED, connect);
    return () => {
      removeEventListener("pagehide", disconnect);
      removeEventListener("pageshow", onPageShow);
      removeEventListener(SEEK_CREATED, connect);
      disconnect();
    };
  }, []);
  const { seeks, games: openGames } = loaded ?? { seeks: [], games: [] };
  const hasSeats = isMulti(playersIn(games, setup.variant));
  const name = games.find((game) => game.id === setup.variant)?.name ?? setup.variant;
  const submit = (work: Promise<unknown>) => {
    setFault("");
    work.then(refresh, (error: unknown) => {
      setFault(seekErrorText(error));
      void refresh().catch(() => undefined);
    });
  };
  const ownSeek = (clock: Clock | null) =>
    seeks.find((seek) => seek.yours && seek.variant === setup.variant && isSameClock(seek.clock, clock));
  const isVisible = (one: Seek | OpenGame): boolean => (game === "" || one.variant === game) && (speed === "" || one.speed === speed);
  const visibleSeeks = seeks.filter((seek) => seek.yours || isVisible(seek));
  const visibleGames = openGames.filter((game) => game.seats.some(({ player }) => player && player.id === me) || isVisible(game));
  const offeredVariants = [...new Set([...seeks, ...openGames].map((one) => one.variant))];
  return (
    <section id="lobby" class="lobby" aria-labelledby="lobby-title">
      <h2 id="lobby-title">{t("home.lobby")}</h2>
      <div class="lobby-halves">
        <div>
          <p class="hint">{t(hasSeats ? "home.lobby_four" : "home.lobby_lead", { name })}</p>
          <div class="quick" hidden={hasSeats}>
            {QUICK_PAIRINGS.map(([id, clock]) => {
              const own = ownSeek(clock);
              return (
                <button
                  key={id}
                  type="button"
                  class="quick-one"
                  aria-pressed={own !== undefined}
                  onClick={() => submit(own ? cancelSeek(own.id) : createSeek(newSeek(setup, clock, signedIn)))}
                >
                  <strong>{clock?.kind === "correspondence" ? daysText(clock.days) : id}</strong>
                  <span>{own ? t("home.searching") : speedName(speedOf(clock))}</span>
                </button>
              );
            })}
          </div>
        </div>
        <div>
          <div class="pair">
            <Field id="filter-game" title={t("home.filter_game")}>
              <select id="filter-game" value={game} onChange={(event) => setGame(event.currentTarget.value)}>
                <option value="">{t("home.any_game")}</option>
                {games
                  .filter((game) => game.main || offeredVariants.includes(game.id))
                  .map((game) => (
                    <option key={game.id} value={game.id}>
                      {game.name}
                    </option>
                  ))}
              </select>
            </Field>
            <Field id="filter-speed" title={t("home.filter_speed")}>
              <select id="filter-speed" value={speed} onChange={(event) => setSpeed(event.currentTarget.value)}>
                <option value="">{t("home.any_speed")}</option>
                {(["bullet", "blitz", "rapid", "classical", "correspondence", "unlimited"] as const).map((one) => (
                  <option key={one} value={one}>
                    {speedName(one)}
                  </option>
                ))}
              </select>
            </Field>
          </div>
          <p class="fault" role="alert">
            {fault}
          </p>
          {visibleSeeks.length + visibleGames.length === 0 ? (
            <p class="notice">{!loaded ? "\u00a0" : seeks.length + openGames.length === 0 ? t("home.no_seeks") : t("home.no_such_seeks")}</p>
          ) : (
            <ul class="seeks" aria-label={t("home.seeks")}>
              {visibleGames.map((game) => (
                <GameRow key={game.id} game={game} me={me} submit={submit} />
              ))}
              {visibleSeeks.map((seek) => (
                <SeekRow key={seek.id} seek={seek} submit={submit} />
              ))}
            </ul>
          )}
        </div>
      </div>
    </section>
  );
}
