/** Keyboard shortcuts of a level. Input fields and the board handle keys themselves. */
import { listenToKeys } from "../common/keys.ts";

/** The actions of keys and buttons. */
export interface LevelActions {
  next: () => void;
  back: () => void;
  restart: () => void;
  hint: () => void;
  flip: () => void;
  openHelp: () => void;
}

/** Installs the shortcuts until the returned function is called. */
export function listen(actions: LevelActions): () => void {
  const keys: Readonly<Record<string, () => void>> = {
    n: actions.next,
    b: actions.back,
    r: actions.restart,
    h: actions.hint,
    f: actions.flip,
    t: () => document.getElementById("l-typed")?.focus(),
    "?": actions.openHelp,
  };
  return listenToKeys(({ key }) => keys[key]);
}
