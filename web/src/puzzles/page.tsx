/** The puzzle page. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import { BoardTools } from "../common/board_tools.tsx";
import { keepView, viewOf } from "../common/board_view.ts";
import { MoveInput } from "../common/move_input.tsx";
import { pageData, signInAddress } from "../common/page.ts";
import { Dialog } from "../game/dialog.tsx";
import { Back, Bulb, Check, Cross, First, Last, Next, Play } from "../game/icons.tsx";
import { turnOf } from "../common/fen.ts";
import type { DisplayOptions } from "../analysis/stage.tsx";
import { Board } from "./board.tsx";
import { useSolver } from "./hooks.ts";
import { listen } from "./keys.ts";
import { type Text, t } from "./texts.ts";

export function PuzzlePage({ board }: { board: LozBoard }) {
  const solver = useSolver();
  const { variant } = solver.board;
  const [display, setDisplay] = useState<DisplayOptions>(() => ({ view: viewOf(variant, solver.board), flipped: false }));
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => keepView(variant, solver.board, display.view), [variant, solver.board, display.view]);
  const page = useMemo(
    () => ({
      openHelp: () => setHelpOpen(true),
      flip: () => setDisplay((previous) => ({ ...previous, flipped: !previous.flipped })),
    }),
    [],
  );
  useEffect(() => listen(solver, page), [solver, page]);
  const { wraps } = solver.board;
  return (
    <div class="a-page" data-torus={wraps.files || wraps.ranks ? "" : undefined} data-stage={solver.stage}>
      <About />
      <div class="a-board">
        <Board board={board} display={display} />
      </div>
      <div class="a-panel">
        <PuzzleStatus />
        <Moves />
        <TypedMove />
        <Tools display={display} setDisplay={setDisplay} openHelp={page.openHelp} />
        <SolvedPuzzles />
      </div>
      <p class="unseen" role="status">{solver.announcement}</p>
      {isHelpOpen && <Help close={() => setHelpOpen(false)} />}
    </div>
  );
}

/** The names of themes in the reader's language. */
const themeNames = (): Record<string, string> => pageData<Record<string, string>>("themes");

function About() {
  const { puzzle, start, board } = useSolver();
  const names = useMemo(themeNames, []);
  return (
    <header class="a-about">
      <h1>{t("title")}</h1>
      <a href={`/puzzles?variant=${board.variant}`}>{t("all")}</a>
      <p>
        {puzzle.variant_name}
        {start.theme && <> · {t("theme", { theme: names[start.theme] ?? start.theme })}</>}
      </p>
    </header>
  );
}

/** The task or its outcome, with the buttons for it. */
function PuzzleStatus() {
  const solver = useSolver();
  const { stage, fault, start } = solver;
  const title: Text = stage === "find" ? (solver.side === "white" ? "find_white" : "find_black") : stage;
  return (
    <section class="g-card p-standing" aria-labelledby="p-stage" data-good={stage === "solved" ? "yes" : stage === "wrong" || stage === "streak_over" ? "no" : undefined}>
      {start.streak && (
        <p class="p-streak">
          <strong>{t("streak_count", { count: solver.streak })}</strong> <span>{t("streak_best", { count: solver.bestStreak })}</span>
        </p>
      )}
      <h2 id="p-stage">
        {stage === "solved" && <Check />}
        {stage === "wrong" && <Cross />}
        {t(solver.isStreakDone ? "streak_all" : title)}
      </h2>
      {fault && <p class="g-problem" role="alert">{fault}</p>}
      {solver.hintSquare !== null && <p>{t("hint_is", { square: solver.board.squares[solver.hintSquare]?.name ?? "" })}</p>}
      <Rating />
      {solver.isOver ? <PuzzleOutcome /> : <PuzzleActions />}
    </section>
  );
}

/** The player's rating, and why it does not change. */
function Rating() {
  const { puzzle, start, rating, change, isHinted, stage } = useSolver();
  if (start.streak) return null;
  if (change) return <p class="p-quiet">{t("rating_change", { before: change.before, after: change.after })}</p>;
  if (rating === null) return <p class="p-quiet"><a href={signInAddress("login")}>{t("guest")}</a></p>;
  if (typeof puzzle.solved === "boolean") return <p class="p-quiet">{t("tried")}</p>;
  if (isHinted && stage === "solved") return <p class="p-quiet">{t("hinted")}</p>;
  return <p class="p-quiet">{t("rating", { rating })}</p>;
}

/** The actions while the solver searches for a move. */
function PuzzleActions() {
  const solver = useSolver();
  const disabled = !solver.canMove;
  if (solver.start.streak) {
    return (
      <div class="g-answers">
        <button type="button" class="g-button" title={t("skip_title")} disabled={disabled || solver.isSkipUsed} onClick={() => void solver.skip()}>
          {t("skip")}
        </button>
      </div>
    );
  }
  return (
    <div class="g-answers">
      <button type="button" class="g-button" title={t("hint_title")} disabled={disabled} onClick={() => void solver.hint()}>
        <Bulb /> {t("hint")}
      </button>
      <button type="button" class="g-button" disabled={solver.stage === "look" || solver.stage === "checking"} onClick={() => void solver.showSolution()}>
        {t("solution")}
      </button>
    </div>
  );
}

/** Sources that `lozenge lab puzzles` names for games of books, and those that the shipped puzzles name for their games. */
const ENGINE_GAME = /\.book game|^engine at /;

/** When the puzzle is over. */
function PuzzleOutcome() {
  const solver = useSolver();
  const { puzzle, result, start } = solver;
  const names = useMemo(themeNames, []);
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Do not take the focus from a field in which the visitor types.
    if (document.activeElement === document.body) next.current?.focus({ preventScroll: true });
  }, []);
  const source = result?.source ?? "";
  return (
    <>
      <div class="g-answers">
        {start.streak ? (
          <a class="g-button g-good" href={`/puzzles/streak?variant=${solver.board.variant}`}>
            <Play /> {t("streak_again")}
          </a>
        ) : (
          <button type="button" class="g-button g-good" ref={next} onClick={() => void solver.next()}>
            <Play /> {t("next")}
          </button>
        )}
        {solver.stage === "streak_over" && (
          <button type="button" class="g-button" onClick={() => void solver.showSolution()}>{t("solution")}</button>
        )}
        <a class="g-button" href={solver.analysisAddress}>
          <Bulb /> {t("analysis")}
        </a>
      </div>
      {result && result.themes.length > 0 && (
        <p class="p-quiet">
          {t("themes")}:{" "}
          {result.themes.map((theme, index) => (
            <span key={theme}>
              {index > 0 && ", "}
              <a href={`/puzzles/next?${new URLSearchParams({ variant: solver.board.variant, theme })}`}>{names[theme] ?? theme}</a>
            </span>
          ))}
        </p>
      )}
      <p class="p-quiet">
        {t("puzzle_rating", { rating: puzzle.rating })}
        {puzzle.plays > 0 && <> · {t("played", { count: puzzle.plays })}</>}
        {source !== "" && <> · {ENGINE_GAME.test(source) ? t("source_engine") : t("source", { source })}</>}
      </p>
      {solver.rating !== null && (
        <div class="p-votes" role="group" aria-label={t("vote")}>
          {([true, false] as const).map((up) => (
            <button
              key={String(up)}
              type="button"
              class="g-button"
              aria-pressed={solver.vote === up}
              onClick={() => void solver.voteFor(up)}
            >
              <Thumb up={up} /> {t(up ? "vote_up" : "vote_down")}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

const Thumb = ({ up }: { up: boolean }) => (
  <svg class="g-icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d="M7 11v9H3.500v-9zM7 11l4-7.500c1.500 0 2.300 1 2 2.500l-.700 3.500H19c1.200 0 1.900 1 1.600 2.200l-1.600 6.300c-.300 1.200-1.200 2-2.400 2H7" transform={up ? undefined : "rotate(180 12 12)"} />
  </svg>
);

/** The moves so far, and the way through them. */
function Moves() {
  const solver = useSolver();
  const { steps, at, puzzle } = solver;
  const first = Number.parseInt(puzzle.fen.split(/\s+/)[5] ?? "1", 10) || 1;
  const black = turnOf(puzzle.fen) === "black" ? 1 : 0;
  const text = (index: number): string => {
    const half = index + black;
    const number = first + Math.floor(half / 2);
    return half % 2 === 0 ? `${number}.` : index === 0 ? `${number}…` : "";
  };
  const buttons: readonly (readonly [Text, typeof First, number])[] = [
    ["first", First, 0],
    ["previous", Back, at - 1],
    ["next_move", Next, at + 1],
    ["last", Last, steps.length],
  ];
  return (
    <section class="a-moves" aria-label={t("moves")}>
      <div class="a-tree">
        {steps.map((step, index) => (
          <button key={index} type="button" class="a-move" aria-current={at === index + 1 ? "true" : undefined} onClick={() => solver.view(index + 1)}>
            {text(index) && <span class="a-number">{text(index)}</span>}
            {step.san}
          </button>
        ))}
      </div>
      <div class="g-walk">
        {buttons.map(([name, Icon, to]) => (
          <button key={name} type="button" class="g-plain" aria-label={t(name)} title={t(name)} disabled={to < 0 || to > steps.length || to === at} onClick={() => solver.view(to)}>
            <Icon />
          </button>
        ))}
      </div>
    </section>
  );
}

/** The input line for moves. */
function TypedMove() {
  const solver = useSolver();
  return (
    <MoveInput id="p-typed" label={t("typed")} placeholder={t("typed")} send={t("typed_send")} enabled={solver.canMove} take={(text) => void solver.play(text)} />
  );
}

function Tools({ display, setDisplay, openHelp }: { display: DisplayOptions; setDisplay: (display: DisplayOptions) => void; openHelp: () => void }) {
  const isDiamond = display.view === "diamond";
  return (
    <BoardTools
      t={t}
      isDiamond={isDiamond}
      flip={() => setDisplay({ ...display, flipped: !display.flipped })}
      changeView={() => setDisplay({ ...display, view: isDiamond ? "square" : "diamond" })}
      openHelp={openHelp}
    />
  );
}

/** The puzzles solved and failed since the page was opened. */
function SolvedPuzzles() {
  const { results, start } = useSolver();
  if (results.length === 0 || start.streak) return null;
  return (
    <section class="p-session" aria-labelledby="p-session">
      <h2 id="p-session">{t("session")}</h2>
      <ol>
        {results.slice(-40).map(({ id, isSolved }, index) => (
          <li key={index}>
            <a href={`/puzzles/${id}`} data-won={isSolved ? "yes" : "no"} aria-label={t(isSolved ? "session_won" : "session_lost")}>
              {isSolved ? <Check /> : <Cross />}
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

const KEYS: readonly (readonly [keys: readonly string[], text: Text])[] = [
  [["←", "k"], "keys_back"],
  [["→", "j"], "keys_on"],
  [["↑", "↓"], "keys_ends"],
  [["h"], "keys_hint"],
  [["s"], "keys_solution"],
  [["n"], "keys_next"],
  [["f"], "keys_flip"],
  [["t"], "keys_type"],
  [["?"], "keys_help"],
];

function Help({ close }: { close: () => void }) {
  return (
    <Dialog title={t("help")} close={close}>
      <h3>{t("keys_title")}</h3>
      <dl class="g-keys">
        {KEYS.map(([keys, text]) => (
          <div key={text}>
            <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
