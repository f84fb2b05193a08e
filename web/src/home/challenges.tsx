/** The open challenges, received and sent. */
import { useEffect, useState } from "preact/hooks";
import { accept, cancel, decline, nameWithRating, terms } from "../challenges/challenge.ts";
import { onPlayerEvent } from "../challenges/events.ts";
import { type Schemas, send } from "../common/api.ts";
import { timeControlText } from "../common/time_control.ts";
import { errorText, status } from "../common/errors.ts";
import { t } from "../common/texts.ts";

type Open = Schemas["Challenges"];
type Challenge = Schemas["Challenge"];

/** One challenge with its buttons. */
function Row({ challenge, received, submit }: { challenge: Challenge; received: boolean; submit: (work: Promise<unknown>) => void }) {
  const { id, challenger, challenged, clock } = challenge;
  return (
    <li class={received ? "seek yours" : "seek"}>
      <span class="seek-clock">{timeControlText(clock)}</span>
      <span class="seek-what">
        <strong>
          {received ? t("challenge.from", { name: nameWithRating(challenger) }) : t("challenge.to", { name: nameWithRating(challenged) })}
        </strong>
        <span class="hint">{terms(challenge, received)}</span>
      </span>
      {received ? (
        <>
          <button class="button small" type="button" onClick={() => submit(accept(id))}>
            {t("challenge.accept")}
          </button>
          <button class="button quiet small" type="button" onClick={() => submit(decline(id))}>
            {t("challenge.decline")}
          </button>
        </>
      ) : (
        <button class="button quiet small" type="button" onClick={() => submit(cancel(id))}>
          {t("challenge.cancel")}
        </button>
      )}
    </li>
  );
}

export function Challenges({ first }: { first: Open }) {
  const [open, setOpen] = useState(first);
  const [fault, setFault] = useState("");
  const refresh = () => send<Open>("GET", "/api/challenge").then(setOpen, () => undefined);
  useEffect(
    () =>
      onPlayerEvent((event, preventNotice) => {
        if (!("challenge" in event)) return;
        // An answer to the user's challenge is shown as a notice too.
        if (event.type === "challenge" || event.type === "challengeCanceled") preventNotice();
        void refresh();
      }),
    [],
  );
  if (open.received.length + open.sent.length === 0) return null;
  const submit = (work: Promise<unknown>) => {
    setFault("");
    work.then(refresh, (error: unknown) => {
      setFault(status(error) === 404 ? t("challenge.gone") : errorText(error));
      void refresh();
    });
  };
  return (
    <section id="challenges" class="first" aria-labelledby="challenges-title">
      <h2 id="challenges-title">{t("challenge.title")}</h2>
      <p class="fault" role="alert">
        {fault}
      </p>
      <ul class="seeks">
        {open.received.map((challenge) => (
          <Row key={challenge.id} challenge={challenge} received submit={submit} />
        ))}
        {open.sent.map((challenge) => (
          <Row key={challenge.id} challenge={challenge} received={false} submit={submit} />
        ))}
      </ul>
    </section>
  );
}
