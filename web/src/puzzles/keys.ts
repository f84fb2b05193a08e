/** Keyboard shortcuts of the page, most of them as on the analysis board. Input fields and the board handle keys themselves. */
import { listenToKeys } from "../common/keys.ts";
import type { Solver } from "./solver.ts";

/** The actions of the page that keys and buttons share. */
export interface PageActions {
  openHelp: () => void;
  flip: () => void;
}

/** Installs the shortcuts until the returned function is called. */
export function listen(solver: Solver, page: PageActions): () => void {
  const back = (): void => solver.view(solver.at - 1);
  const next = (): void => solver.view(solver.at + 1);
  const first = (): void => solver.view(0);
  const last = (): void => solver.view(solver.steps.length);
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: back,
    k: back,
    ArrowRight: next,
    j: next,
    ArrowUp: first,
    Home: first,
    ArrowDown: last,
    End: last,
    h: () => void solver.hint(),
    s: () => void solver.showSolution(),
    n: () => {
      if (solver.isOver && !solver.start.streak) void solver.next();
    },
    f: page.flip,
    t: () => document.getElementById("p-typed")?.focus(),
    "?": page.openHelp,
  };
  return listenToKeys(({ key }) => actions[key]);
}
