/** Whether this browser tells its user of turns and challenges. */
import { useEffect, useState } from "preact/hooks";
import { learn, t } from "../common/texts.ts";
import { Said, Section, useOutcome } from "./parts.tsx";
import { canPush, isSubscribed, subscribe, unsubscribe } from "./push.ts";

learn({
  "push.title": "Notifications",
  "push.hint": "When it is your turn in a correspondence game, and when somebody challenges you. Also while the site is closed.",
  "push.on": "Turn on for this browser",
  "push.off": "Turn off for this browser",
  "push.is_on": "This browser notifies you.",
  "push.is_off": "This browser does not notify you any more.",
  "push.denied": "The browser does not allow notifications from this site. Allow them in its settings and try again.",
  "push.failed": "The browser could not subscribe. In a private window there are no notifications; otherwise try again later.",
  "push.unsupported": "This browser does not offer notifications here. They need a connection by https.",
});

export function Notifications() {
  const [on, setOn] = useState<boolean | null>(null);
  const outcome = useOutcome();
  const possible = canPush();
  useEffect(() => {
    if (possible) isSubscribed().then(setOn, () => setOn(false));
  }, []);
  const turnOn = async () => {
    const allowed = await subscribe().catch((fault: unknown) => {
      // The browser or its push service refuses.
      throw fault instanceof DOMException ? new RangeError(t("push.failed")) : fault;
    });
    if (!allowed) throw new RangeError(t("push.denied"));
    setOn(true);
  };
  const turnOff = async () => {
    await unsubscribe();
    setOn(false);
  };
  const press = () => void outcome.run(on ? turnOff : turnOn, t(on ? "push.is_off" : "push.is_on"));
  return (
    <Section id="notifications" title={t("push.title")} hint={t("push.hint")}>
      {possible ? (
        <>
          <Said outcome={outcome} />
          <div class="buttons">
            <button
              class={on ? "button quiet" : "button"}
              type="button"
              disabled={on === null || outcome.busy}
              onClick={press}
            >
              {t(on ? "push.off" : "push.on")}
            </button>
          </div>
        </>
      ) : (
        <p class="notice">{t("push.unsupported")}</p>
      )}
    </Section>
  );
}
