/** The dialog that reports a chat message to the operators of the site; its button is in `report_button.tsx`. */
import { useState } from "preact/hooks";
import { send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { displayName } from "../common/player_names.ts";
import { Dialog } from "./dialog.tsx";
import { Flag } from "./icons.tsx";
import type { ChatLine } from "./session.ts";
import { t } from "./texts.ts";
import { useSession } from "./hooks.ts";

export function Report({ message, close }: { message: ChatLine; close: () => void }) {
  const session = useSession();
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const isReported = session.reported.has(message.number);
  const report = async (): Promise<void> => {
    setPending(true);
    setFault(null);
    try {
      await send("POST", `/api/games/${session.game.id}/chat/${message.number}/report`);
      session.reported.add(message.number);
      session.announce(t("report_thanks"));
      session.notify();
    } catch (error) {
      setFault(errorText(error));
    }
    setPending(false);
  };
  return (
    <Dialog title={t(isReported ? "reported" : "report_sure")} close={close}>
      <blockquote class="g-quote">
        <b>{displayName(message.from)}</b> {message.text}
      </blockquote>
      <p role="status">{t(isReported ? "report_thanks" : "report_about")}</p>
      {fault && (
        <p class="g-problem" role="alert">
          {fault}
        </p>
      )}
      <div class="g-answers">
        {!isReported && (
          <button type="button" class="g-button g-danger" disabled={isPending} onClick={() => void report()}>
            <Flag /> {t("report_yes")}
          </button>
        )}
        <button type="button" class="g-button" onClick={close}>
          {t(isReported ? "close" : "cancel")}
        </button>
      </div>
    </Dialog>
  );
}
