/** The tree of moves as text, with variations below the moves or in parentheses, and buttons to step through it. */
import type { ComponentChildren } from "preact";
import { useEffect, useReducer, useRef } from "preact/hooks";
import { ColorSign } from "../common/color_sign.tsx";
import { turnOf } from "../common/fen.ts";
import { Back, First, Last, Next } from "../game/icons.tsx";
import { type Analysis, numberOf } from "./analysis.ts";
import { useConcealed } from "./concealed.ts";
import { useAnalysis } from "./hooks.ts";
import { nagText } from "./nags.ts";
import { GLYPHS, type Judgment } from "./review.ts";
import { t, type Text, turnText } from "./texts.ts";
import { exitsAndPasses, lastOf, type TreeNode } from "./tree.ts";

/** A comment without the commands in it. */
const prose = (comment: string): string => comment.replace(/\[%[^\]]*\]/g, "").trim();

/** Players who go out or pass because of a move of four, in words. */
const eventsOf = (node: TreeNode): string[] =>
  exitsAndPasses(node).map(({ color, isOut }) => t(isOut ? "checkmated" : "passes", { player: t(color as Text) }));

interface MovesProps {
  /** Whether variations are written in parentheses within the text. */
  inline: boolean;
  judgmentOf: (node: TreeNode) => Judgment | null;
  /** The language of the comments, if it is known. */
  lang?: string | null | undefined;
  /** Whether moves are shown only after the reader has found them. */
  isConcealed?: boolean;
}

export function Moves({ inline, judgmentOf, lang, isConcealed = false }: MovesProps) {
  const analysis = useAnalysis();
  const concealed = useConcealed(isConcealed);
  const [, update] = useReducer((count: number) => count + 1, 0);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const scroller = list.current;
    const move = scroller?.querySelector<HTMLElement>("[aria-current]");
    // Only the list scrolls, never the page.
    if (scroller) scroller.scrollTo({ top: move ? move.offsetTop - scroller.clientHeight / 2 : 0 });
  }, [analysis.node, inline]);
  const { root } = analysis;
  concealed?.see(analysis.node);
  const childrenOf = (node: TreeNode): readonly TreeNode[] => concealed?.shown(node) ?? node.children;
  const [first] = childrenOf(root);
  const hidesMoves = concealed?.hides(root) ?? false;
  const reveal = (): void => {
    concealed?.reveal();
    update(undefined);
  };
  return (
    <nav class="a-moves" aria-label={t("moves")}>
      <div class="a-tree" ref={list} tabIndex={-1} lang={lang ?? undefined} data-inline={inline ? "" : undefined}>
        {root.comments.map((comment) => <Comment key={comment} text={prose(comment)} />)}
        {first ? (
          <Line analysis={analysis} first={first} judgmentOf={judgmentOf} childrenOf={childrenOf} />
        ) : (
          <p class="a-none">{t(hidesMoves ? "find_move" : "no_moves")}</p>
        )}
      </div>
      {hidesMoves && <button type="button" class="a-tool" onClick={reveal}>{t("show_moves")}</button>}
      <StepButtons />
    </nav>
  );
}

const Comment = ({ text }: { text: string }) => (text === "" ? null : <span class="a-comment"> {text} </span>);

interface LineProps {
  analysis: Analysis;
  first: TreeNode | undefined;
  judgmentOf: (node: TreeNode) => Judgment | null;
  /** The continuations that are shown. */
  childrenOf: (node: TreeNode) => readonly TreeNode[];
  /** Whether the first move is the alternative to another, so that the main line lists its siblings. */
  isVariation?: boolean;
}

/** Moves that follow each other, each with the alternatives to it. */
function Line({ analysis, first, judgmentOf, childrenOf, isVariation = false }: LineProps) {
  const parts: ComponentChildren[] = [];
  let mustNumber = true;
  for (let node = first; node; node = childrenOf(node)[0]) {
    const isFirst = node === first;
    parts.push(<MoveButton key={node.uci + String(parts.length)} analysis={analysis} node={node} isNumbered={mustNumber} judgmentOf={judgmentOf} />);
    const comments = [...eventsOf(node), ...node.comments.map(prose).filter((text) => text !== "")];
    for (const text of comments) parts.push(<Comment key={`c${parts.length}`} text={text} />);
    const siblings = isFirst && isVariation ? [] : node.parent ? childrenOf(node.parent).slice(1) : [];
    for (const variation of siblings) {
      parts.push(
        <div class="a-variation" role="group" key={`v${parts.length}`}>
          <Line analysis={analysis} first={variation} judgmentOf={judgmentOf} childrenOf={childrenOf} isVariation />
        </div>,
      );
    }
    mustNumber = siblings.length > 0 || comments.length > 0;
  }
  return <>{parts}</>;
}

interface MoveProps extends Omit<LineProps, "first" | "childrenOf" | "isVariation"> {
  node: TreeNode;
  isNumbered: boolean;
}

function MoveButton({ analysis, node, isNumbered, judgmentOf }: MoveProps) {
  const current = numberOf(analysis.root, node);
  const isCurrent = node === analysis.node;
  const judgment = judgmentOf(node);
  const mover = analysis.isMulti && node.parent ? turnOf(node.parent.fen) : null;
  const numberText = isNumbered || !current.isBlack ? `${current.number}${current.isBlack ? "…" : "."}` : "";
  return (
    <>
      {node.before.map((text) => <Comment key={text} text={prose(text)} />)}
      <button
        type="button"
        class="a-move"
        data-judgment={judgment ?? undefined}
        aria-current={isCurrent ? "step" : undefined}
        tabIndex={isCurrent ? 0 : -1}
        onClick={() => analysis.view(node)}
      >
        {numberText && <span class="a-number">{numberText}</span>}
        {mover && <><ColorSign color={mover} /><span class="unseen">{t(mover as Text)} </span></>}
        {turnText(node.san)}
        {nagText(node.nags)}
        {judgment !== null && !node.nags.some((nag) => nag < 8) && <span title={t(judgment)}>{GLYPHS[judgment]}</span>}
      </button>{" "}
    </>
  );
}

function StepButtons() {
  const analysis = useAnalysis();
  const { node, root } = analysis;
  const step = (label: Text, to: TreeNode | null | undefined, Icon: () => preact.JSX.Element) => (
    <button type="button" aria-label={t(label)} title={t(label)} disabled={!to || to === node} onClick={() => to && analysis.view(to)}>
      <Icon />
    </button>
  );
  return (
    <div class="g-walk">
      {step("first", root, First)}
      {step("previous", node.parent, Back)}
      {step("next", node.children[0], Next)}
      {step("last", lastOf(node), Last)}
    </div>
  );
}
