/** Quick pairing and open seeks. */
import { useEffect, useRef, useState } from "preact/hooks";
import { correspondence, daysText, PRESETS, presetClock, speedName, speedOf, timeControlText, type Clock } from "../common/time_control.ts";
import { errorText, status } from "../common/errors.ts";
import { nameOf } from "../common/player_names.ts";
import { t } from "../common/texts.ts";
import { type GameSetup, newSeek } from "./game_setup.ts";
import { Field } from "./form_fields.tsx";
import type { VariantSummary } from "./setup_form.tsx";
import { accept, follow, openSeeks, ratingRange, type Seek, createSeek, SEEK_CREATED, cancelSeek } from "./seeks.ts";

interface LobbyProps {
  games: readonly VariantSummary[];
  setup: GameSetup;
  signedIn: boolean;
}

const QUICK: readonly (readonly [string, Clock | null])[] = [
  ...PRESETS.map((name) => [name, presetClock(name)] as const),
  ["3d", correspondence(3)],
];

const same = (one: Clock | null | undefined, other: Clock | null | undefined): boolean =>
  timeControlText(one) === timeControlText(other);

function Open({ seek: open, act }: { seek: Seek; act: (work: Promise<unknown>) => void }) {
  const range = ratingRange(open);
  return (
    <li class={open.yours ? "seek yours" : "seek"}>
      <span class="seek-clock">{timeControlText(open.clock)}</span>
      <span class="seek-what">
        <strong>{open.variant_name}</strong>
        <span class="hint">
          {open.yours ? t("home.yours") : nameOf(open.player)}
          {!open.yours && open.player.rating ? ` ${open.player.rating}` : ""} ·{" "}
          {open.rated ? t("home.rated_small") : t("home.casual")}
          {open.side === "random" ? "" : ` · ${t(`home.${open.side}`)}`}
          {range === "" ? "" : ` · ${t("home.for_ratings", { range })}`}
        </span>
      </span>
      {open.yours ? (
        <button class="button quiet small" type="button" onClick={() => act(cancelSeek(open.id))}>
          {t("home.cancel")}
        </button>
      ) : (
        <button
          class="button small"
          type="button"
          aria-label={t("home.accept_named", { game: open.variant_name, name: nameOf(open.player) })}
          onClick={() => act(accept(open.id))}
        >
          {t("home.accept")}
        </button>
      )}
    </li>
  );
}

/** The lobby; empty until the seeks are loaded. */
export function Lobby({ games, setup, signedIn }: LobbyProps) {
  const [seeks, setSeeks] = useState<Seek[] | null>(null);
  const [fault, setFault] = useState("");
  const [game, setGame] = useState("");
  const [speed, setSpeed] = useState("");
  const messages = useRef(0);
  const show = (told: Seek[]): void => {
    messages.current += 1;
    setSeeks(told);
  };
  /** Loads the list, unless the stream sends a newer one meanwhile. */
  const refresh = async (): Promise<void> => {
    const before = messages.current;
    const loaded = await openSeeks();
    if (messages.current === before) setSeeks(loaded);
  };
  useEffect(() => {
    let stop = new AbortController();
    const begin = () => {
      stop.abort();
      stop = new AbortController();
      const { signal } = stop;
      const streaming = () => follow(show, signal);
      void refresh().then(streaming, streaming);
    };
    const leave = () => stop.abort();
    const back = (event: PageTransitionEvent) => event.persisted && begin();
    begin();
    addEventListener("pagehide", leave);
    addEventListener("pageshow", back);
    addEventListener(SEEK_CREATED, begin);
    return () => {
      removeEventListener("pagehide", leave);
      removeEventListener("pageshow", back);
      removeEventListener(SEEK_CREATED, begin);
      leave();
    };
  }, []);
  if (!seeks) return null;
  const name = games.find((known) => known.id === setup.variant)?.name ?? setup.variant;
  const act = (work: Promise<unknown>) => {
    setFault("");
    work.then(refresh, (error: unknown) => {
      setFault([404, 409].includes(status(error) ?? 0) ? t("home.seek_gone") : errorText(error));
      void refresh().catch(() => undefined);
    });
  };
  const mine = (clock: Clock | null) =>
    seeks.find((open) => open.yours && open.variant === setup.variant && same(open.clock, clock));
  const shown = seeks.filter(
    (open) => open.yours || ((game === "" || open.variant === game) && (speed === "" || open.speed === speed)),
  );
  const wanted = [...new Set(seeks.map((open) => open.variant))];
  return (
    <section id="lobby" class="lobby" aria-labelledby="lobby-title">
      <h2 id="lobby-title">{t("home.lobby")}</h2>
      <div class="lobby-halves">
        <div>
          <p class="hint">{t("home.lobby_lead", { name })}</p>
          <div class="quick">
            {QUICK.map(([id, clock]) => {
              const own = mine(clock);
              return (
                <button
                  key={id}
                  type="button"
                  class="quick-one"
                  aria-pressed={own !== undefined}
                  onClick={() => act(own ? cancelSeek(own.id) : createSeek(newSeek(setup, clock, signedIn)))}
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
                  .filter((known) => known.main || wanted.includes(known.id))
                  .map((known) => (
                    <option key={known.id} value={known.id}>
                      {known.name}
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
          {shown.length === 0 ? (
            <p class="notice">{seeks.length === 0 ? t("home.no_seeks") : t("home.no_such_seeks")}</p>
          ) : (
            <ul class="seeks" aria-label={t("home.seeks")}>
              {shown.map((open) => (
                <Open key={open.id} seek={open} act={act} />
              ))}
            </ul>
          )}
        </div>
      </div>
    </section>
  );
}
