/** The form for a new game. */
import { useEffect, useRef, useState } from "preact/hooks";
import { isMulti } from "../board/colors.ts";
import type { Schemas } from "../common/api.ts";
import { daysText, PRESETS, timeControlText } from "../common/time_control.ts";
import { pageData } from "../common/page.ts";
import { t } from "../common/texts.ts";
import { type Against, againstOf, canBeRated, canMultiBeRated, type GameSetup, clockName, clockOf, isEmptyRange, isForAnybody, playersIn, seatsFor, startPicture } from "./game_setup.ts";
import { Choices, Field } from "./form_fields.tsx";
import { Seats } from "./seats_form.tsx";
import { ratingRange } from "./seeks.ts";

export type VariantSummary = Schemas["VariantSummary"];

interface SetupProps {
  games: readonly VariantSummary[];
  setup: GameSetup;
  change: (part: Partial<GameSetup>) => void;
  signedIn: boolean;
  isPending: boolean;
  fault: string;
  submit: () => void;
}

/** The ratings of the engine's levels, from the server. */
const LEVELS = pageData<number[]>("levels");

const picture = (id: string): string => `/api/variants/${id}/picture.svg`;

/** A picture for a tile, with colored squares instead of pieces. */
const thumbnail = (id: string): string => `${picture(id)}?thumbnail=true`;

/** The five games as pictures, and the others in a list. */
function Games({ games, setup, change }: Pick<SetupProps, "games" | "setup" | "change">) {
  const main = games.filter((game) => game.main);
  const others = games.filter((game) => !game.main);
  const choose = (variant: string) => {
    const players = playersIn(games, variant);
    const seats = seatsFor(setup.seats, players);
    change({ variant, seats, start: null, fen: "", ...(isMulti(players) && { against: againstOf(seats) }) });
  };
  const other = others.find((game) => game.id === setup.variant);
  return (
    <fieldset class="field">
      <legend>{t("home.game")}</legend>
      <div class="tiles">
        {main.map((game) => (
          <label key={game.id} class="tile">
            <input
              type="radio"
              name="variant"
              value={game.id}
              checked={game.id === setup.variant}
              onChange={() => choose(game.id)}
            />
            <img src={thumbnail(game.id)} alt="" width="110" height="110" />
            <span>{game.name.replace(/ Chess$/, "")}</span>
          </label>
        ))}
        {others.length > 0 && (
          <div class={other ? "tile more taken" : "tile more"}>
            {other ? <img src={thumbnail(other.id)} alt="" width="110" height="110" /> : <span class="many" aria-hidden="true" />}
            <span aria-hidden="true">{other ? other.name.replace(/ Chess$/, "") : t("home.more")}</span>
            <select
              aria-label={t("home.other")}
              value={other?.id ?? ""}
              onChange={(event) => event.currentTarget.value && choose(event.currentTarget.value)}
            >
              <option value="">{t("home.choose_other")}</option>
              {others.map((game) => (
                <option key={game.id} value={game.id}>
                  {game.name}
                </option>
              ))}
            </select>
          </div>
        )}
      </div>
    </fieldset>
  );
}

function Level({ setup, change }: Pick<SetupProps, "setup" | "change">) {
  return (
    <Choices
      name="level"
      title={t("home.level")}
      values={LEVELS.map(
        (rating, index) =>
          [
            String(index + 1),
            <>
              {index + 1}
              <small>{rating}</small>
            </>,
            t("home.level_one", { level: index + 1, rating }),
          ] as const,
      )}
      chosen={String(setup.level)}
      choose={(level) => change({ level: Number(level) })}
    >
      <p class="hint">{t("home.level_hint")}</p>
    </Choices>
  );
}

function ClockChoice({ setup, change }: Pick<SetupProps, "setup" | "change">) {
  const name = clockName(setup);
  const choose = (chosen: string) => change({ clocks: { ...setup.clocks, [setup.against]: chosen } });
  return (
    <Choices
      name="clock"
      style="chips"
      title={t("home.clock")}
      values={[
        ["none", t("home.none")],
        ...PRESETS.map((preset) => [preset, preset] as const),
        ["own", t("home.own_clock")],
        ["days", t("home.by_days")],
      ]}
      chosen={name}
      choose={choose}
    >
      {name === "own" && (
        <div class="pair">
          <Field id="minutes" title={t("home.minutes")}>
            <input
              id="minutes"
              type="number"
              min="0"
              max="180"
              step="0.5"
              value={typedNumber(setup.minutes)}
              onInput={(event) => change({ minutes: event.currentTarget.valueAsNumber })}
            />
          </Field>
          <Field id="gain" title={t("home.gain")}>
            <input
              id="gain"
              type="number"
              min="0"
              max="180"
              value={typedNumber(setup.increment)}
              onInput={(event) => change({ increment: event.currentTarget.valueAsNumber })}
            />
          </Field>
        </div>
      )}
      {name === "days" && (
        <div class="pair">
          <Field id="days" title={t("home.days_a_move")}>
            <select
              id="days"
              value={setup.days}
              onChange={(event) => change({ days: Number(event.currentTarget.value) })}
            >
              {Array.from({ length: 14 }, (_, index) => (
                <option key={index} value={index + 1}>
                  {daysText(index + 1)}
                </option>
              ))}
            </select>
          </Field>
        </div>
      )}
    </Choices>
  );
}

/** The chosen starting position in words. */
function startHint(game: VariantSummary, { start }: GameSetup): string {
  if (start === null) return t("home.by_lot_hint", { count: game.starts });
  const name = game.start_names[start];
  return name ? t("home.start_named", { number: start, name }) : t("home.start_number", { number: start });
}

/** The rating range of an opponent from the lobby. */
function RatingRange({ setup, change }: Pick<SetupProps, "setup" | "change">) {
  const bound = (id: string, title: string, value: number | null, set: (value: number | null) => void) => (
    <Field id={id} title={title}>
      <input
        id={id}
        type="number"
        inputmode="numeric"
        min="100"
        max="4000"
        step="50"
        placeholder={t("home.any_rating")}
        aria-invalid={isEmptyRange(setup)}
        value={value ?? ""}
        onInput={({ currentTarget: { valueAsNumber } }) =>
          set(Number.isFinite(valueAsNumber) ? Math.round(valueAsNumber) : null)
        }
      />
    </Field>
  );
  return (
    <fieldset class="field">
      <legend>{t("home.rating_range")}</legend>
      <div class="pair">
        {bound("rating-min", t("home.rating_min"), setup.ratingMin, (ratingMin) => change({ ratingMin }))}
        {bound("rating-max", t("home.rating_max"), setup.ratingMax, (ratingMax) => change({ ratingMax }))}
      </div>
      {isEmptyRange(setup) && (
        <p class="fault" role="alert">
          {t("home.bad_range")}
        </p>
      )}
    </fieldset>
  );
}

function MoreOptions(props: Omit<SetupProps, "games"> & { game: VariantSummary; fenFault: string }) {
  const { setup, change, signedIn, game, fenFault } = props;
  const hasSeats = isMulti(game.players);
  const isRatable = hasSeats ? canMultiBeRated(setup) : canBeRated(setup);
  const starts = Array.from({ length: game.starts }, (_, number) => String(number));
  return (
    <div class="more-choices">
      {!hasSeats && (
        <Choices
          name="side"
          title={t("home.side")}
          values={[
            ["white", t("home.white")],
            ["random", t("home.random")],
            ["black", t("home.black")],
          ]}
          chosen={setup.side}
          choose={(side) => change({ side })}
        />
      )}
      <ClockChoice setup={setup} change={change} />
      {!hasSeats && setup.against !== "anybody" && game.starts > 1 && setup.fen.trim() === "" && (
        <Choices
          name="start"
          title={t("home.start")}
          values={[
            ["lot", t("home.by_lot")] as const,
            ...starts.map((number) => [number, number, t("home.start_number", { number })] as const),
          ]}
          chosen={setup.start === null ? "lot" : String(setup.start)}
          choose={(start) => change({ start: start === "lot" ? null : Number(start) })}
        >
          <p class="hint">{startHint(game, setup)}</p>
        </Choices>
      )}
      {setup.against !== "anybody" && (
        <Field id="fen" title={t("home.fen")} hint={t("home.fen_hint")}>
          <input
            id="fen"
            value={setup.fen}
            aria-invalid={fenFault !== ""}
            aria-describedby="fen-fault"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            onInput={(event) => change({ fen: event.currentTarget.value })}
          />
          <p class="fault" id="fen-fault" role="alert">
            {fenFault !== "" && (
              <>
                {t("home.bad_fen")} <small lang="en">{fenFault}</small>
              </>
            )}
          </p>
        </Field>
      )}
      {setup.against === "anybody" && <RatingRange setup={setup} change={change} />}
      {signedIn && setup.against !== "engine" && (
        <label class="check">
          <input
            type="checkbox"
            checked={setup.rated && isRatable}
            disabled={!isRatable}
            onChange={(event) => change({ rated: event.currentTarget.checked })}
          />
          <span>
            {t("home.rated")} <span class="hint">{t(hasSeats ? "home.rated_four_hint" : "home.rated_hint")}</span>
          </span>
        </label>
      )}
      {setup.against !== "anybody" && !(hasSeats && isForAnybody(setup.seats)) && (
        <label class="check">
          <input
            type="checkbox"
            checked={setup.hidden}
            onChange={(event) => change({ hidden: event.currentTarget.checked })}
          />
          {t("home.private")}
        </label>
      )}
    </div>
  );
}

/** The hint for games against people. */
function hintOf(setup: GameSetup): string {
  if (setup.against === "friend") return "home.friend_hint";
  return clockName(setup) === "days" ? "home.anybody_hint" : "home.anybody_live_hint";
}

/** Keeps an emptied field empty. */
const typedNumber = (value: number): number | "" => (Number.isFinite(value) ? value : "");

/** A summary of the further options, shown while they are closed. */
function optionsSummary(setup: GameSetup, hasSeats: boolean): string {
  const clock = clockOf(setup);
  const hasFen = setup.fen.trim() !== "";
  if (hasSeats) return [clock === undefined ? null : timeControlText(clock), hasFen ? "FEN" : null].filter(Boolean).join(" · ");
  const side = setup.side === "random" ? null : t(`home.${setup.side}`);
  const other = setup.start === null ? null : t("home.start_number", { number: setup.start });
  const start = hasFen ? "FEN" : other;
  const range = ratingRange({ rating_min: setup.ratingMin, rating_max: setup.ratingMax });
  return [side, clock === undefined ? null : timeControlText(clock), setup.against === "anybody" ? range : start].filter(Boolean).join(" · ");
}

/** The delay before a typed FEN is checked. */
const DEBOUNCE_MS = 250;

interface Start {
  /** The picture of the position; while the FEN is invalid, of the last valid one. */
  source: string;
  /** The server's error message for the FEN. */
  fault: string;
}

/** The starting position, checked by the server. */
function useStart(setup: GameSetup): Start {
  const address = startPicture(setup);
  const hasFen = setup.fen.trim() !== "" && setup.against !== "anybody";
  const [start, setStart] = useState<Start>({ source: hasFen ? picture(setup.variant) : address, fault: "" });
  useEffect(() => {
    if (!hasFen) {
      setStart({ source: address, fault: "" });
      return;
    }
    const controller = new AbortController();
    const checkPosition = async (): Promise<void> => {
      const response = await fetch(address, { signal: controller.signal });
      if (response.ok) return setStart({ source: address, fault: "" });
      const { detail } = (await response.json()) as Schemas["Problem"];
      setStart(({ source }) => ({ source, fault: detail }));
    };
    // A failed request does not matter: the server checks again when it creates the game.
    const timer = setTimeout(() => checkPosition().catch(() => undefined), DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [address, hasFen]);
  return start;
}

/** The whole form. */
export function Play(props: SetupProps) {
  const { games, setup, change, isPending, fault, submit } = props;
  const start = useStart(setup);
  // Shows the FEN field if the address has a position.
  const [isOpen] = useState(setup.fen !== "");
  const moreOptions = useRef<HTMLDetailsElement>(null);
  // Scrolls to the error, which is off screen on a phone.
  useEffect(() => {
    if (isOpen && start.fault !== "") document.getElementById("fen-fault")?.scrollIntoView({ block: "nearest" });
  }, [start.fault]);
  const game = games.find((game) => game.id === setup.variant);
  if (!game) return null;
  const hasSeats = isMulti(game.players);
  const button: Record<Against, string> = {
    engine: t("home.play_engine", { name: game.name }),
    friend: t("home.play_friend"),
    anybody: t("home.play_anybody"),
  };
  return (
    <div class="play">
      <form
        class="play-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (start.fault === "") return submit();
          if (moreOptions.current) moreOptions.current.open = true;
          document.getElementById("fen")?.focus();
        }}
      >
        <Games games={games} setup={setup} change={change} />
        {hasSeats ? (
          <Seats setup={setup} change={change} levels={LEVELS.length} />
        ) : (
          <>
            <Choices
              name="against"
              title={t("home.opponent")}
              values={[
                ["engine", t("home.engine")],
                ["friend", t("home.friend")],
                ["anybody", t("home.anybody")],
              ]}
              chosen={setup.against}
              choose={(against) => change({ against })}
            />
            {setup.against === "engine" ? (
              <Level setup={setup} change={change} />
            ) : (
              <p class="hint">{t(hintOf(setup))}</p>
            )}
          </>
        )}
        <details class="more-of" open={isOpen} ref={moreOptions}>
          <summary>
            <span>{t(hasSeats ? "home.more_choices_four" : "home.more_choices")}</span>{" "}
            <span class="hint">{optionsSummary(setup, hasSeats)}</span>
          </summary>
          <MoreOptions {...props} game={game} fenFault={start.fault} />
        </details>
        <p class="fault" role="alert">
          {start.fault === "" && fault}
        </p>
        <div class="play-go">
          <button class="button big" type="submit" aria-busy={isPending}>
            {isPending ? t("home.starting") : button[setup.against]}
          </button>
          <a class="button quiet" href={`/learn/${setup.variant}`}>{t("home.learn")}</a>
        </div>
      </form>
      <figure class="play-board">
        <img src={start.source} alt="" width="520" height="520" />
        <figcaption>
          <strong>{game.name}</strong>
          <span class="from">
            {game.author}
            {game.year ? ` ${game.year}` : ""}
            {game.array && ` · ${t("home.array", { name: game.array })}`}
          </span>
          <a href={`/rules/${game.id}`}>{t("home.rules", { name: game.name })}</a>
        </figcaption>
      </figure>
    </div>
  );
}
