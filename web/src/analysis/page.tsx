/** The analysis page. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import { load, store } from "../board/storage.ts";
import { pageData } from "../common/page.ts";
import { displayName } from "../common/player_names.ts";
import { Copy, Diamond, Flip, Play, Question, Square } from "../game/icons.tsx";
import type { Analysis } from "./analysis.ts";
import { Board, type Look } from "./board.tsx";
import { EnginePanel, EvaluationBar } from "./engine_panel.tsx";
import { useAnalysis } from "./hooks.ts";
import { ExplorerPanel, useExplorer } from "./explorer_panel.tsx";
import { Help } from "./help.tsx";
import { listen, type PageActions } from "./keys.ts";
import { Moves } from "./moves.tsx";
import { Notes } from "./notes.tsx";
import { type Judgment, reviewOf } from "./review.ts";
import { jump, ReviewPanel, useReview } from "./review_panel.tsx";
import { scoreWords } from "./scores.ts";
import { Share } from "./share.tsx";
import { t, type Text } from "./texts.ts";
import { depthFirst } from "./tree.ts";
import { turnOf } from "./fen.ts";

const ARROW = "lozenge.analysis.arrow";

function firstLook(analysis: Analysis): Look {
  const kept = load(`lozenge.view.${analysis.rules}`);
  const view = kept === "diamond" || kept === "square" ? kept : analysis.board.view;
  return { view, flipped: analysis.start.game?.you === "black", arrow: load(ARROW) !== "off" };
}

export function AnalysisPage({ board }: { board: LozBoard }) {
  const analysis = useAnalysis();
  const [look, setLook] = useState(() => firstLook(analysis));
  const [dialog, setDialog] = useState<"help" | "share" | null>(null);
  const reviewed = useReview(analysis);
  const { review } = reviewed;
  const explorer = useExplorer(analysis);
  const explored = explorer.isOpen && !explorer.isLoading ? explorer.explored : null;
  const { toggle: toggleExplorer } = explorer;
  useEffect(() => store(`lozenge.view.${analysis.rules}`, look.view), [analysis, look.view]);
  useEffect(() => store(ARROW, look.arrow ? "on" : "off"), [look.arrow]);
  const page = useMemo<PageActions>(
    () => ({
      openHelp: () => setDialog("help"),
      flip: () => setLook((known) => ({ ...known, flipped: !known.flipped })),
      toggleArrow: () => setLook((known) => ({ ...known, arrow: !known.arrow })),
      playBest: () => void playBest(analysis),
      nextJudged: (judgment: Judgment) => jump(analysis, review, judgment),
      toggleExplorer,
      playExplored: () => {
        const first = explored?.moves[0];
        if (first) void analysis.play(first.uci);
      },
      cancelAll: () => board.cancelAll(),
    }),
    [analysis, board, review, explored, explorer.isOpen],
  );
  useEffect(() => listen(analysis, page), [analysis, page]);
  const close = (): void => setDialog(null);
  const { wraps } = analysis.board;
  return (
    <div class="a-page" data-torus={wraps.files || wraps.ranks ? "" : undefined}>
      <About />
      <div class="a-board">
        <EvaluationBar flipped={look.flipped} />
        <Board board={board} look={look} />
      </div>
      <div class="a-panel">
        <EnginePanel look={look} setLook={setLook} />
        <Moves judged={(node) => (review ? (reviewOf(review, node)?.judgment ?? null) : null)} />
        <Standing />
        <Typed page={page} />
        <ExplorerPanel state={explorer} />
        <ReviewPanel state={reviewed} />
        <Tools look={look} setLook={setLook} open={setDialog} />
        <Notes />
      </div>
      <p class="unseen" role="status">{analysis.announcement}</p>
      <Thoughts />
      {dialog === "help" && <Help close={close} />}
      {dialog === "share" && <Share close={close} />}
    </div>
  );
}

async function playBest(analysis: Analysis): Promise<void> {
  const best = analysis.info?.lines[0]?.pv[0];
  const next = best ?? analysis.node.children[0]?.uci;
  if (next !== undefined) await analysis.play(next);
}

/** The game: its name, a choice of others, and who played. */
function About() {
  const { node, start } = useAnalysis();
  const variants = useMemo(() => pageData<[string, string][]>("variants"), []);
  const { game, tree } = start;
  const tag = (name: string): string => tree.tags?.find((known) => known.name === name)?.value ?? "?";
  const isKnown = variants.some(([id]) => id === tree.variant);
  return (
    <header class="a-about">
      <h1>{t("title")}</h1>
      <a href={`/editor?${new URLSearchParams({ variant: tree.variant, fen: node.fen })}`}>{t("edit")}</a>
      {game ? (
        <p>
          {start.variant_name} · {displayName(game.white)} – {displayName(game.black)} · {game.result}
          {game.played_here && <> · <a href={`/game/${game.id}`}>{t("to_game")}</a></>}
        </p>
      ) : isKnown ? (
        <label>
          <span class="unseen">{t("game")}</span>
          <select value={tree.variant} onChange={(event) => location.assign(`/analysis?variant=${event.currentTarget.value}`)}>
            {variants.map(([id, name]) => <option key={id} value={id}>{name}</option>)}
          </select>
        </label>
      ) : (
        <p>{start.variant_name} {tag("White") === "?" ? "" : `· ${tag("White")} – ${tag("Black")}`}</p>
      )}
    </header>
  );
}

/** Whose move it is, or how the game has ended. */
function Standing() {
  const { node, position, fault } = useAnalysis();
  const over = position && position.result !== "*" && position.reason;
  return (
    <p class="g-turn">
      {fault ? <span class="g-problem" role="alert">{fault}</span> : over ? t(`over_${over}` as Text) : t(turnOf(node.fen) === "white" ? "white_to_move" : "black_to_move")}
    </p>
  );
}

/** The input line for moves. */
function Typed({ page }: { page: PageActions }) {
  const analysis = useAnalysis();
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const input = field.current;
    const text = input?.value.trim() ?? "";
    if (!input || text === "") return;
    input.value = "";
    if (/^(help|hilfe|\?)$/i.test(text)) page.openHelp();
    else void analysis.play(text.replace(/^[0o]-[0o](-[0o])?$/, (castling) => castling.replace(/[0o]/g, "O")));
  };
  return (
    <form class="a-typed" onSubmit={submit}>
      <label class="unseen" for="a-typed">{t("typed")}</label>
      <input
        id="a-typed"
        ref={field}
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        maxLength={40}
        placeholder={t("typed_place", { example: analysis.position?.legal[0]?.san ?? "e4" })}
      />
      <button type="submit" class="g-button">{t("typed_send")}</button>
    </form>
  );
}

function Tools({ look, setLook, open }: { look: Look; setLook: (look: Look) => void; open: (dialog: "help" | "share") => void }) {
  const analysis = useAnalysis();
  const diamond = look.view === "diamond";
  const [isSure, setSure] = useState(false);
  if (isSure) {
    return (
      <div class="g-bar g-sure" role="group" aria-label={t("reset_sure")}>
        <p>{t("reset_sure")}</p>
        <button
          type="button"
          class="g-button g-danger"
          ref={(button) => button?.focus()}
          onClick={() => {
            setSure(false);
            void analysis.reset();
          }}
        >
          {t("reset_yes")}
        </button>
        <button type="button" class="g-button" onClick={() => setSure(false)}>{t("cancel")}</button>
      </div>
    );
  }
  const from = new URLSearchParams({ variant: analysis.rules, fen: analysis.node.fen });
  return (
    <div class="g-bar g-tools" role="group" aria-label={t("board")}>
      <button type="button" class="g-action" title={t("flip_title")} onClick={() => setLook({ ...look, flipped: !look.flipped })}>
        <Flip />
        <span>{t("flip")}</span>
      </button>
      <button type="button" class="g-action" title={t("view_title")} onClick={() => setLook({ ...look, view: diamond ? "square" : "diamond" })}>
        {diamond ? <Square /> : <Diamond />}
        <span>{t("view")}</span>
      </button>
      <button type="button" class="g-action" title={t("share_title")} onClick={() => open("share")}>
        <Copy />
        <span>{t("share")}</span>
      </button>
      <a class="g-action" href={`/?${from}`} title={t("play_from_here")}>
        <Play />
        <span>{t("play_from_here")}</span>
      </a>
      <button type="button" class="g-action" title={t("help")} onClick={() => open("help")}>
        <Question />
        <span>{t("help")}</span>
      </button>
      <button type="button" class="g-action" title={t("reset")} disabled={depthFirst(analysis.root).length === 0} onClick={() => setSure(true)}>
        <Trash />
        <span>{t("reset")}</span>
      </button>
    </div>
  );
}

const Trash = () => (
  <svg class="g-icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13" />
  </svg>
);

/** The engine's choice for screen readers, when its search of a position has ended. */
function Thoughts() {
  const { info, isSearching, isEngineOn, isHidden } = useAnalysis();
  const best = info?.lines[0];
  const text = isEngineOn && !isHidden && !isSearching && best ? t("best", { move: best.san[0] ?? "", score: scoreWords(best.score) }) : "";
  return <p class="unseen" role="status">{text}</p>;
}
