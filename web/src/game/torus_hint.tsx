/** The hint how to scroll a board without edges, beside the board. */
import { useState } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import { isHintDismissed, hintText, dismissHint } from "../board/scroll_controls.ts";

export function TorusHint({ board }: { board: LozBoard }) {
  const [isDismissed, setDismissed] = useState(isHintDismissed);
  const wraps = board.board?.wraps;
  if (isDismissed || !(wraps?.files || wraps?.ranks)) return null;
  const close = (): void => {
    dismissHint();
    setDismissed(true);
  };
  return (
    <div class="g-banner g-hint" role="note">
      <p>{hintText(board.texts)}</p>
      <button type="button" class="g-button" onClick={close}>
        {board.texts.hint_ok}
      </button>
    </div>
  );
}
