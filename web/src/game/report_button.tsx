/** The button that reports a chat message; its dialog is in `report.tsx`. */
import { displayName } from "../common/player_names.ts";
import { Check, Flag } from "./icons.tsx";
import type { ChatLine } from "./session.ts";
import { t } from "./texts.ts";
import { useSession } from "./hooks.ts";

export function ReportButton({ message, open }: { message: ChatLine; open: () => void }) {
  const session = useSession();
  if (session.reported.has(message.number)) {
    return (
      <span class="g-reported" title={t("reported")}>
        <Check />
        <span class="unseen">{t("reported")}</span>
      </span>
    );
  }
  const label = t("report_line", { name: displayName(message.from), text: message.text });
  return (
    <button type="button" class="g-plain g-report" title={t("report")} aria-label={label} onClick={open}>
      <Flag />
    </button>
  );
}
