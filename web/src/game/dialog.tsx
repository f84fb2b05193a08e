/** A modal dialog, closed by its button, by Escape, and by a click outside. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Cross } from "./icons.tsx";
import { t } from "./texts.ts";

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
          <button type="button" class="g-plain" aria-label={t("close")} onClick={close}>
            <Cross />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
