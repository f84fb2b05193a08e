/** The confirmation of a move, if the user has chosen it in the preferences. */
import { Check, Cross } from "./icons.tsx";
import { t } from "./texts.ts";
import { useSession } from "./hooks.ts";

const focus = (button: HTMLButtonElement | null): void => button?.focus({ preventScroll: true });

export function Confirm() {
  const session = useSession();
  const { unconfirmed } = session;
  if (!unconfirmed) return null;
  return (
    <div
      class="g-banner g-confirm"
      role="group"
      aria-label={t("confirm_move", { move: unconfirmed.move })}
      onKeyDown={(event) => event.key === "Escape" && session.confirmMove(false)}
    >
      <p>{t("confirm_move", { move: unconfirmed.move })}</p>
      <div class="g-answers">
        <button key={unconfirmed.move} type="button" class="g-button g-good" ref={focus} onClick={() => session.confirmMove(true)}>
          <Check /> {t("confirm_yes")}
        </button>
        <button type="button" class="g-button" onClick={() => session.confirmMove(false)}>
          <Cross /> {t("cancel")}
        </button>
      </div>
    </div>
  );
}
