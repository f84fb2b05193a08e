/** The input line for moves and commands. */
import { useRef } from "preact/hooks";
import { remainingTime, formatTime } from "./clock.ts";
import { moveText } from "./game_text.ts";
import { type Color, isMyTurn, isOver } from "./record.ts";
import { colorsOf, isInGame, isMulti } from "./seats.ts";
import { pendingOffers } from "./offers.tsx";
import type { GameSession } from "./session.ts";
import { t } from "./texts.ts";
import { MAX_LENGTH, parseLine, type CommandName } from "./typed_line.ts";
import { useSession } from "./hooks.ts";

/** The actions of the page. */
export interface PageActions {
  openHelp: () => void;
  zen: () => void;
  flip: () => void;
  confirmResignation: () => void;
  /** Cancels premove, selection and drawings on the board. */
  cancelAll: () => void;
  /** Sets a premove; returns an error message, or null. */
  premove: (line: string) => Promise<string | null>;
  cancelPremove: () => string | null;
}

type ErrorText = string | null;

/** Executes a typed line; returns an error message, or null. */
export function execute(session: GameSession, page: PageActions, line: string): ErrorText | Promise<ErrorText> {
  const typed = parseLine(line);
  if (!typed) return null;
  if (typed.kind === "command") return runCommand(session, page, typed.command);
  const { game } = session;
  if (!game.you) return t("typed_watching");
  if (isOver(game)) return t("typed_over");
  if (game.state.status === "waiting") return t("typed_not_yours");
  if (!isMyTurn(game) && isMulti(game)) return t("typed_not_yours");
  if (!isMyTurn(game) || session.sent) return page.premove(typed.text);
  session.play(typed.text);
  return null;
}

function runCommand(session: GameSession, page: PageActions, command: CommandName): ErrorText {
  const { game } = session;
  switch (command) {
    case "help":
      page.openHelp();
      return null;
    case "flip":
      page.flip();
      return null;
    case "clock":
      return announceClocks(session);
    case "last": {
      const last = game.history.length - 1;
      session.showNote(last < 0 ? t("last_none") : t("last_words", { move: moveText(game, last) }));
      return null;
    }
    default:
      return game.you ? playerCommand(session, page, command) : t("typed_watching");
  }
}

function playerCommand(
  session: GameSession,
  page: PageActions,
  command: Exclude<CommandName, "help" | "flip" | "clock" | "last">,
): ErrorText {
  switch (command) {
    case "cancel":
      return page.cancelPremove();
    case "resign":
      if (isOver(session.game)) return t("typed_over");
      page.confirmResignation();
      return null;
    case "accept":
    case "decline": {
      const [offer] = pendingOffers(session.game);
      if (!offer) return t("nothing_to_answer");
      session.sendAction({ type: command === "accept" ? offer.accept : offer.decline });
      return null;
    }
    default:
      session.sendAction({ type: command });
      return null;
  }
}

function announceClocks(session: GameSession): ErrorText {
  const time = (color: Color): string | null => {
    const ms = remainingTime(session.game.state, color, session.connection.now());
    if (ms === null) return null;
    const { main, days } = formatTime(ms);
    return days ? t("days", { ...days }) : main;
  };
  const colors = colorsOf(session.game);
  const times = colors.map(time);
  const [white, black] = times;
  if (!white || !black) return t("typed_no_clock");
  const texts = colors.map((color, index) => t("clock_of_four", { side: t(color), time: times[index] ?? "" }));
  session.showNote(colors.length === 2 ? t("clock_words", { white, black }) : texts.join(", "));
  return null;
}

export function Command({ page }: { page: PageActions }) {
  const session = useSession();
  const { game } = session;
  const input = useRef<HTMLInputElement>(null);
  const isPlaying = isInGame(game) && game.state.status === "started";
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const field = input.current;
    if (!field) return;
    const line = field.value;
    field.value = "";
    session.clearProblem();
    const fault = await execute(session, page, line);
    if (fault) session.showProblem(fault);
    session.notify();
  };
  // On the opponent's turn, the last move was the player's own.
  const example = (isMyTurn(game) ? null : game.history.at(-1)?.uci) ?? game.state.moves[0] ?? "";
  return (
    <div class="g-typed">
      {isPlaying && (
        <form onSubmit={(event) => void submit(event)}>
          <label class="unseen" for="g-command">
            {t("typed_label")}
          </label>
          <input
            id="g-command"
            ref={input}
            type="text"
            autoComplete="off"
            autoCapitalize="off"
            spellcheck={false}
            maxLength={MAX_LENGTH}
            placeholder={t("typed_place", { example: example || "e4" })}
            aria-describedby="g-problem"
            aria-invalid={session.problem ? "true" : undefined}
          />
          <button type="submit" class="g-button">
            {t("typed_send")}
          </button>
        </form>
      )}
      <p id="g-problem" class="g-problem" role="alert">
        {session.problem}
      </p>
      {session.note && (
        <p class="g-note" aria-hidden="true">
          {session.note}
        </p>
      )}
    </div>
  );
}
