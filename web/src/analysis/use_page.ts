/** The common parts of the pages of analysis and studies: display of the board, explorer, keys. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import { store } from "../board/storage.ts";
import { toggleZen } from "../common/settings.ts";
import type { Analysis } from "./analysis.ts";
import type { Look } from "./board.tsx";
import { type ExplorerState, useExplorer } from "./explorer_panel.tsx";
import { listen, type PageActions } from "./keys.ts";
import { ARROW, firstLook, INLINE, playBest } from "./parts.tsx";

/** Actions of one page only; `nextJudged` depends on `of`. */
interface OwnActions extends Pick<PageActions, "openHelp" | "nextJudged"> {
  of: unknown;
}

interface AnalysisPageState {
  look: Look;
  setLook: (look: Look) => void;
  explorer: ExplorerState;
  page: PageActions;
}

export function useAnalysisPage(analysis: Analysis, board: LozBoard, own: OwnActions): AnalysisPageState {
  const [look, setLook] = useState(() => firstLook(analysis));
  const explorer = useExplorer(analysis);
  useEffect(() => store(`lozenge.view.${analysis.rules}`, look.view), [analysis, look.view]);
  useEffect(() => store(ARROW, look.arrow ? "on" : "off"), [look.arrow]);
  useEffect(() => store(INLINE, look.inline ? "on" : "off"), [look.inline]);
  const page = useMemo<PageActions>(
    () => ({
      openHelp: own.openHelp,
      flip: () => setLook((known) => ({ ...known, flipped: !known.flipped })),
      toggleArrow: () => setLook((known) => ({ ...known, arrow: !known.arrow })),
      zen: toggleZen,
      toggleInline: () => setLook((known) => ({ ...known, inline: !known.inline })),
      playBest: () => void playBest(analysis),
      nextJudged: own.nextJudged,
      toggleExplorer: explorer.toggle,
      playExplored: explorer.playFirst,
      cancelAll: () => board.cancelAll(),
    }),
    [analysis, board, own.of, explorer.explored, explorer.isLoading, explorer.isOpen],
  );
  useEffect(() => listen(analysis, page), [analysis, page]);
  return { look, setLook, explorer, page };
}
