/** Keyboard shortcuts of the page, as on lichess. Input fields and the board handle keys themselves. */
import { listenToKeys } from "../common/keys.ts";
import type { Analysis } from "./analysis.ts";
import { MOVE_NAGS } from "./nags.ts";
import { fork, lastOf, sibling } from "./tree.ts";

/** The actions of the page that keys and buttons share. */
export interface PageActions {
  openHelp: () => void;
  flip: () => void;
  toggleArrow: () => void;
  zen: () => void;
  /** Writes variations within the text of the moves, or below it. */
  toggleInline: () => void;
  playBest: () => void;
  /** Goes to the next move with this judgment. */
  goToJudgment: (judgment: "inaccuracy" | "mistake" | "blunder") => void;
  toggleExplorer: () => void;
  /** Plays the first move of the explorer. */
  playExplored: () => void;
  cancelAll: () => void;
}

const focus = (id: string): void => document.getElementById(id)?.focus();

/** Installs the shortcuts until the returned function is called. */
export function listen(analysis: Analysis, page: PageActions): () => void {
  const back = (): void => analysis.view(analysis.node.parent ?? analysis.node);
  const next = (): void => analysis.view(analysis.node.children[0] ?? analysis.node);
  const first = (): void => analysis.view(analysis.root);
  const last = (): void => analysis.view(lastOf(analysis.node));
  const goToSibling = (direction: 1 | -1): void => analysis.view(sibling(analysis.node, direction));
  const unshifted: Readonly<Record<string, () => void>> = {
    ArrowLeft: back,
    k: back,
    ArrowRight: next,
    j: next,
    ArrowUp: first,
    Home: first,
    "0": first,
    ArrowDown: last,
    End: last,
    $: last,
    e: page.toggleExplorer,
    l: () => analysis.setEngine(!analysis.isEngineOn),
    " ": page.playBest,
    x: () => analysis.toggleThreat(),
    a: page.toggleArrow,
    f: page.flip,
    z: page.zen,
    b: () => page.goToJudgment("blunder"),
    m: () => page.goToJudgment("mistake"),
    i: () => page.goToJudgment("inaccuracy"),
    t: () => focus("a-typed"),
    d: () => focus("a-comment"),
    C: () => focus("a-comment"),
    Escape: page.cancelAll,
    "?": page.openHelp,
  };
  const shifted: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => analysis.view(fork(analysis.node, -1)),
    ArrowRight: () => analysis.view(fork(analysis.node, 1)),
    ArrowUp: () => goToSibling(-1),
    ArrowDown: () => goToSibling(1),
    " ": page.playExplored,
    I: page.toggleInline,
  };
  const nags = MOVE_NAGS.map(([nag]) => nag);
  const annotate = (onKeyDown: string): (() => void) | undefined =>
    /^[1-6]$/.test(onKeyDown) && analysis.node.parent ? () => analysis.toggleNag(Number(onKeyDown), nags) : undefined;
  return listenToKeys(({ key, shiftKey, target }) => {
    // A focused button is pressed by the space bar.
    if (key === " " && target instanceof HTMLButtonElement) return undefined;
    return (shiftKey ? shifted[key] : undefined) ?? unshifted[key] ?? annotate(key);
  });
}
