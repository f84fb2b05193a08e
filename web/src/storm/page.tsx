/** The page of a storm. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type DisplayOptions, Stage } from "../analysis/stage.tsx";
import type { LozBoard } from "../board/index.ts";
import { BoardTools } from "../common/board_tools.tsx";
import { keepView, viewOf } from "../common/board_view.ts";
import { piecesOf, turnOf } from "../common/fen.ts";
import { listenToKeys } from "../common/keys.ts";
import { MoveInput } from "../common/move_input.tsx";
import { Dialog } from "../game/dialog.tsx";
import { Check, Cross, Play, Repeat } from "../game/icons.tsx";
import { useSession } from "./hooks.ts";
import { comboProgress } from "./score.ts";
import type { Session } from "./session.ts";
import { type Text, t } from "./texts.ts";

/** How often the clock is drawn, in milliseconds. */
const TICK_MS = 200;

function update(board: LozBoard, session: Session): void {
  const { fen, step, position, side } = session;
  board.pieces = fen === "" ? [] : piecesOf(session.board, fen);
  board.last = step?.last ?? [];
  board.check = step?.check ?? null;
  board.turn = fen === "" ? "white" : turnOf(fen);
  board.movable = position ? side : "none";
  board.castlings = position?.castlings ?? [];
  board.destinations = position?.legal.map(({ uci }) => uci) ?? [];
}

export function StormPage({ board }: { board: LozBoard }) {
  const session = useSession();
  const { board: geometry } = session;
  const { variant, wraps, name } = geometry;
  const [display, setDisplay] = useState<DisplayOptions>(() => ({ view: viewOf(variant, geometry), flipped: false }));
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => keepView(variant, geometry, display.view), [variant, geometry, display.view]);
  const isRunning = session.phase === "running";
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => session.tick(), TICK_MS);
    return () => clearInterval(timer);
  }, [session, isRunning]);
  const actions = useMemo(
    () => ({
      again: () => {
        if (session.phase === "over") void session.begin();
      },
      flip: () => setDisplay((previous) => ({ ...previous, flipped: !previous.flipped })),
      openHelp: () => setHelpOpen(true),
    }),
    [session],
  );
  useEffect(() => listen(actions), [actions]);
  const isDiamond = display.view === "diamond";
  return (
    <div class="a-page s-page" data-torus={wraps.files || wraps.ranks ? "" : undefined} data-phase={session.phase} data-score={session.score} data-played={session.results.length}>
      <header class="a-about">
        <h1>{t("title")}</h1>
        <a href={`/puzzles?variant=${variant}`}>{t("puzzles")}</a>
        <p>{name}</p>
      </header>
      <div class="a-board">
        <Stage
          board={board}
          display={display}
          label={t("board")}
          isBlack={session.side === "black"}
          entered={session.entered}
          play={(move) => void session.play(move)}
          update={(board) => update(board, session)}
        />
      </div>
      <div class="a-panel">
        {session.phase === "over" ? <Summary /> : <Clock />}
        {session.phase !== "over" && (
          <MoveInput id="s-typed" label={t("typed")} placeholder={t("typed")} send={t("typed_send")} enabled={session.position !== null} take={(text) => void session.play(text)} />
        )}
        <BoardTools
          t={t}
          isDiamond={isDiamond}
          flip={actions.flip}
          changeView={() => setDisplay({ ...display, view: isDiamond ? "square" : "diamond" })}
          openHelp={actions.openHelp}
        />
      </div>
      <p class="unseen" role="status">{session.announcement}</p>
      {isHelpOpen && <Help close={() => setHelpOpen(false)} />}
    </div>
  );
}

/** The time as minutes and seconds. */
function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The clock, the score and the combo. */
function Clock() {
  const session = useSession();
  const { phase, fault, combo, score, best, left, change, changes, side } = session;
  return (
    <section class="g-card s-clock" aria-labelledby="s-task">
      <p class="s-side" data-side={side}>
        <i aria-hidden="true" />
        <span id="s-task">{phase === "loading" ? t("loading") : session.task}</span>
      </p>
      {fault !== null && (
        <p class="g-problem" role="alert">
          {fault} <button type="button" class="button quiet" onClick={() => void session.begin()}>{t("retry")}</button>
        </p>
      )}
      <p class="s-time">
        <strong role="timer" aria-label={t("time")}>{timeText(left)}</strong>
        {changes > 0 && phase === "running" && (
          <span key={changes} class="s-change" data-good={change > 0 ? "" : undefined} aria-hidden="true">
            {change > 0 ? "+" : "−"}{Math.abs(change) / 1000} s
          </span>
        )}
      </p>
      <dl class="c-numbers">
        <div><dt>{t("score")}</dt><dd>{score}</dd></div>
        <div><dt>{t("best")}</dt><dd>{best}</dd></div>
        <div><dt>{t("combo")}</dt><dd>{combo}</dd></div>
      </dl>
      <progress class="c-clock" max={1} value={comboProgress(combo)} aria-label={t("combo")} />
      {phase !== "running" && <p class="p-quiet">{t("rules")}</p>}
      {phase === "running" && (
        <div class="g-answers">
          <button type="button" class="g-button" onClick={() => session.end()}>
            <Cross /> {t("end")}
          </button>
        </div>
      )}
    </section>
  );
}

/** The result of the storm. */
function Summary() {
  const session = useSession();
  const { results, score, moves, accuracy, longestCombo, hardest, best } = session;
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => again.current?.focus({ preventScroll: true }), []);
  const numbers: readonly (readonly [Text, string | number])[] = [
    ["best", best],
    ["moves", moves],
    ["accuracy", `${accuracy} %`],
    ["highest_combo", longestCombo],
    ["hardest", hardest ?? "–"],
  ];
  return (
    <section class="g-card s-summary" aria-labelledby="s-over">
      <h2 id="s-over">{session.announcement}</h2>
      <p class="s-score" aria-hidden="true">{score}</p>
      <dl class="c-numbers">
        {numbers.map(([name, value]) => (
          <div key={name}><dt>{t(name)}</dt><dd>{value}</dd></div>
        ))}
      </dl>
      <div class="g-answers">
        <button type="button" class="g-button g-good" ref={again} onClick={() => void session.begin()}>
          <Repeat /> {t("again")}
        </button>
        <a class="g-button" href={`/puzzles?variant=${session.board.variant}`}>
          <Play /> {t("puzzles")}
        </a>
      </div>
      {results.length > 0 && (
        <div class="p-session">
          <h3>{t("played")}</h3>
          <ol>
            {results.map(({ puzzle, isSolved }) => (
              <li key={puzzle.id}>
                <a href={`/puzzles/${puzzle.id}`} data-won={isSolved ? "yes" : "no"} aria-label={t(isSolved ? "solved" : "failed", { rating: puzzle.rating })}>
                  {isSolved ? <Check /> : <Cross />}
                </a>
              </li>
            ))}
          </ol>
        </div>
      )}
    </section>
  );
}

/** Installs the shortcuts until the returned function is called. */
function listen(actions: { again: () => void; flip: () => void; openHelp: () => void }): () => void {
  const keys: Readonly<Record<string, () => void>> = {
    n: actions.again,
    f: actions.flip,
    t: () => document.getElementById("s-typed")?.focus(),
    "?": actions.openHelp,
  };
  return listenToKeys(({ key }) => keys[key]);
}

const KEYS: readonly (readonly [key: string, text: Text])[] = [
  ["n", "keys_again"],
  ["f", "keys_flip"],
  ["t", "keys_type"],
  ["?", "keys_help"],
];

function Help({ close }: { close: () => void }) {
  return (
    <Dialog title={t("help")} close={close}>
      <dl class="g-keys">
        {KEYS.map(([key, text]) => (
          <div key={text}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
