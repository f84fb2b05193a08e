/** Parts of the analysis board beside moves and engine: whose move it is, the line for typed moves, the tools. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { turnsOf } from "../board/colors.ts";
import { load } from "../board/storage.ts";
import { viewOf } from "../common/board_view.ts";
import { MoveInput } from "../common/move_input.tsx";
import { RulesButton } from "../common/rules_button.tsx";
import { Copy, Diamond, Flip, Play, Question, Square } from "../game/icons.tsx";
import type { Analysis } from "./analysis.ts";
import type { DisplayOptions } from "./board.tsx";
import { ColorSign } from "../common/color_sign.tsx";
import { livingOf, turnOf } from "../common/fen.ts";
import { useAnalysis } from "./hooks.ts";
import type { PageActions } from "./keys.ts";
import { scoreWords } from "./scores.ts";
import { t, type Text } from "./texts.ts";
import { depthFirst } from "./tree.ts";

export const ARROW_KEY = "lozenge.analysis.arrow";
export const INLINE_KEY = "lozenge.analysis.inline";

/** How the board is shown at first. */
export function initialDisplay(analysis: Analysis): DisplayOptions {
  const view = viewOf(analysis.rules, analysis.board);
  return { view, turns: turnsOf(analysis.start.game?.you), arrow: load(ARROW_KEY) !== "off", inline: load(INLINE_KEY) === "on" };
}

/** Turns the board: halfway round, or with four players by one seat. */
export const flip = (analysis: Analysis) => (display: DisplayOptions): DisplayOptions => ({
  ...display,
  turns: (display.turns + (analysis.isMulti ? 1 : 2)) % 4,
});

/** Plays the engine's best move, or goes on with the line. */
export async function playBest(analysis: Analysis): Promise<void> {
  const best = analysis.info?.lines[0]?.pv[0];
  const move = best ?? analysis.node.children[0]?.uci;
  if (move !== undefined) await analysis.play(move);
}

/** The side to move, or how the game has ended. */
export function GameStatus() {
  const { node, position, fault } = useAnalysis();
  const reason = position && position.result !== "*" && position.reason;
  return (
    <p class="g-turn">
      {fault ? <span class="g-problem" role="alert">{fault}</span> : reason ? t(`over_${reason}` as Text) : <Mover fen={node.fen} />}
    </p>
  );
}

function Mover({ fen }: { fen: string }) {
  const color = turnOf(fen);
  return <>{livingOf(fen) !== null && <ColorSign color={color} />} {t(`${color}_to_move`)}</>;
}

/** The input line for moves. */
export function TypedMove({ page }: { page: PageActions }) {
  const analysis = useAnalysis();
  // The example is the move that was played, so that it does not give a better move away.
  const example = analysis.isEngineHidden ? analysis.node.children[0]?.san : analysis.position?.legal[0]?.san;
  const take = (text: string): void => {
    if (/^(help|hilfe|\?)$/i.test(text)) {
      analysis.clearFault();
      page.openHelp();
    } else void analysis.play(text);
  };
  return <MoveInput id="a-typed" label={t("typed")} placeholder={t("typed_place", { example: example ?? "e4" })} send={t("typed_send")} take={take} />;
}

interface ToolsProps {
  display: DisplayOptions;
  setDisplay: (display: DisplayOptions) => void;
  open: (dialog: "help" | "share") => void;
  /** The short and the long name of the dialog `share`; by default it is named after FEN and PGN. */
  share?: readonly [short: string, long: string];
  /** Tools of the page. */
  children?: ComponentChildren;
}

export function Tools({ display, setDisplay, open, share, children }: ToolsProps) {
  const analysis = useAnalysis();
  const diamond = display.view === "diamond";
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
      <button type="button" class="g-action" title={t("flip_title")} onClick={() => setDisplay(flip(analysis)(display))}>
        <Flip />
        <span>{t("flip")}</span>
      </button>
      <button type="button" class="g-action" title={t("view_title")} onClick={() => setDisplay({ ...display, view: diamond ? "square" : "diamond" })}>
        {diamond ? <Square /> : <Diamond />}
        <span>{t("view")}</span>
      </button>
      <button type="button" class="g-action" title={share?.[1] ?? t("share_title")} onClick={() => open("share")}>
        <Copy />
        <span>{share?.[0] ?? t("share")}</span>
      </button>
      <a class="g-action" href={`/?${from}`} title={t("play_from_here")}>
        <Play />
        <span>{t("play_from_here")}</span>
      </a>
      <RulesButton />
      <button type="button" class="g-action" title={t("help")} onClick={() => open("help")}>
        <Question />
        <span>{t("help")}</span>
      </button>
      {!analysis.recorder && depthFirst(analysis.root).length > 0 && (
        <button type="button" class="g-action" title={t("reset")} onClick={() => setSure(true)}>
          <Trash />
          <span>{t("reset")}</span>
        </button>
      )}
      {children}
    </div>
  );
}

const Trash = () => (
  <svg class="g-icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13" />
  </svg>
);

/** The engine's choice for screen readers, when its search of a position has ended. */
export function BestMoveAnnouncement() {
  const { info, isSearching, isEngineOn, isEngineHidden, node } = useAnalysis();
  const best = info?.lines[0];
  const text = isEngineOn && !isEngineHidden && !isSearching && best ? t("best", { move: best.san[0] ?? "", score: scoreWords(best.score, turnOf(node.fen)) }) : "";
  return <p class="unseen" role="status">{text}</p>;
}
