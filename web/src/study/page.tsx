/** The page of a study: the analysis board with its chapters. */
import { useEffect, useState } from "preact/hooks";
import { Board } from "../analysis/board.tsx";
import { EnginePanel, EvaluationBar } from "../analysis/engine_panel.tsx";
import { ExplorerPanel } from "../analysis/explorer_panel.tsx";
import { TablesPanel } from "../analysis/tables_panel.tsx";
import { Help } from "../analysis/help.tsx";
import { Moves } from "../analysis/moves.tsx";
import { Notes } from "../analysis/notes.tsx";
import { GameStatus, BestMoveAnnouncement, Tools, TypedMove } from "../analysis/parts.tsx";
import { playerTags } from "../analysis/tree.ts";
import { useAnalysisPage } from "../analysis/use_page.ts";
import type { LozBoard } from "../board/index.ts";
import { send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { isIgnoredKey } from "../common/keys.ts";
import { LeaveZen } from "../common/leave_zen.tsx";
import { Cross, Flag, Heart, Pencil } from "../game/icons.tsx";
import { AddChapter, Chapters, EditChapter } from "./chapters.tsx";
import { useStudy } from "./hooks.ts";
import { chapterName, languageName, pathOfChapter } from "./names.ts";
import type { Study } from "./session.ts";
import { EditStudy, LeaveStudy, ReportStudy, ShareStudy } from "./study_dialogs.tsx";
import { t } from "./texts.ts";

type Open = "help" | "share" | "add" | "chapter" | "study" | "report" | "leave";

export function StudyPage({ board }: { board: LozBoard }) {
  const session = useStudy();
  const { analysis, study, chapter } = session;
  const [dialog, setDialog] = useState<Open | null>(null);
  const { display, setDisplay, explorer, page } = useAnalysisPage(analysis, board, {
    openHelp: () => setDialog("help"),
    // A study has no review.
    goToJudgment: () => undefined,
    dependency: null,
  });
  const index = study.list.findIndex(({ id }) => id === chapter.id);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const step = event.key === "n" ? 1 : event.key === "p" ? -1 : 0;
      const next = study.list[index + step];
      if (step === 0 || !next || isIgnoredKey(event)) return;
      event.preventDefault();
      location.assign(pathOfChapter(study.id, next.id));
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [study, index]);
  const close = (): void => setDialog(null);
  const { wraps } = analysis.board;
  return (
    <div class="a-page" data-torus={wraps.files || wraps.ranks ? "" : undefined}>
      <header class="a-about s-about">
        <h1 lang={study.language ?? undefined}>{chapterName(study.list, chapter.id)}</h1>
        <Headline study={study} />
        <p>{session.start.variant_name}{players(session.tags, playerTags(analysis.board))}</p>
        {study.own && study.hidden && <p class="g-problem">{t("hidden_by_host")}</p>}
        <Connection />
      </header>
      <div class="a-board">
        <EvaluationBar flipped={display.turns === 2} />
        <Board board={board} display={display} />
      </div>
      <div class="a-panel">
        <Chapters add={() => setDialog("add")} edit={() => setDialog("chapter")} />
        <EnginePanel display={display} setDisplay={setDisplay} />
        <Moves inline={display.inline} judgmentOf={() => null} lang={study.language} isConcealed={session.isConcealed} />
        <GameStatus />
        <TypedMove page={page} />
        {!session.isConcealed && <TablesPanel />}
        <ExplorerPanel state={explorer} />
        {session.isReadOnly ? <p class="a-quiet">{t("read_only")}</p> : <Notes />}
        <Tools display={display} setDisplay={setDisplay} open={setDialog} share={[t("share_short"), t("share")]}>
          {study.own && (
            <button type="button" class="g-action" title={t("edit_study")} onClick={() => setDialog("study")}>
              <Pencil />
              <span>{t("edit_short")}</span>
            </button>
          )}
          {study.member != null && (
            <button type="button" class="g-action" title={t("leave_study")} onClick={() => setDialog("leave")}>
              <Cross />
              <span>{t("leave_short")}</span>
            </button>
          )}
          {session.start.account && !study.own && study.owner && (
            <button type="button" class="g-action" title={t("report_study")} onClick={() => setDialog("report")}>
              <Flag />
              <span>{t("report_short")}</span>
            </button>
          )}
        </Tools>
        {study.about && <p class="s-text" lang={study.language ?? undefined}>{study.about}</p>}
      </div>
      <LeaveZen />
      <p class="unseen" role="status">{analysis.announcement}</p>
      <BestMoveAnnouncement />
      {dialog === "help" && <Help close={close} more={[[["n", "p"], t("keys_chapter")]]} />}
      {dialog === "share" && <ShareStudy close={close} />}
      {dialog === "add" && <AddChapter study={study.id} variant={chapter.tree.variant} close={close} />}
      {dialog === "chapter" && <EditChapter close={close} />}
      {dialog === "study" && <EditStudy close={close} />}
      {dialog === "report" && <ReportStudy close={close} />}
      {dialog === "leave" && <LeaveStudy close={close} />}
    </div>
  );
}

/** The players and the result, if the chapter is a game. */
function players(tags: readonly { name: string; value: string }[], names: readonly string[]): string {
  const tag = (name: string): string | undefined => tags.find((tag) => tag.name === name)?.value;
  const [seated, result] = [names.map(tag), tag("Result")];
  if (seated.every((name) => name === undefined)) return "";
  return ` · ${seated.map((name) => name ?? "?").join(" – ")}${result === undefined ? "" : ` · ${result}`}`;
}

/** The study's name, its owner, other languages, and likes. */
function Headline({ study }: { study: Study }) {
  const { start, chapter } = useStudy();
  const [liked, setLiked] = useState(study.liked);
  const [fault, setFault] = useState<string | null>(null);
  const likes = study.likes + (liked === study.liked ? 0 : liked ? 1 : -1);
  const like = (): void => {
    setLiked(!liked);
    send(liked ? "DELETE" : "PUT", `/api/studies/${study.id}/like`).catch((failed: unknown) => {
      setLiked(liked);
      setFault(errorText(failed));
    });
  };
  return (
    <p class="s-head">
      <a href={`/study/${study.id}`} lang={study.language ?? undefined}>{study.name}</a>{" "}
      {study.owner ? <a href={`/study?owner=${study.owner}`}>{t("by", { name: study.owner })}</a> : t("by_site")}
      {study.translations.map(({ language, id }) => (
        <a key={id} href={pathOfChapter(id, chapter.id)} lang={language} hreflang={language}>{languageName(language)}</a>
      ))}
      {start.account ? (
        <button type="button" class="a-tool" aria-pressed={liked} onClick={like}>
          <Heart /> {t(liked ? "liked" : "like")} {likes > 0 ? likes : ""}
        </button>
      ) : (
        likes > 0 && <span>{likes === 1 ? t("like_one") : t("likes", { count: likes })}</span>
      )}
      {fault && <span class="g-problem" role="alert">{fault}</span>}
    </p>
  );
}

/** Whether everything is saved and shared. */
function Connection() {
  const session = useStudy();
  const { fault, status, isUnsaved } = session;
  const text = fault ?? (status === "lost" ? t("lost") : isUnsaved ? t("unsaved") : null);
  return (
    <p class={fault ? "g-problem" : "a-quiet"} role="status" data-status={status}>
      {text}
    </p>
  );
}
