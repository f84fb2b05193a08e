/** The review of a game: requested, shown as a graph with its findings, and used for training. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { WHITE_AND_BLACK } from "../board/colors.ts";
import type { WhiteOrBlack } from "../board/types.ts";
import { send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import type { Analysis } from "./analysis.ts";
import { Graph } from "./graph.tsx";
import { useAnalysis } from "./hooks.ts";
import { LearnFromMistakes } from "./learn.tsx";
import {
  countOf,
  fetchReview,
  type GameReview,
  isProgress,
  type Judgment,
  JUDGMENTS,
  lessons,
  nextWithJudgment,
  playerOrSide,
  type Progress,
  reviewOf,
} from "./review.ts";
import { scoreText } from "./scores.ts";
import { t, type Text } from "./texts.ts";
import { depthOf, follow } from "./tree.ts";

/** The polling interval of the progress, in milliseconds. */
const POLL_INTERVAL_MS = 1_000;

export interface ReviewState {
  review: GameReview | null;
  progress: Progress | null;
  fault: string | null;
  requestReview: () => void;
  cancel: () => void;
}

/** The review of the page's game: fetched at once, and polled while it is in the making. */
export function useReview(analysis: Analysis): ReviewState {
  const { game } = analysis.start;
  const id = game?.finished && !analysis.isMulti ? game.id : null;
  const [state, setState] = useState<Pick<ReviewState, "review" | "progress" | "fault">>({ review: null, progress: null, fault: null });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const fetch = async (method: "GET" | "POST"): Promise<void> => {
    if (id === null) return;
    clearTimeout(timer.current);
    try {
      const answer = await fetchReview(method, id);
      if (answer === null) setState({ review: null, progress: null, fault: null });
      else if (isProgress(answer)) {
        setState({ review: null, progress: answer, fault: null });
        timer.current = setTimeout(() => void fetch("GET"), POLL_INTERVAL_MS);
      } else {
        setState({ review: answer, progress: null, fault: null });
        if (method === "GET" && state.progress) analysis.announce(t("review_done"));
      }
    } catch (error) {
      setState({ review: null, progress: null, fault: errorText(error) });
    }
  };
  useEffect(() => {
    if (game?.reviewed) void fetch("GET");
    // The game's page leads here to have it reviewed.
    else if (id !== null && location.hash === "#review") void fetch("POST");
    return () => clearTimeout(timer.current);
  }, [id]);
  const cancel = async (): Promise<void> => {
    clearTimeout(timer.current);
    try {
      await send("DELETE", `/api/games/${id ?? ""}/review`);
      // With its hash the page would ask for the review again when it is loaded again.
      if (location.hash === "#review") history.replaceState(history.state, "", location.pathname + location.search);
      setState({ review: null, progress: null, fault: null });
    } catch (error) {
      setState((previous) => ({ ...previous, fault: errorText(error) }));
      void fetch("GET");
    }
  };
  return { ...state, requestReview: () => void fetch("POST"), cancel: () => void cancel() };
}

/** Goes to the position after a move of the game. */
function goTo(analysis: Analysis, review: GameReview, ply: number): void {
  analysis.view(follow(analysis.root, review.moves.slice(0, ply).map(({ uci }) => uci)));
}

/** Goes to the next move with this judgment. */
export function jump(analysis: Analysis, review: GameReview | null, judgment: Judgment, side?: WhiteOrBlack): void {
  const next = review && nextWithJudgment(review, judgment, depthOf(analysis.node), side);
  if (review && next) goTo(analysis, review, next.ply);
}

export function ReviewPanel({ state }: { state: ReviewState }) {
  const analysis = useAnalysis();
  const [learningSide, setLearningSide] = useState<WhiteOrBlack | null>(null);
  const section = useRef<HTMLElement>(null);
  // The end of learning takes its buttons away.
  const close = (): void => {
    setLearningSide(null);
    requestAnimationFrame(() => section.current?.focus());
  };
  const { game } = analysis.start;
  if (!game?.finished) return null;
  const { review, progress, fault } = state;
  if (!review) {
    return (
      <section class="a-review" aria-label={t("review")}>
        {progress ? (
          <>
            <progress max={progress.positions} value={progress.done} aria-label={t("review_running", { ...progress })} />
            <p class="a-quiet">{t("review_running", { ...progress })}</p>
            <button type="button" class="a-tool" onClick={state.cancel}>{t("cancel")}</button>
          </>
        ) : (
          <button type="button" class="g-button g-good" onClick={state.requestReview}>{t("review_ask")}</button>
        )}
        {fault && <p class="g-problem" role="alert">{fault}</p>}
      </section>
    );
  }
  if (learningSide) return <LearnFromMistakes review={review} side={learningSide} close={close} />;
  return (
    <section class="a-review" aria-label={t("review")} ref={section} tabIndex={-1}>
      <Graph review={review} go={(ply) => goTo(analysis, review, ply)} />
      <table class="a-report">
        <thead>
          <tr>
            <td />
            {WHITE_AND_BLACK.map((side, index) => <th key={side} scope="col">{playerOrSide(game.players[index] ?? "?", side)}</th>)}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t("accuracy")}</th>
            {WHITE_AND_BLACK.map((side) => (
              <td key={side}><strong>{review.accuracy[side] == null ? "–" : `${Math.round(review.accuracy[side])} %`}</strong></td>
            ))}
          </tr>
          {JUDGMENTS.map((judgment) => (
            <tr key={judgment}>
              <th scope="row">{t(`${judgment}_many` as Text)}</th>
              {WHITE_AND_BLACK.map((side) => <Count key={side} review={review} side={side} judgment={judgment} />)}
            </tr>
          ))}
        </tbody>
      </table>
      <BetterMove review={review} />
      <div class="a-tools">
        {WHITE_AND_BLACK.map((side) => (
          <button key={side} type="button" class="a-tool" disabled={lessons(review, side).length === 0} onClick={() => setLearningSide(side)}>
            {t(`learn_${side}` as Text)}
          </button>
        ))}
      </div>
    </section>
  );
}

function Count({ review, side, judgment }: { review: GameReview; side: WhiteOrBlack; judgment: Judgment }) {
  const analysis = useAnalysis();
  const count = countOf(review, side, judgment);
  return (
    <td>
      <button
        type="button"
        class="a-count"
        data-judgment={judgment}
        disabled={count === 0}
        title={t("next_judged", { what: t(judgment) })}
        aria-label={`${t(side === "white" ? "of_white" : "of_black", { count, what: t(`${judgment}_many` as Text) })}`}
        onClick={() => jump(analysis, review, judgment, side)}
      >
        {count}
      </button>
    </td>
  );
}

/** The judgment of the move on the board, and a better move. */
function BetterMove({ review }: { review: GameReview }) {
  const analysis = useAnalysis();
  const { node } = analysis;
  const move = useMemo(() => reviewOf(review, node), [review, node]);
  if (!move) return null;
  const { judgment, best } = move;
  const better = best && best.uci !== move.uci ? best : null;
  if (!judgment && !move.missedWin) return null;
  return (
    <div class="a-better" role="status">
      <p>
        <strong data-judgment={judgment ?? undefined}>
          {analysis.moveText(node)}: {move.missedWin ? t(`missed_${move.missedWin}` as Text) : judgment ? t(judgment) : ""}.
        </strong>{" "}
        {better && t("was_better", { move: better.san, score: scoreText(better.score) })}
      </p>
      {better && node.parent && (
        <button
          type="button"
          class="a-tool"
          onClick={() => void analysis.addLine(better.line && better.line.length > 0 ? better.line : [better.uci], node.parent ?? node)}
        >
          {t("show_line")}
        </button>
      )}
    </div>
  );
}
