/** The analysis page. */
import { useMemo, useState } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import { LeaveZen } from "../common/leave_zen.tsx";
import type { Schemas } from "../common/api.ts";
import { pageData } from "../common/page.ts";
import { displayName } from "../common/player_names.ts";
import { Board } from "./board.tsx";
import { EnginePanel, EvaluationBar } from "./engine_panel.tsx";
import { useAnalysis } from "./hooks.ts";
import { ExplorerPanel } from "./explorer_panel.tsx";
import { Help } from "./help.tsx";
import { Moves } from "./moves.tsx";
import { Notes } from "./notes.tsx";
import { GameStatus, BestMoveAnnouncement, Tools, TypedMove } from "./parts.tsx";
import { reviewOf } from "./review.ts";
import { jump, ReviewPanel, useReview } from "./review_panel.tsx";
import { Share } from "./share.tsx";
import { StudyButton } from "./study_button.tsx";
import { TablesPanel } from "./tables_panel.tsx";
import { t } from "./texts.ts";
import { playerTags } from "./tree.ts";
import { useAnalysisPage } from "./use_page.ts";

export function AnalysisPage({ board }: { board: LozBoard }) {
  const analysis = useAnalysis();
  const [dialog, setDialog] = useState<"help" | "share" | null>(location.hash === "#pgn" ? "share" : null);
  const reviewState = useReview(analysis);
  const { review } = reviewState;
  const { display, setDisplay, explorer, page } = useAnalysisPage(analysis, board, {
    openHelp: () => setDialog("help"),
    goToJudgment: (judgment) => jump(analysis, review, judgment),
    dependency: review,
  });
  const close = (): void => setDialog(null);
  const { wraps } = analysis.board;
  return (
    <div class="a-page" data-torus={wraps.files || wraps.ranks ? "" : undefined}>
      <About />
      <div class="a-board">
        <EvaluationBar flipped={display.turns === 2} />
        <Board board={board} display={display} />
      </div>
      <div class="a-panel">
        <EnginePanel display={display} setDisplay={setDisplay} />
        <Moves inline={display.inline} judgmentOf={(node) => (review ? (reviewOf(review, node)?.judgment ?? null) : null)} />
        <GameStatus />
        <TypedMove page={page} />
        <TablesPanel />
        <ExplorerPanel state={explorer} />
        {!analysis.isMulti && <ReviewPanel state={reviewState} />}
        <Tools display={display} setDisplay={setDisplay} open={setDialog}>
          <StudyButton />
        </Tools>
        <Notes />
      </div>
      <LeaveZen />
      <p class="unseen" role="status">{analysis.announcement}</p>
      <BestMoveAnnouncement />
      {dialog === "help" && <Help close={close} />}
      {dialog === "share" && <Share close={close} />}
    </div>
  );
}

/** The game: its name, a choice of others, and who played. */
function About() {
  const { board, node, start, tags } = useAnalysis();
  const variants = useMemo(() => pageData<Schemas["GameName"][]>("variants"), []);
  const { game, tree } = start;
  const tag = (name: string): string => tags.find((tag) => tag.name === name)?.value ?? "?";
  const names = game ? game.players.map(displayName) : playerTags(board).map(tag);
  const players = names.every((name) => name === "?") ? "" : names.join(" – ");
  const isKnown = variants.some(({ id }) => id === tree.variant);
  return (
    <header class="a-about">
      <h1>{t("title")}</h1>
      <a href="/study">{t("studies")}</a>
      <a href={`/editor?${new URLSearchParams({ variant: tree.variant, fen: node.fen })}`}>{t("edit")}</a>
      {game ? (
        <p>
          {start.variant_name}{players && ` · ${players}`}{game.result !== "*" && ` · ${game.result}`}
          {game.played_here && <> · <a href={`/game/${game.id}`}>{t("to_game")}</a></>}
        </p>
      ) : isKnown ? (
        <>
          <label>
            <span class="unseen">{t("game")}</span>
            <select value={tree.variant} onChange={(event) => location.assign(`/analysis?variant=${event.currentTarget.value}`)}>
              {variants.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
            </select>
          </label>
          {players && <p>{players}</p>}
        </>
      ) : (
        <p>{start.variant_name}{players && ` · ${players}`}</p>
      )}
    </header>
  );
}
