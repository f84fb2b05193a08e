/** The buttons below a board: flip it, change its view, open the rules and the help. */
import { Diamond, Flip, Question, Square } from "../game/icons.tsx";
import { RulesButton } from "./rules_button.tsx";

interface BoardToolsProps {
  /** The page's texts. */
  t: (name: "board" | "flip" | "flip_title" | "view" | "view_title" | "help") => string;
  isDiamond: boolean;
  flip: () => void;
  changeView: () => void;
  openHelp: () => void;
}

export function BoardTools({ t, isDiamond, flip, changeView, openHelp }: BoardToolsProps) {
  return (
    <div class="g-bar g-tools" role="group" aria-label={t("board")}>
      <button type="button" class="g-action" title={t("flip_title")} onClick={flip}>
        <Flip />
        <span>{t("flip")}</span>
      </button>
      <button type="button" class="g-action" title={t("view_title")} onClick={changeView}>
        {isDiamond ? <Square /> : <Diamond />}
        <span>{t("view")}</span>
      </button>
      <RulesButton />
      <button type="button" class="g-action" title={t("help")} onClick={openHelp}>
        <Question />
        <span>{t("help")}</span>
      </button>
    </div>
  );
}
