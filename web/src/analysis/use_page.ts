/** The common parts of the pages of analysis and studies: display of the board, explorer, keys. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import { store } from "../board/storage.ts";
import { keepView } from "../common/board_view.ts";
import { toggleZen } from "../common/settings.ts";
import type { Analysis } from "./analysis.ts";
import type { DisplayOptions } from "./board.tsx";
import { type ExplorerState, useExplorer } from "./explorer_panel.tsx";
import { listen, type PageActions } from "./keys.ts";
import { ARROW_KEY, flip, initialDisplay, INLINE_KEY, playBest } from "./parts.tsx";

/** Actions of one page only; `goToJudgment` depends on `dependency`. */
interface PageOptions extends Pick<PageActions, "openHelp" | "goToJudgment"> {
  dependency: unknown;
}

interface AnalysisPageState {
  display: DisplayOptions;
  setDisplay: (display: DisplayOptions) => void;
  explorer: ExplorerState;
  page: PageActions;
}

export function useAnalysisPage(analysis: Analysis, board: LozBoard, options: PageOptions): AnalysisPageState {
  const [display, setDisplay] = useState(() => initialDisplay(analysis));
  const explorer = useExplorer(analysis);
  useEffect(() => keepView(analysis.rules, analysis.board, display.view), [analysis, display.view]);
  useEffect(() => store(ARROW_KEY, display.arrow ? "on" : "off"), [display.arrow]);
  useEffect(() => store(INLINE_KEY, display.inline ? "on" : "off"), [display.inline]);
  const page = useMemo<PageActions>(
    () => ({
      openHelp: options.openHelp,
      flip: () => setDisplay(flip(analysis)),
      toggleArrow: () => setDisplay((previous) => ({ ...previous, arrow: !previous.arrow })),
      zen: toggleZen,
      toggleInline: () => setDisplay((previous) => ({ ...previous, inline: !previous.inline })),
      playBest: () => void playBest(analysis),
      goToJudgment: options.goToJudgment,
      toggleExplorer: explorer.toggle,
      playExplored: explorer.playFirst,
      cancelAll: () => board.cancelAll(),
    }),
    [analysis, board, options.dependency, explorer.explored, explorer.isLoading, explorer.isOpen],
  );
  useEffect(() => listen(analysis, page), [analysis, page]);
  return { display, setDisplay, explorer, page };
}
