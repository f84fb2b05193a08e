/** The setting for push notifications in this browser. */
import { useEffect, useState } from "preact/hooks";
import { addTexts, t } from "../common/texts.ts";
import { OutcomeMessage, Section, useRequest } from "./form_parts.tsx";
import { canPush, isSubscribed, subscribe, unsubscribe } from "./push.ts";

addTexts({
  "push.title": "Notifications",
  "push.hint": "When it is your turn in a correspondence game and when you are challenged, even while the site is closed.",
  "push.on": "Turn on in this browser",
  "push.off": "Turn off in this browser",
  "push.is_on": "Notifications are on in this browser.",
  "push.is_off": "Notifications are off in this browser.",
  "push.denied": "Your browser blocks notifications from this site. Allow them in its settings and try again.",
  "push.failed": "Your browser could not subscribe. Private windows have no notifications; otherwise try again later.",
  "push.unsupported": "This browser does not support notifications here. They require HTTPS.",
});

export function Notifications() {
  const [isOn, setOn] = useState<boolean | null>(null);
  const outcome = useRequest();
  const isSupported = canPush();
  useEffect(() => {
    if (isSupported) isSubscribed().then(setOn, () => setOn(false));
  }, []);
  const turnOn = async () => {
    const allowed = await subscribe().catch((fault: unknown) => {
      // The browser or its push service refused.
      throw fault instanceof DOMException ? new RangeError(t("push.failed")) : fault;
    });
    if (!allowed) throw new RangeError(t("push.denied"));
    setOn(true);
  };
  const turnOff = async () => {
    await unsubscribe();
    setOn(false);
  };
  const toggle = () => void outcome.run(isOn ? turnOff : turnOn, t(isOn ? "push.is_off" : "push.is_on"));
  return (
    <Section id="notifications" title={t("push.title")} hint={t("push.hint")}>
      {isSupported ? (
        <>
          <OutcomeMessage outcome={outcome} />
          <div class="buttons">
            <button
              class={isOn ? "button quiet" : "button"}
              type="button"
              disabled={isOn === null || outcome.isPending}
              onClick={toggle}
            >
              {t(isOn ? "push.off" : "push.on")}
            </button>
          </div>
        </>
      ) : (
        <p class="notice">{t("push.unsupported")}</p>
      )}
    </Section>
  );
}
