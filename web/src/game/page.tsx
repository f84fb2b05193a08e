/** The game page, for all states of a game. */
import { rulesId } from "../common/rules_id.ts";
import type { LozBoard } from "../board/index.ts";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { keepView, viewOf } from "../common/board_view.ts";
import { BoardTools, type Confirming, PlayActions } from "./actions.tsx";
import { loadedWhenShown } from "../common/loaded_when_shown.tsx";
import { LeaveZen } from "../common/leave_zen.tsx";
import { toggleZen } from "../common/settings.ts";
import { TurnAlert } from "./turn_alert.ts";
import { Board, type DisplayOptions } from "./board.tsx";
import { Chat } from "./chat.tsx";
import { Command, type PageActions } from "./command_line.tsx";
import { Confirm } from "./confirm.tsx";
import { Finished } from "./finished.tsx";
import { listen } from "./keys.ts";
import { Moves } from "./moves.tsx";
import { Offers } from "./offers.tsx";
import { PlayerStrip } from "./players.tsx";
import { cancelPremove, premove } from "./typed_premove.ts";
import { ReachLoader } from "./reach_loader.ts";
import { isMyTurn } from "./record.ts";
import { turnsOf } from "../board/colors.ts";
import { colorsOf, isMulti, type Place, placeOf } from "./seats.ts";
import { t } from "./texts.ts";
import { TorusHint } from "./torus_hint.tsx";
import { useSession } from "./hooks.ts";
import { Waiting } from "./waiting.tsx";
import { clockText, moveText, statusText } from "./game_text.ts";

const Help = loadedWhenShown(() => import("./help.tsx").then(({ Help }) => Help));
const NewGameFromPosition = loadedWhenShown(() => import("./new_from_position.tsx").then((part) => part.NewGameFromPosition));

interface PageProps {
  board: LozBoard;
  /** The name of the starting position, if it has one. */
  array?: string | undefined;
  /** Whether there are puzzles of these rules. */
  hasPuzzles: boolean;
}

export function GamePage({ board, array, hasPuzzles }: PageProps) {
  const session = useSession();
  const { game } = session;
  const you = game.you ?? null;
  const geometry = board.board;
  if (!geometry) throw new Error("expected a board");
  const [display, setDisplay] = useState<DisplayOptions>(() => ({ view: viewOf(rulesId(game), geometry), turns: turnsOf(you) }));
  const [dialog, setDialog] = useState<"help" | "from_here" | null>(null);
  const [confirming, confirm] = useState<Confirming>(null);
  const reach = useMemo(() => new ReachLoader(board, session), [board, session]);

  // A player who joins sees the board from their own side at once.
  useLayoutEffect(() => setDisplay((previous) => ({ ...previous, turns: turnsOf(you) })), [you]);
  useEffect(() => keepView(rulesId(game), geometry, display.view), [geometry, display.view]);
  const page: PageActions = {
    openHelp: () => setDialog("help"),
    zen: toggleZen,
    flip: () => setDisplay((previous) => ({ ...previous, turns: (previous.turns + (isMulti(game) ? 1 : 2)) % 4 })),
    confirmResignation: () => confirm("resign"),
    cancelAll: () => board.cancelAll(),
    premove: (line) => premove(board, session, reach, line),
    cancelPremove: () => cancelPremove(board),
  };
  useEffect(() => listen(session, page), [session]);
  useTitle();

  const wraps = board.board?.wraps;
  const close = (): void => setDialog(null);
  /** The strips of the players at some sides of the board. */
  const players = (...places: Place[]) =>
    places.flatMap((place) =>
      colorsOf(game)
        .filter((color) => placeOf(color, display.turns) === place)
        .map((color) => <PlayerStrip key={color} board={board} color={color} place={place} />),
    );
  return (
    <div
      class="g-page"
      data-status={game.state.status}
      data-players={isMulti(game) ? game.seats?.length : undefined}
      data-torus={wraps && (wraps.files || wraps.ranks) ? "" : undefined}
    >
      <About array={array} />
      {players("left", "top")}
      <Board board={board} display={display} reach={reach} />
      {players("bottom", "right")}
      <div class="g-aside">
        <div class="g-panel">
          <TorusHint board={board} />
          <Waiting />
          <Moves />
          <Turn />
          <Finished playFromHere={() => setDialog("from_here")} hasPuzzles={hasPuzzles} />
          <Confirm />
          <Offers />
          <PlayActions confirming={confirming} confirm={confirm} />
          <Command page={page} />
          <BoardTools display={display} setDisplay={setDisplay} flip={page.flip} openHelp={page.openHelp} />
        </div>
        <Chat />
      </div>
      {game.state.status === "started" && <LeaveZen />}
      <Link />
      <p class="unseen" role="status">
        {session.announcement}
      </p>
      {dialog === "help" && <Help close={close} />}
      {dialog === "from_here" && <NewGameFromPosition close={close} />}
    </div>
  );
}

/** The variant and the terms of the game. */
function About({ array }: { array?: string | undefined }) {
  const { game } = useSession();
  return (
    <header class="g-about">
      <h1>
        <a href={`/rules/${rulesId(game)}`} title={t("rules_of", { name: game.variant_name })}>
          {game.variant_name}
        </a>
      </h1>
      <p>
        {clockText(game)} · {t(game.rated ? "rated" : "casual")}
        {game.visibility === "private" && ` · ${t("private")}`}
        {array && ` · ${t("array", { name: array })}`}
        {/* In a tab of its own: a clock may run. */}
        {game.state.ply === 0 && game.state.status === "started" && !isMulti(game) && (
          <> · <a href={`/learn/${rulesId(game)}`} target="_blank" rel="noopener">{t("learn")}</a></>
        )}
      </p>
    </header>
  );
}

/** The side to move, or the position on the board. */
function Turn() {
  const session = useSession();
  const { game } = session;
  if (session.viewedPly !== null) {
    const move = moveText(game, session.viewedPly - 1);
    return (
      <p class="g-turn g-past">
        <span>{session.viewedPly === 0 ? t("viewing_start") : t("viewing", { move })}</span>
        <button type="button" class="g-plain" onClick={() => session.view(game.state.ply)}>
          {t("back_to_live")}
        </button>
      </p>
    );
  }
  if (game.state.status !== "started") return null;
  return (
    <p class="g-turn" data-mine={isMyTurn(game) ? "" : undefined}>
      {game.you || isMulti(game) ? statusText(game) : `${t("watching")} · ${t("spectator_turn", { side: t(game.state.turn) })}`}
    </p>
  );
}

/** The status of the connection, unless it is open. */
function Link() {
  const session = useSession();
  if (session.link === "open") return null;
  return (
    <p class="g-connection" data-lost={session.link === "lost" ? "" : undefined}>
      <i aria-hidden="true" />
      {t(session.link === "lost" ? "reconnecting" : "connecting")}
      {session.sent && ` ${t("move_waits")}`}
    </p>
  );
}

function useTitle(): void {
  const { game } = useSession();
  const title = `${statusText(game)} · ${game.variant_name}`;
  const alertText = isMyTurn(game) ? t("your_turn_call") : "";
  const alert = useMemo(() => new TurnAlert(), []);
  useEffect(() => () => alert.close(), [alert]);
  useEffect(() => alert.set(title, alertText), [alert, title, alertText]);
}
