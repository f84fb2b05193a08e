/** The entry of the page of a study. */
import "../common/every.ts";
import "../../styles/game.css";
import "../../styles/analysis.css";
import "../../styles/study.css";
import "../board/index.ts";
import { render } from "preact";
import { useState } from "preact/hooks";
import { makeBoard } from "../common/make_board.ts";
import { AnalysisContext } from "../analysis/hooks.ts";
import { pageData } from "../common/page.ts";
import { AddChapter } from "./chapters.tsx";
import { StudyContext } from "./hooks.ts";
import { keepChapter, lastChapter } from "./last_chapter.ts";
import { pathOfChapter } from "./names.ts";
import { StudyPage } from "./page.tsx";
import { type Start, StudySession, type Study } from "./session.ts";
import { t } from "./texts.ts";

/** A study without chapters. */
function EmptyStudy({ study }: { study: Study }) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <h1>{study.name}</h1>
      <p>{t("no_chapters")}</p>
      {study.writable && <button type="button" class="button" onClick={() => setAdding(true)}>{t("add_chapter")}</button>}
      {isAdding && <AddChapter study={study.id} variant="diamond" close={() => setAdding(false)} />}
    </>
  );
}

/** Shows the study, or goes to the chapter at which the reader left it. */
function openStudy(root: HTMLElement): void {
  const start = pageData<Start>("data");
  root.replaceChildren();
  const { study, chapter } = start;
  const last = location.pathname === `/study/${study.id}` ? lastChapter(study.id, study.list) : null;
  if (last !== null && last !== chapter?.id) {
    location.replace(pathOfChapter(study.id, last));
    return;
  }
  if (!chapter) {
    render(<EmptyStudy study={study} />, root);
    return;
  }
  keepChapter(study.id, chapter.id);
  const board = makeBoard();
  const session = new StudySession(start, chapter, pageData("board"));
  void session.open().then(() => {
    render(
      <StudyContext.Provider value={session}>
        <AnalysisContext.Provider value={session.analysis}>
          <StudyPage board={board} />
        </AnalysisContext.Provider>
      </StudyContext.Provider>,
      root,
    );
  });
}

const root = document.getElementById("study");
if (root) openStudy(root);
