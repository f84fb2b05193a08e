/** The page of the coordinates. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type DisplayOptions, Stage } from "../analysis/stage.tsx";
import type { LozBoard } from "../board/index.ts";
import { load, store } from "../board/storage.ts";
import type { DrawnShape } from "../board/types.ts";
import { BoardTools } from "../common/board_tools.tsx";
import { keepView, viewOf } from "../common/board_view.ts";
import { EnteredMove } from "../common/entered_move.ts";
import { listenToKeys } from "../common/keys.ts";
import { listen as listenToSquares } from "../editor/input.ts";
import { Dialog } from "../game/dialog.tsx";
import { Cross, Play, Repeat } from "../game/icons.tsx";
import { useSession } from "./hooks.ts";
import type { Mode, Session } from "./session.ts";
import { ROUND_MS } from "./session.ts";
import { type Text, t } from "./texts.ts";

/** How often the clock is drawn, in milliseconds. */
const TICK_MS = 100;

const NAMES_KEY = "lozenge.coordinates.names";
const PIECES_KEY = "lozenge.coordinates.pieces";

interface Options {
  names: boolean;
  pieces: boolean;
}

function update(board: LozBoard, session: Session, options: Options): void {
  board.movable = "none";
  board.coordinates = options.names;
  board.pieces = options.pieces ? (session.board.start ?? []) : NO_PIECES;
  const { last, phase, mode, asked } = session;
  const circle = (square: number, brush: DrawnShape["brush"]): DrawnShape => ({ from: square, to: square, brush });
  const hints: DrawnShape[] = [];
  if (phase === "running" && mode === "name") hints.push(circle(asked, "yellow"));
  if (phase === "running" && mode === "find" && last && last.square >= 0) hints.push(circle(last.square, last.isRight ? "green" : "red"));
  if (JSON.stringify(hints) !== JSON.stringify(board.hints)) board.hints = hints;
  const marks = phase === "running" && mode === "name" ? [{ square: asked, kind: "area" as const }] : [];
  if (JSON.stringify(marks) !== JSON.stringify(board.marks)) board.marks = marks;
}

const NO_PIECES: [] = [];
/** No moves are entered on this board. */
const NO_MOVES = new EnteredMove();

export function CoordinatesPage({ board, lessons }: { board: LozBoard; lessons: string }) {
  const session = useSession();
  const { board: geometry } = session;
  const { variant, wraps, name } = geometry;
  const [display, setDisplay] = useState<DisplayOptions>(() => ({ view: viewOf(variant, geometry), flipped: false }));
  const [options, setOptions] = useState<Options>(() => ({ names: load(NAMES_KEY) === "on", pieces: load(PIECES_KEY) === "on" }));
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => keepView(variant, geometry, display.view), [variant, geometry, display.view]);
  useEffect(() => {
    store(NAMES_KEY, options.names ? "on" : null);
    store(PIECES_KEY, options.pieces ? "on" : null);
  }, [options]);
  const isRunning = session.phase === "running";
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => session.tick(), TICK_MS);
    return () => clearInterval(timer);
  }, [session, isRunning]);
  useLayoutEffect(() => {
    const answer = (square: number): boolean => {
      if (session.mode === "find") session.answer(square);
      return false;
    };
    const nothing = (): void => {};
    return listenToSquares(board, { press: answer, paint: nothing, drag: nothing, tap: nothing, swap: nothing, remove: nothing });
  }, [board, session]);
  const actions = useMemo(
    () => ({
      start: () => (session.phase === "running" ? session.stop() : session.start()),
      flip: () => setDisplay((previous) => ({ ...previous, flipped: !previous.flipped })),
      openHelp: () => setHelpOpen(true),
    }),
    [session],
  );
  useEffect(() => listen(actions), [actions]);
  const isDiamond = display.view === "diamond";
  return (
    <div class="a-page c-page" data-torus={wraps.files || wraps.ranks ? "" : undefined} data-phase={session.phase} data-mode={session.mode}>
      <header class="learn-task">
        <p class="learn-where">
          <a href={lessons}>{t("lessons")}</a> <span>{name}</span>
        </p>
        <h1>{t("title")}</h1>
      </header>
      <div class="a-board">
        <Stage board={board} display={display} label={t("board")} entered={NO_MOVES} play={() => {}} update={(board) => update(board, session, options)} />
      </div>
      <div class="a-panel">
        <Task />
        {!isRunning && <Settings options={options} setOptions={setOptions} />}
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

/** The question, the time, the score, and the answer. */
function Task() {
  const session = useSession();
  const { phase, mode, score, best, misses, asked, following, last, left } = session;
  const isRunning = phase === "running";
  return (
    <section class="g-card c-task" aria-labelledby="c-question" data-last={isRunning && last ? (last.isRight ? "right" : "wrong") : undefined}>
      <h2 id="c-question">
        {phase === "over" ? (
          t(session.isRecord ? "over_best" : "over", { score })
        ) : !isRunning ? (
          t(mode)
        ) : mode === "find" ? (
          <>
            <strong class="c-name">{session.nameOf(asked)}</strong> <small>{t("next", { name: session.nameOf(following) })}</small>
          </>
        ) : (
          t("what")
        )}
      </h2>
      {phase === "ready" && <p class="learn-quiet">{t(mode === "find" ? "find_hint" : "name_hint")}</p>}
      {phase === "over" && misses > 0 && <p class="learn-quiet">{t("misses", { misses })}</p>}
      <progress class="c-clock" max={ROUND_MS} value={isRunning ? left : phase === "over" ? 0 : ROUND_MS} aria-label={t("time")} />
      <dl class="c-numbers">
        <div><dt>{t("score")}</dt><dd>{score}</dd></div>
        <div><dt>{t("best")}</dt><dd>{best[mode]}</dd></div>
        <div><dt>{t("time")}</dt><dd>{Math.ceil((isRunning ? left : phase === "over" ? 0 : ROUND_MS) / 1000)}</dd></div>
      </dl>
      {isRunning && mode === "name" && <Answer />}
      <div class="g-answers">
        {isRunning ? (
          <button type="button" class="g-button" onClick={() => session.stop()}>
            <Cross /> {t("stop")}
          </button>
        ) : (
          <button type="button" class="g-button g-good" onClick={() => session.start()}>
            {phase === "over" ? <Repeat /> : <Play />} {t(phase === "over" ? "again" : "start")}
          </button>
        )}
      </div>
    </section>
  );
}

/** The line for the name of the square, and buttons for fingers. */
function Answer() {
  const session = useSession();
  const field = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState("");
  const names = session.board.squares.map(({ name }) => /^([a-z]+)(\d+)$/.exec(name) ?? []);
  const files = [...new Set(names.map(([, file]) => file ?? ""))].sort();
  const ranks = [...new Set(names.map(([, , rank]) => Number(rank)))].sort((a, b) => a - b);
  useEffect(() => {
    // The keyboard of a phone would cover the board.
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class="c-answer">
      <input
        ref={field}
        type="text"
        aria-label={t("answer")}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        maxLength={4}
        onInput={(event) => {
          if (session.type(event.currentTarget.value)) event.currentTarget.value = "";
        }}
      />
      <div class="c-buttons" role="group" aria-label={t("files")}>
        {files.map((letter) => (
          <button key={letter} type="button" class="g-button" aria-pressed={file === letter} onClick={() => setFile(letter)}>{letter}</button>
        ))}
      </div>
      <div class="c-buttons" role="group" aria-label={t("ranks")}>
        {ranks.map((rank) => (
          <button
            key={rank}
            type="button"
            class="g-button"
            disabled={file === ""}
            onClick={() => {
              session.answer(session.board.squares.findIndex(({ name }) => name === `${file}${rank}`));
              setFile("");
            }}
          >
            {rank}
          </button>
        ))}
      </div>
    </div>
  );
}

const MODES: readonly Mode[] = ["find", "name"];

function Settings({ options, setOptions }: { options: Options; setOptions: (options: Options) => void }) {
  const session = useSession();
  return (
    <section class="g-card c-settings">
      <div class="c-modes" role="group" aria-label={t("mode")}>
        {MODES.map((mode) => (
          <button key={mode} type="button" class="g-button" aria-pressed={session.mode === mode} onClick={() => session.choose(mode)}>{t(mode)}</button>
        ))}
      </div>
      <label>
        <input type="checkbox" checked={options.names} onChange={(event) => setOptions({ ...options, names: event.currentTarget.checked })} /> {t("show_names")}
      </label>
      <label>
        <input type="checkbox" checked={options.pieces} onChange={(event) => setOptions({ ...options, pieces: event.currentTarget.checked })} /> {t("show_pieces")}
      </label>
    </section>
  );
}

/** Installs the shortcuts until the returned function is called. */
function listen(actions: { start: () => void; flip: () => void; openHelp: () => void }): () => void {
  const keys: Readonly<Record<string, () => void>> = { s: actions.start, f: actions.flip, "?": actions.openHelp };
  return listenToKeys(({ key }) => keys[key]);
}

const KEYS: readonly (readonly [keys: readonly string[], text: Text])[] = [
  [["s"], "keys_start"],
  [["←", "↑", "→", "↓", "Enter"], "keys_board"],
  [["f"], "keys_flip"],
  [["?"], "keys_help"],
];

function Help({ close }: { close: () => void }) {
  return (
    <Dialog title={t("help")} close={close}>
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
