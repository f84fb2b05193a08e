/** One level: its sentence, the board, and what came of the last move. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isMulti } from "../board/colors.ts";
import type { LozBoard } from "../board/index.ts";
import { BoardTools } from "../common/board_tools.tsx";
import { keepView, viewOf } from "../common/board_view.ts";
import { MoveInput } from "../common/move_input.tsx";
import { Dialog } from "../game/dialog.tsx";
import { Back, Bulb, Check, Next, Play, Repeat } from "../game/icons.tsx";
import type { DisplayOptions } from "../analysis/stage.tsx";
import { Board } from "./board.tsx";
import { useSession } from "./hooks.ts";
import { type LevelActions, listen } from "./keys.ts";
import { Fault, StageLevels } from "./overview.tsx";
import { StarRow } from "./stars.tsx";
import { type Text, t } from "./texts.ts";

export function LevelPage({ board }: { board: LozBoard }) {
  const session = useSession();
  const { variant } = session.board;
  const [display, setDisplay] = useState<DisplayOptions>(() => ({ view: viewOf(variant, session.board), flipped: false }));
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => keepView(variant, session.board, display.view), [variant, session.board, display.view]);
  const actions = useMemo<LevelActions>(() => {
    const go = (offset: number): void => {
      const placed = session.levels[(session.open?.index ?? 0) + offset];
      // Beyond the last level is the overview.
      if (placed) location.hash = placed.level.id;
      else if (offset > 0) location.hash = "";
    };
    return {
      next: () => go(1),
      back: () => go(-1),
      restart: () => void session.restart(),
      hint: () => void session.hint(),
      flip: () => setDisplay((previous) => ({ ...previous, flipped: !previous.flipped })),
      openHelp: () => setHelpOpen(true),
    };
  }, [session]);
  useEffect(() => listen(actions), [actions]);
  const { open } = session;
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that led here may be gone.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [open]);
  if (!open) return null;
  const { wraps, name } = session.board;
  const isGame = open.level.goal.kind === "play";
  return (
    <div class="a-page learn-page" data-torus={wraps.files || wraps.ranks ? "" : undefined} data-phase={session.phase}>
      <header class="learn-task">
        <p class="learn-where">
          <a href="#">{name}</a> <span>{t("number", { number: open.index + 1, count: session.levels.length })}</span>
        </p>
        <h1 ref={heading} tabIndex={-1}>{open.stage.title}</h1>
        <p class="learn-text">{open.level.text}</p>
      </header>
      <div class="a-board">
        <Board board={board} display={display} />
      </div>
      <div class="a-panel">
        {isGame ? <GameStatus actions={actions} /> : <Status actions={actions} />}
        {!isGame && <TypedMove />}
        <Tools display={display} setDisplay={setDisplay} actions={actions} />
        <nav class="learn-strip" aria-label={t("levels")}>
          <StageLevels />
        </nav>
      </div>
      <p class="unseen" role="status">{session.announcement}</p>
      {isHelpOpen && <Help close={() => setHelpOpen(false)} />}
    </div>
  );
}

/** The result of the last move, and its buttons. */
function Status({ actions }: { actions: LevelActions }) {
  const session = useSession();
  const { phase, open, message, stars } = session;
  const next = useRef<HTMLButtonElement>(null);
  const isSolved = phase === "solved";
  useEffect(() => {
    if (isSolved) next.current?.focus({ preventScroll: true });
  }, [isSolved]);
  if (!open) return null;
  const { par } = open.level;
  const isLast = open.index === session.levels.length - 1;
  return (
    <section class="g-card learn-status" aria-labelledby="learn-message" data-good={isSolved ? "yes" : phase === "missed" ? "no" : undefined}>
      {isSolved && <StarRow count={stars} />}
      <h2 id="learn-message">{message || t("find")}</h2>
      <Fault />
      {!isSolved && (
        <p class="learn-quiet">
          {par === 1 ? t("one_move") : t("par", { par })} · {t("moves", { moves: session.moves })}
          {session.starsLeft.length > 0 && <> · {session.starsText(session.starsLeft)}</>}
        </p>
      )}
      <div class="g-answers">
        {isSolved ? (
          <button type="button" class="g-button g-good" ref={next} onClick={actions.next}>
            {isLast ? <Check /> : <Play />} {t(isLast ? "finish" : "next")}
          </button>
        ) : (
          <button type="button" class="g-button" disabled={!session.canMove} onClick={actions.hint}>
            <Bulb /> {t("hint")}
          </button>
        )}
        <button type="button" class="g-button" onClick={actions.restart}>
          <Repeat /> {t("restart")}
        </button>
        <button type="button" class="g-button" disabled={open.index === 0} onClick={actions.back}>
          <Back /> {t("back")}
        </button>
        {!isSolved && (
          <button type="button" class="g-button" onClick={actions.next}>
            {t(isLast ? "finish" : "skip")} <Next />
          </button>
        )}
      </div>
    </section>
  );
}

/** The last level: a game, which is played on a page of its own. */
function GameStatus({ actions }: { actions: LevelActions }) {
  const session = useSession();
  const { open, progress } = session;
  const [isStarting, setStarting] = useState(false);
  if (open?.level.goal.kind !== "play") return null;
  const isBegun = progress.game?.level === open.level.id;
  const start = async (): Promise<void> => {
    setStarting(true);
    const address = await session.startGame();
    setStarting(false);
    if (address) location.assign(address);
  };
  const stars = progress.stars[open.level.id] ?? 0;
  return (
    <section class="g-card learn-status" aria-labelledby="learn-message" data-good={stars > 0 ? "yes" : undefined}>
      {stars > 0 && <StarRow count={stars} />}
      <h2 id="learn-message">{stars > 0 ? t("solved", { stars }) : t(isMulti(session.board.players) ? "game_more" : "game", { moves: open.level.goal.moves })}</h2>
      <Fault />
      <div class="g-answers">
        <button type="button" class="g-button g-good" disabled={isStarting} onClick={() => void start()}>
          <Play /> {t(isBegun ? "game_on" : "game_start")}
        </button>
        <button type="button" class="g-button" onClick={actions.back}>
          <Back /> {t("back")}
        </button>
        <button type="button" class="g-button" onClick={actions.next}>
          {t("finish")} <Next />
        </button>
      </div>
    </section>
  );
}

/** The input line for moves. */
function TypedMove() {
  const session = useSession();
  return (
    <MoveInput id="l-typed" label={t("typed")} placeholder={t("typed")} send={t("typed_send")} enabled={session.canMove} take={(text) => void session.play(text)} />
  );
}

function Tools({ display, setDisplay, actions }: { display: DisplayOptions; setDisplay: (display: DisplayOptions) => void; actions: LevelActions }) {
  const isDiamond = display.view === "diamond";
  return (
    <BoardTools
      t={t}
      isDiamond={isDiamond}
      flip={actions.flip}
      changeView={() => setDisplay({ ...display, view: isDiamond ? "square" : "diamond" })}
      openHelp={actions.openHelp}
    />
  );
}

const KEYS: readonly (readonly [key: string, text: Text])[] = [
  ["n", "keys_next"],
  ["b", "keys_back"],
  ["r", "keys_restart"],
  ["h", "keys_hint"],
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
