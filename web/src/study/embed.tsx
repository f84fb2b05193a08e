/** The entry of a chapter that another site shows in a frame: board and moves, read-only. */
import "../../styles/main.css";
import "../../styles/game.css";
import "../../styles/analysis.css";
import "../../styles/study.css";
import "../board/index.ts";
import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Analysis } from "../analysis/analysis.ts";
import { Board } from "../analysis/board.tsx";
import { makeBoard } from "../common/make_board.ts";
import { AnalysisContext, useAnalysis } from "../analysis/hooks.ts";
import { listen, type PageActions } from "../analysis/keys.ts";
import { Moves } from "../analysis/moves.tsx";
import { flip, initialDisplay, GameStatus } from "../analysis/parts.tsx";
import type { LozBoard } from "../board/index.ts";
import { pageData } from "../common/page.ts";
import { chapterName, conceals, pathOfChapter } from "./names.ts";
import type { Start } from "./session.ts";
import { t } from "./texts.ts";

function Embedded({ start, board }: { start: Start; board: LozBoard }) {
  const analysis = useAnalysis();
  const [display, setDisplay] = useState(() => ({ ...initialDisplay(analysis), arrow: false }));
  const page = useMemo<PageActions>(
    () => ({
      openHelp: () => undefined,
      flip: () => setDisplay(flip(analysis)),
      toggleArrow: () => undefined,
      zen: () => undefined,
      toggleInline: () => setDisplay((previous) => ({ ...previous, inline: !previous.inline })),
      playBest: () => undefined,
      goToJudgment: () => undefined,
      toggleExplorer: () => undefined,
      playExplored: () => undefined,
      cancelAll: () => board.cancelAll(),
    }),
    [analysis, board],
  );
  useEffect(() => listen(analysis, page), [analysis, page]);
  const { study, chapter } = start;
  const id = chapter?.id ?? "";
  return (
    <div class="a-page s-embedded">
      <div class="a-board"><Board board={board} display={display} /></div>
      <div class="a-panel">
        <h1 lang={study.language ?? undefined}>{chapterName(study.list, id)}</h1>
        <Moves inline={display.inline} judgmentOf={() => null} lang={study.language} isConcealed={conceals(chapter?.tree.tags ?? [])} />
        <GameStatus />
        <a href={pathOfChapter(study.id, id)} target="_blank" rel="noopener">{t("open_in_study")}: {study.name}</a>
      </div>
      <p class="unseen" role="status">{analysis.announcement}</p>
    </div>
  );
}

const root = document.getElementById("study");
const start = pageData<Start>("data");
if (root && start.chapter) {
  const board = makeBoard();
  board.sound = false;
  const recorder = { record: () => undefined, seq: 0, isReadOnly: true };
  const analysisStart = { variant_name: start.variant_name, tree: start.chapter.tree, at: [], playing: true };
  const analysis = new Analysis(analysisStart, pageData("board"), recorder);
  analysis.isEngineOn = false;
  root.replaceChildren();
  void analysis.open().then(() => {
    render(
      <AnalysisContext.Provider value={analysis}>
        <Embedded start={start} board={board} />
      </AnalysisContext.Provider>,
      root,
    );
  });
}
