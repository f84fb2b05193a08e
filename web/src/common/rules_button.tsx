/** The button for the rules of the page's game, beside the board. The panel is loaded with the first click. */
import { useState } from "preact/hooks";
import type { Board } from "../board/index.ts";
import { Book } from "../game/icons.tsx";
import { pageData } from "./page.ts";
import { addTexts, t } from "./texts.ts";

addTexts({
  "panel.button": "Rules",
  "panel.button_title": "The rules of this game, and how its pieces move",
});

export function RulesButton() {
  const [isOpen, setOpen] = useState(false);
  const toggle = async (): Promise<void> => {
    const { togglePanel } = await import("../rules/panel.tsx");
    setOpen(togglePanel(pageData<Board>("board"), () => setOpen(false)));
  };
  return (
    <button type="button" class="g-action" title={t("panel.button_title")} aria-expanded={isOpen} onClick={() => void toggle()}>
      <Book />
      <span>{t("panel.button")}</span>
    </button>
  );
}
