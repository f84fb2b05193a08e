/** A modal dialog, closed by its button, by Escape, and by a click outside. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { addTexts, t } from "../common/texts.ts";
import { Cross } from "./icons.tsx";

// Its own text, so that pages with a dialog do not load those of games.
addTexts({ "game.close": "Close" });

interface Props {
  title: string;
  close: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, close, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="g-dialog"
      aria-labelledby="g-dialog-title"
      onClose={close}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div class="g-dialog-inside">
        <header>
          <h2 id="g-dialog-title">{title}</h2>
          <button type="button" class="g-plain" aria-label={t("game.close")} onClick={close}>
            <Cross />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
