/** Learning from one's mistakes: the position before each is set up again, and something better has to be found. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { WhiteOrBlack } from "../board/types.ts";
import { ServerEngine } from "./engine.ts";
import type { Analysis } from "./analysis.ts";
import { useAnalysis } from "./hooks.ts";
import { type GameReview, lessons, type MoveReview } from "./review.ts";
import { expectedScore } from "./scores.ts";
import { t } from "./texts.ts";
import { follow, pathOf, remove, type TreeNode } from "./tree.ts";

/** The largest loss of expected score at which a move still counts as correct. */
const MAX_LOSS = 0.04;
/** Nodes of the search that evaluates a move. */
const NODES = 200_000;

type Stage = "find" | "judging" | "wrong" | "right" | "shown";

/** White's expected score in the position on the board. */
function evaluate(analysis: Analysis, node: TreeNode): Promise<number> {
  const { position } = analysis;
  const scores: Readonly<Record<string, number>> = { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 };
  const score = node === analysis.node && position ? scores[position.result] : undefined;
  if (score !== undefined) return Promise.resolve(score);
  return new Promise((resolve, reject) => {
    const request = { variant: analysis.rules, fen: analysis.root.fen, moves: pathOf(node), nodes: NODES };
    new ServerEngine().start(request, {
      queued: () => undefined,
      info: (info, isLast) => {
        const [line] = info.lines;
        if (isLast) resolve(line?.wdl ? expectedScore(line.wdl) : 0.5);
      },
      failed: reject,
    });
  });
}

export function LearnFromMistakes({ review, side, close }: { review: GameReview; side: WhiteOrBlack; close: () => void }) {
  const analysis = useAnalysis();
  const [all] = useState(() => lessons(review, side));
  const [at, setAt] = useState(0);
  const [stage, setStage] = useState<Stage>("find");
  /** The position before the mistake, and the moves already in the tree there. */
  const start = useRef<{ node: TreeNode; knownMoves: Set<string> } | null>(null);
  /** Whether the board shows that position, so that the next move is an attempt. */
  const isReady = useRef(false);
  const lesson = all[at];
  const section = useRef<HTMLElement>(null);

  // The button that was pressed may be gone.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return;
    section.current?.focus({ preventScroll: true });
    document.querySelector(".a-board")?.scrollIntoView({ block: "center" });
  }, [stage, lesson]);

  useEffect(() => {
    analysis.hideEngine(true);
    return () => analysis.hideEngine(false);
  }, [analysis]);

  // The position before the mistake.
  useEffect(() => {
    if (!lesson) return;
    const node = follow(analysis.root, review.moves.slice(0, lesson.ply - 1).map(({ uci }) => uci));
    start.current = { node, knownMoves: new Set(node.children.map(({ uci }) => uci)) };
    setStage("find");
    isReady.current = analysis.node === node;
    analysis.view(node);
    analysis.announce(t("learn_find", { move: lesson.san }));
  }, [lesson]);

  // The user has tried a move.
  const { node } = analysis;
  useEffect(() => {
    const current = start.current;
    if (!isReady.current) {
      isReady.current = node === current?.node;
      return;
    }
    if (!lesson || !current || node.parent !== current.node || (stage !== "find" && stage !== "wrong")) return;
    void checkMove(lesson, node);
  }, [node]);

  const checkMove = async (lesson: MoveReview, node: TreeNode): Promise<void> => {
    if (node.uci === lesson.best?.uci) return finish("right");
    if (node.uci === lesson.uci) return takeBack(node);
    setStage("judging");
    try {
      const sign = side === "white" ? 1 : -1;
      const previous = lesson.ply > 1 ? review.moves[lesson.ply - 2]?.winProbability : review.start.winProbability;
      const loss = sign * ((previous ?? 0.5) - (await evaluate(analysis, node)));
      if (loss <= MAX_LOSS) finish("right");
      else takeBack(node);
    } catch {
      takeBack(node);
    }
  };

  const finish = (outcome: "right" | "shown"): void => {
    setStage(outcome);
    analysis.announce(t(outcome === "right" ? "learn_right" : "learn_shown"));
    analysis.hideEngine(false);
  };

  const takeBack = (node: TreeNode): void => {
    const current = start.current;
    setStage("wrong");
    analysis.announce(t("learn_wrong"));
    if (!current) return;
    analysis.view(current.node);
    if (!current.knownMoves.has(node.uci)) remove(node);
    analysis.notify();
  };

  const showSolution = (): void => {
    const current = start.current;
    if (!lesson?.best || !current) return;
    finish("shown");
    void analysis.addLine(lesson.best.line && lesson.best.line.length > 0 ? lesson.best.line : [lesson.best.uci], current.node);
  };

  const next = (): void => {
    analysis.hideEngine(true);
    setAt(at + 1);
  };

  return (
    <section class="a-review a-learn" aria-label={t("learn")} ref={section} tabIndex={-1}>
      {lesson ? (
        <>
          <p class="a-quiet">{t("learn_number", { number: at + 1, count: all.length })}</p>
          <p role="status">
            <strong>
              {stage === "find" && t("learn_find", { move: lesson.san })}
              {stage === "judging" && t("learn_judging")}
              {stage === "wrong" && t("learn_wrong")}
              {stage === "right" && t("learn_right")}
              {stage === "shown" && t("learn_shown")}
            </strong>
          </p>
          <div class="a-tools">
            {stage === "find" || stage === "wrong" ? (
              <button type="button" class="a-tool" onClick={showSolution}>{t("learn_show")}</button>
            ) : null}
            <button type="button" class="a-tool" disabled={stage === "judging"} onClick={next}>{t("learn_next")}</button>
            <button type="button" class="a-tool" onClick={close}>{t("learn_end")}</button>
          </div>
        </>
      ) : (
        <>
          <p role="status"><strong>{t("learn_done")}</strong></p>
          <button type="button" class="a-tool" onClick={close}>{t("learn_end")}</button>
        </>
      )}
    </section>
  );
}
