/** The form that challenges a player, on the player's page. */
import { useEffect, useState } from "preact/hooks";
import { cancel, terms } from "../challenges/challenge.ts";
import { type Challenge as Open, onPlayerEvent } from "../challenges/events.ts";
import { type Schemas, send } from "../common/api.ts";
import { correspondence, daysText, PRESETS, presetClock } from "../common/time_control.ts";
import { errorText } from "../common/errors.ts";
import { addTexts, t } from "../common/texts.ts";
import { Choices } from "../home/form_fields.tsx";

addTexts({
  "challenge.open": "Challenge to a game",
  "challenge.send": "Send challenge",
  "challenge.game": "Game",
  "challenge.clock": "Time control",
  "challenge.no_clock": "Unlimited",
  "challenge.side": "You play",
  "challenge.white": "White",
  "challenge.random": "Random",
  "challenge.black": "Black",
  "challenge.is_rated": "Rated",
  "challenge.waiting": "{name} can accept until {time}. You can leave this page.",
});

type Side = Schemas["Side"];

/** The time controls by name. */
const CLOCKS: readonly (readonly [string, Schemas["Clock"] | null])[] = [
  ["none", null],
  ...PRESETS.map((name) => [name, presetClock(name)] as const),
  ...[1, 3, 7].map((count) => [`${count}d`, correspondence(count)] as const),
];

function label(name: string): string {
  if (name === "none") return t("challenge.no_clock");
  return name.endsWith("d") ? daysText(Number.parseInt(name, 10)) : name;
}

const expiryText = (ms: number): string =>
  new Date(ms).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

/** An open challenge, until it is answered. */
function Waiting({ open, onEnd }: { open: Open; onEnd: () => void }) {
  return (
    <div class="panel" role="status">
      <strong>{t("challenge.to", { name: open.challenged.name })}</strong>
      <p>{terms(open, false)}</p>
      <p class="hint">{t("challenge.waiting", { name: open.challenged.name, time: expiryText(open.expires_at) })}</p>
      <div class="buttons">
        <button class="button quiet" type="button" onClick={() => void cancel(open.id).then(onEnd, onEnd)}>
          {t("challenge.cancel")}
        </button>
      </div>
    </div>
  );
}

export function Challenge({ name, games }: { name: string; games: Schemas["GameName"][] }) {
  const [variant, setVariant] = useState(games[0]?.id ?? "");
  const [clock, setClock] = useState("5+3");
  const [side, setSide] = useState<Side>("random");
  const [isRated, setRated] = useState(true);
  const [open, setOpen] = useState<Open | null>(null);
  const [fault, setFault] = useState("");
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    const isForPlayer = (challenge: Open): boolean => challenge.challenged.name === name;
    send<Schemas["Challenges"]>("GET", "/api/challenge").then(
      (challenges) => setOpen(challenges.sent.find(isForPlayer) ?? null),
      () => undefined,
    );
    return onPlayerEvent((event, preventNotice) => {
      if (!("challenge" in event) || !isForPlayer(event.challenge)) return;
      if (event.type === "challengeAccepted") {
        preventNotice();
        location.assign(`/game/${event.game.id}`);
      } else if (event.type !== "challenge") {
        setOpen(null);
      }
    });
  }, []);
  if (open) return <Waiting open={open} onEnd={() => setOpen(null)} />;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isPending) return;
    const selectedClock = CLOCKS.find(([name]) => name === clock)?.[1] ?? null;
    setPending(true);
    setFault("");
    send<Open>("POST", `/api/challenge/${encodeURIComponent(name)}`, {
      variant,
      clock: selectedClock,
      side,
      rated: isRated && selectedClock !== null,
    })
      .then(setOpen, (error: unknown) => setFault(errorText(error)))
      .finally(() => setPending(false));
  };
  return (
    <details class="challenge">
      <summary class="button">{t("challenge.open")}</summary>
      <form class="panel" onSubmit={submit}>
        <div class="field">
          <label for="challenge-game">{t("challenge.game")}</label>
          <select id="challenge-game" value={variant} onChange={(event) => setVariant(event.currentTarget.value)}>
            {games.map(({ id, name: title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </div>
        <Choices
          name="challenge-clock"
          style="chips"
          title={t("challenge.clock")}
          values={CLOCKS.map(([name]) => [name, label(name)] as const)}
          chosen={clock}
          choose={setClock}
        />
        <Choices<Side>
          name="challenge-side"
          title={t("challenge.side")}
          values={[
            ["white", t("challenge.white")],
            ["random", t("challenge.random")],
            ["black", t("challenge.black")],
          ]}
          chosen={side}
          choose={setSide}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={isRated && clock !== "none"}
            disabled={clock === "none"}
            onChange={(event) => setRated(event.currentTarget.checked)}
          />
          {t("challenge.is_rated")}
        </label>
        <p class="fault" role="alert">
          {fault}
        </p>
        <div class="buttons">
          <button class="button" type="submit" aria-busy={isPending}>
            {t("challenge.send")}
          </button>
        </div>
      </form>
    </details>
  );
}
