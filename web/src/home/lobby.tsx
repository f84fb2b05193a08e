/** Quick pairing and open seeks. */
import { useEffect, useRef, useState } from "preact/hooks";
import { correspondence, daysText, PRESETS, presetClock, speedName, speedOf, timeControlText, type Clock } from "../common/time_control.ts";
import { PlayerLink, ratingOf } from "../common/player_link.tsx";
import { nameOf } from "../common/player_names.ts";
import { t } from "../common/texts.ts";
import { type GameSetup, isOfFour, newSeek } from "./game_setup.ts";
import { Field } from "./form_fields.tsx";
import type { VariantSummary } from "./setup_form.tsx";
import { accept, followSeeks, openSeeks, ratingRange, type Seek, createSeek, SEEK_CREATED, cancelSeek, seekErrorText } from "./seeks.ts";

interface LobbyProps {
  games: readonly VariantSummary[];
  setup: GameSetup;
  signedIn: boolean;
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

/** The lobby; without a list until the seeks are loaded, so that what is below it does not move far. */
export function Lobby({ games, setup, signedIn }: LobbyProps) {
  const [loadedSeeks, setSeeks] = useState<Seek[] | null>(null);
  const [fault, setFault] = useState("");
  const [game, setGame] = useState("");
  const [speed, setSpeed] = useState("");
  const messages = useRef(0);
  const updateSeeks = (seeks: Seek[]): void => {
    messages.current += 1;
    setSeeks(seeks);
  };
  /** Loads the list, unless the stream sends a newer one meanwhile. */
  const refresh = async (): Promise<void> => {
    const before = messages.current;
    const loaded = await openSeeks();
    if (messages.current === before) setSeeks(loaded);
  };
  useEffect(() => {
    let controller = new AbortController();
    const connect = () => {
      controller.abort();
      controller = new AbortController();
      const { signal } = controller;
      const startStream = () => followSeeks(updateSeeks, signal);
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
  const seeks = loadedSeeks ?? [];
  const isFour = isOfFour(games, setup.variant);
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
  const visibleSeeks = seeks.filter(
    (seek) => seek.yours || ((game === "" || seek.variant === game) && (speed === "" || seek.speed === speed)),
  );
  const offeredVariants = [...new Set(seeks.map((seek) => seek.variant))];
  return (
    <section id="lobby" class="lobby" aria-labelledby="lobby-title">
      <h2 id="lobby-title">{t("home.lobby")}</h2>
      <div class="lobby-halves">
        <div>
          <p class="hint">{t(isFour ? "home.lobby_four" : "home.lobby_lead", { name })}</p>
          <div class="quick" hidden={isFour}>
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
          {visibleSeeks.length === 0 ? (
            <p class="notice">{!loadedSeeks ? "\u00a0" : seeks.length === 0 ? t("home.no_seeks") : t("home.no_such_seeks")}</p>
          ) : (
            <ul class="seeks" aria-label={t("home.seeks")}>
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
