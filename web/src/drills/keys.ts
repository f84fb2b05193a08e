/** Keyboard shortcuts of an ending. Input fields and the board handle keys themselves. */
import { listenToKeys } from "../common/keys.ts";

/** The actions of keys and buttons. */
export interface DrillActions {
  next: () => void;
  again: () => void;
  takeBack: () => void;
  hint: () => void;
  flip: () => void;
  openHelp: () => void;
}

/** Installs the shortcuts until the returned function is called. */
export function listen(actions: DrillActions): () => void {
  const keys: Readonly<Record<string, () => void>> = {
    n: actions.next,
    r: actions.again,
    u: actions.takeBack,
    h: actions.hint,
    f: actions.flip,
    t: () => document.getElementById("d-typed")?.focus(),
    "?": actions.openHelp,
  };
  return listenToKeys(({ key }) => keys[key]);
}
