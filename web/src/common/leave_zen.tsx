/** Zen mode without a keyboard: the button that leaves it. A page that shows it has a zen mode (styles/game.css). */
import { setZen } from "./settings.ts";
import { addTexts, t } from "./texts.ts";

addTexts({
  "frame.zen_leave": "Leave zen mode",
});

export function LeaveZen() {
  return (
    <button type="button" class="g-plain g-leave-zen" onClick={() => setZen(false)}>
      {t("frame.zen_leave")}
    </button>
  );
}
