/** The open ending, which replaces the overview on the page of the endings. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type DisplayOptions, Stage } from "../analysis/stage.tsx";
import type { LozBoard } from "../board/index.ts";
import type { DrawnShape } from "../board/types.ts";
import { BoardTools } from "../common/board_tools.tsx";
import { keepView, viewOf } from "../common/board_view.ts";
import { piecesOf, turnOf } from "../common/fen.ts";
import { MoveInput } from "../common/move_input.tsx";
import { Dialog } from "../game/dialog.tsx";
import { Bulb, Check, Cross, Graph, Play, Repeat, Undo } from "../game/icons.tsx";
import { rating } from "../learn/progress.ts";
import { StarRow } from "../learn/stars.tsx";
import { bestText, Fault } from "./classes.tsx";
import { useSession } from "./hooks.ts";
import { type DrillActions, listen } from "./keys.ts";
import type { Session } from "./session.ts";
import { type Text, t } from "./texts.ts";

export function DrillsPage({ board, opening }: { board: LozBoard; opening: HTMLElement }) {
  const session = useSession();
  const { isAwaited } = session;
  const isOpen = session.open !== null;
  useLayoutEffect(() => {
    opening.hidden = isOpen || isAwaited;
    // The board is as wide as the window allows.
    document.getElementById("drill")?.toggleAttribute("data-level", isOpen);
    if (isOpen) scrollTo(0, 0);
  }, [isOpen, isAwaited, opening]);
  return isOpen ? <EndingPage board={board} /> : null;
}

function update(board: LozBoard, session: Session): void {
  const { fen, step, position, arrow } = session;
  const number = (name: string): number => session.board.squares.findIndex((square) => square.name === name);
  board.pieces = fen === "" ? [] : piecesOf(session.board, fen);
  board.last = step?.last ?? [];
  board.check = (step ? step.check : position?.check) ?? null;
  board.turn = fen === "" ? "white" : turnOf(fen);
  board.movable = position ? "white" : "none";
  board.castlings = position?.castlings ?? [];
  board.destinations = position?.legal.map(({ uci }) => uci) ?? [];
  const [, from = "", to = ""] = /^([a-z]\d+)([a-z]\d+)/.exec(arrow ?? "") ?? [];
  const hints: DrawnShape[] = arrow ? [{ from: number(from), to: number(to), brush: "green" }] : [];
  if (JSON.stringify(hints) !== JSON.stringify(board.hints)) board.hints = hints;
}

function EndingPage({ board }: { board: LozBoard }) {
  const session = useSession();
  const { board: geometry } = session;
  const { variant, wraps, name } = geometry;
  const [display, setDisplay] = useState<DisplayOptions>(() => ({ view: viewOf(variant, geometry), flipped: false }));
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => keepView(variant, geometry, display.view), [variant, geometry, display.view]);
  const actions = useMemo<DrillActions>(
    () => ({
      next: () => void session.next(),
      again: () => void session.again(),
      takeBack: () => session.takeBack(),
      hint: () => session.hint(),
      flip: () => setDisplay((previous) => ({ ...previous, flipped: !previous.flipped })),
      openHelp: () => setHelpOpen(true),
    }),
    [session],
  );
  useEffect(() => listen(actions), [actions]);
  const { open } = session;
  const heading = useRef<HTMLHeadingElement>(null);
  // The link that led here is gone.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [open]);
  if (!open) return null;
  const isDiamond = display.view === "diamond";
  return (
    <div class="a-page learn-page" data-torus={wraps.files || wraps.ranks ? "" : undefined} data-phase={session.phase}>
      <header class="learn-task">
        <p class="learn-where">
          <a href="#">{t("all")}</a> <span>{name}</span>
        </p>
        <h1 ref={heading} tabIndex={-1}>{session.nameOf(open.name)}</h1>
      </header>
      <div class="a-board">
        <Stage
          board={board}
          display={display}
          label={t("board")}
          entered={session.entered}
          play={(move) => void session.play(move)}
          update={(board) => update(board, session)}
        />
      </div>
      <div class="a-panel">
        <Status actions={actions} />
        <MoveInput id="d-typed" label={t("typed")} placeholder={t("typed")} send={t("typed_send")} enabled={session.canMove} take={(text) => void session.play(text)} />
        <Moves />
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

/** The result of the last move, and its buttons. */
function Status({ actions }: { actions: DrillActions }) {
  const session = useSession();
  const { phase, message, moves, par, records, open, drill, fault } = session;
  const first = useRef<HTMLButtonElement>(null);
  const [isWon, isThrown] = [phase === "won", phase === "thrown"];
  useEffect(() => {
    if (isWon || isThrown) first.current?.focus({ preventScroll: true });
  }, [isWon, isThrown]);
  const best = records[open?.name ?? ""]?.best ?? null;
  return (
    <section class="g-card learn-status" aria-labelledby="drill-message" data-good={isWon ? "yes" : isThrown ? "no" : undefined}>
      {isWon && <StarRow count={rating(moves, par)} />}
      <h2 id="drill-message">
        {isWon && <Check />}
        {isThrown && <Cross />}
        {message}
      </h2>
      <Fault />
      {drill && !isWon && (
        <p class="learn-quiet">
          {t("par", { moves: par })} · {t("moves", { moves })}
          {best !== null && <> · {bestText(best)}</>}
        </p>
      )}
      <div class="g-answers">
        {isThrown && (
          <button type="button" class="g-button g-good" ref={first} onClick={actions.takeBack}>
            <Undo /> {t("take_back")}
          </button>
        )}
        {isWon && (
          <button type="button" class="g-button g-good" ref={first} onClick={actions.next}>
            <Play /> {t("next")}
          </button>
        )}
        {!isWon && !isThrown && (
          <button type="button" class="g-button" disabled={!session.canMove} onClick={actions.hint}>
            <Bulb /> {t("hint")}
          </button>
        )}
        <button type="button" class="g-button" disabled={!drill || phase === "checking" || phase === "preparing"} onClick={actions.again}>
          <Repeat /> {t("again")}
        </button>
        {!isWon && (
          <button type="button" class="g-button" disabled={phase === "preparing" && fault === null} onClick={actions.next}>
            <Play /> {t("next")}
          </button>
        )}
        {(isWon || isThrown) && (
          <a class="g-button" href={session.analysisAddress}>
            <Graph /> {t("analysis")}
          </a>
        )}
      </div>
    </section>
  );
}

/** The moves so far. */
function Moves() {
  const { steps } = useSession();
  if (steps.length === 0) return null;
  return (
    <section class="a-moves" aria-label={t("played")}>
      <p class="a-tree drill-moves">
        {steps.map((step, index) => (
          <span key={index}>
            {index % 2 === 0 && <span class="a-number">{index / 2 + 1}.</span>} {step.san}{" "}
          </span>
        ))}
      </p>
    </section>
  );
}

const KEYS: readonly (readonly [key: string, text: Text])[] = [
  ["n", "keys_next"],
  ["r", "keys_again"],
  ["u", "keys_take_back"],
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
