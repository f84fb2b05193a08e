/** Keyboard shortcuts of the page. Input fields and the board handle keys themselves. */
import { listenToKeys } from "../common/keys.ts";
import type { PageActions } from "./command_line.tsx";
import type { GameSession } from "./session.ts";

const focus = (id: string): void => document.getElementById(id)?.focus();

/** Installs the shortcuts until the returned function is called. */
export function listen(session: GameSession, page: PageActions): () => void {
  const actions: Readonly<Record<string, () => void>> = {
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
    // A selection by mouse does not move the focus to the board.
    Escape: page.cancelAll,
    "?": page.openHelp,
    m: () => focus("g-command"),
    c: () => focus("g-chat-input"),
  };
  return listenToKeys(({ key }) => actions[key], ".g-messages, [role=tab]");
}
