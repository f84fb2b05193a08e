/** Keys for the whole page. Where something is typed, and on the board, keys have their own meaning. */
import type { Page } from "./command.tsx";
import type { Session } from "./session.ts";

/** Whether a key belongs to what has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return true;
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target.matches("input, textarea, select, dialog *, .g-lines, [role=tab]") || target.isContentEditable;
}

const focus = (id: string): void => document.getElementById(id)?.focus();

/** Listens until the returned function is called. */
export function listen(session: Session, page: Page): () => void {
  const doing: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => session.view(session.ply - 1),
    k: () => session.view(session.ply - 1),
    ArrowRight: () => session.view(session.ply + 1),
    j: () => session.view(session.ply + 1),
    ArrowUp: () => session.view(0),
    Home: () => session.view(0),
    "0": () => session.view(0),
    ArrowDown: () => session.view(session.game.state.ply),
    End: () => session.view(session.game.state.ply),
    $: () => session.view(session.game.state.ply),
    f: page.flip,
    z: page.zen,
    // A piece that was chosen by the mouse leaves the focus where it was.
    Escape: page.cancelAll,
    "?": page.openHelp,
    m: () => focus("g-command"),
    c: () => focus("g-chat-input"),
  };
  const key = (event: KeyboardEvent): void => {
    const act = isTaken(event) ? undefined : doing[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", key);
  return () => document.removeEventListener("keydown", key);
}
