/** The confirmation of a move, if the user has chosen it in the preferences. */
import { Check, Cross } from "./icons.tsx";
import { t } from "./texts.ts";
import { useSession } from "./use.ts";

const focus = (button: HTMLButtonElement | null): void => button?.focus({ preventScroll: true });

export function Confirm() {
  const session = useSession();
  const { proposed } = session;
  if (!proposed) return null;
  return (
    <div
      class="g-banner g-confirm"
      role="group"
      aria-label={t("confirm_move", { move: proposed.move })}
      onKeyDown={(event) => event.key === "Escape" && session.settle(false)}
    >
      <p>{t("confirm_move", { move: proposed.move })}</p>
      <div class="g-answers">
        <button key={proposed.move} type="button" class="g-button g-good" ref={focus} onClick={() => session.settle(true)}>
          <Check /> {t("confirm_yes")}
        </button>
        <button type="button" class="g-button" onClick={() => session.settle(false)}>
          <Cross /> {t("cancel")}
        </button>
      </div>
    </div>
  );
}
