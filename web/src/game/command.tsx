/** The input line for moves and commands. */
import { useRef } from "preact/hooks";
import { left, written } from "./clock.ts";
import { type Color, isMyTurn, isOver, moveText } from "./record.ts";
import { questions } from "./offers.tsx";
import type { Session } from "./session.ts";
import { t } from "./texts.ts";
import { LONGEST, read, type Word } from "./typed.ts";
import { useSession } from "./use.ts";

/** The actions of the page. */
export interface Page {
  openHelp: () => void;
  zen: () => void;
  flip: () => void;
  askResign: () => void;
  /** Cancels premove, selection and drawings on the board. */
  cancelAll: () => void;
  /** Sets a premove; returns an error message, or null. */
  premove: (line: string) => Promise<string | null>;
  cancelPremove: () => string | null;
}

type Fault = string | null;

/** Executes a typed line; returns an error message, or null. */
export function carryOut(session: Session, page: Page, line: string): Fault | Promise<Fault> {
  const typed = read(line);
  if (!typed) return null;
  if (typed.kind === "word") return word(session, page, typed.word);
  const { game } = session;
  if (!game.you) return t("typed_watching");
  if (isOver(game)) return t("typed_over");
  if (game.state.status === "waiting") return t("typed_not_yours");
  if (!isMyTurn(game) || session.pending) return page.premove(typed.text);
  session.play(typed.text);
  return null;
}

function word(session: Session, page: Page, said: Word): Fault {
  const { game } = session;
  switch (said) {
    case "help":
      page.openHelp();
      return null;
    case "flip":
      page.flip();
      return null;
    case "clock":
      return tellClocks(session);
    case "last": {
      const last = game.history.length - 1;
      session.answer(last < 0 ? t("last_none") : t("last_words", { move: moveText(game, last) }));
      return null;
    }
    default:
      return game.you ? playersWord(session, page, said) : t("typed_watching");
  }
}

function playersWord(
  session: Session,
  page: Page,
  said: Exclude<Word, "help" | "flip" | "clock" | "last">,
): Fault {
  switch (said) {
    case "cancel":
      return page.cancelPremove();
    case "resign":
      if (isOver(session.game)) return t("typed_over");
      page.askResign();
      return null;
    case "accept":
    case "decline": {
      const [question] = questions(session.game);
      if (!question) return t("nothing_to_answer");
      session.act({ type: said === "accept" ? question.accept : question.decline });
      return null;
    }
    default:
      session.act({ type: said });
      return null;
  }
}

function tellClocks(session: Session): Fault {
  const time = (color: Color): string | null => {
    const ms = left(session.game.state, color, session.connection.now());
    if (ms === null) return null;
    const { main, days } = written(ms);
    return days ? t("days", { ...days }) : main;
  };
  const [white, black] = [time("white"), time("black")];
  if (white === null || black === null) return t("typed_no_clock");
  session.answer(t("clock_words", { white, black }));
  return null;
}

export function Command({ page }: { page: Page }) {
  const session = useSession();
  const { game } = session;
  const input = useRef<HTMLInputElement>(null);
  const plays = game.you && game.state.status === "started";
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const field = input.current;
    if (!field) return;
    const line = field.value;
    field.value = "";
    session.clearProblem();
    const fault = await carryOut(session, page, line);
    if (fault) session.complain(fault);
    session.touch();
  };
  // On the opponent's turn, the last move was the player's own.
  const example = (isMyTurn(game) ? null : game.history.at(-1)?.uci) ?? game.state.moves[0] ?? "";
  return (
    <div class="g-typed">
      {plays && (
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
            maxLength={LONGEST}
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
