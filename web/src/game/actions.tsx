/** The action bars: those of a player, and those of the board. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { RulesButton } from "../common/rules_button.tsx";
import { setSound, isSoundOn, onSoundChange } from "../board/sounds.ts";
import { mustConfirmActions } from "../common/settings.ts";
import type { DisplayOptions } from "./board.tsx";
import { Bulb, Check, Cross, Diamond, Flag, Flip, Half, SoundOn, Plus, Question, SoundOff, Square, Undo } from "./icons.tsx";
import { isAgainstEngine } from "./record.ts";
import { colorsOf, isInGame, seatOf } from "./seats.ts";
import { t } from "./texts.ts";
import { useSingleAction, useSession } from "./hooks.ts";

interface ButtonProps {
  label: string;
  title?: string;
  kind?: string;
  disabled?: boolean;
  pressed?: boolean;
  onClick: () => void;
  children: ComponentChildren;
}

export function ActionButton({ label, title, kind, disabled, pressed, onClick, children }: ButtonProps) {
  return (
    <button
      type="button"
      class={`g-action${kind ? ` g-${kind}` : ""}`}
      title={title ?? label}
      disabled={disabled}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {children}
      <span>{label}</span>
    </button>
  );
}

/** The action to confirm. */
export type Confirming = "resign" | "draw" | null;

interface Confirmation {
  confirming: Confirming;
  confirm: (action: Confirming) => void;
}

const focus = (button: HTMLButtonElement | null): void => button?.focus();

/** Asks for confirmation of an action. */
function ConfirmAction({ action, onConfirm, cancel }: { action: "resign" | "draw"; onConfirm: () => void; cancel: () => void }) {
  return (
    <div
      class="g-bar g-sure"
      role="group"
      aria-label={t(`${action}_sure`)}
      onKeyDown={(event) => event.key === "Escape" && cancel()}
    >
      <p>{t(`${action}_sure`)}</p>
      <button
        type="button"
        class={`g-button ${action === "resign" ? "g-danger" : "g-good"}`}
        ref={focus}
        // The second click of a double click must not confirm.
        onClick={(event) => event.detail < 2 && onConfirm()}
      >
        <Check /> {t(`${action}_yes`)}
      </button>
      <button type="button" class="g-button" onClick={cancel}>
        <Cross /> {t("cancel")}
      </button>
    </div>
  );
}

/** The actions of a player in a running game. */
export function PlayActions({ confirming, confirm }: Confirmation) {
  const session = useSession();
  const { isWaiting, sendOnce } = useSingleAction();
  const { game } = session;
  const { you, state } = game;
  if (!you || state.status !== "started" || !isInGame(game)) return null;
  const seat = seatOf(state, you);
  const canAbort = state.ply < colorsOf(game).length;
  const isDrawOffered = state.offers.draw === you || (seat?.agrees ?? false);
  const takebackPlies = state.turn === you ? 2 : 1;
  if (confirming) {
    const onConfirm = (): void => {
      confirm(null);
      session.sendAction({ type: confirming });
    };
    return <ConfirmAction action={confirming} onConfirm={onConfirm} cancel={() => confirm(null)} />;
  }
  const confirmIfNeeded = (action: "resign" | "draw"): void => (mustConfirmActions() ? confirm(action) : sendOnce({ type: action }));
  return (
    <div class="g-bar" role="group" aria-label={t("actions")}>
      {!game.rated && (!seat || isAgainstEngine(game)) && (
        <ActionButton
          label={t(state.offers.takeback === you ? "takeback_asked" : "takeback")}
          title={t("takeback_title")}
          disabled={isWaiting || state.ply < takebackPlies || state.offers.takeback === you}
          onClick={() => sendOnce({ type: "takeback" })}
        >
          <Undo />
        </ActionButton>
      )}
      <ActionButton
        label={t(isDrawOffered ? (seat ? "draw_agreed" : "draw_offered") : "draw")}
        title={t("draw_title")}
        disabled={isWaiting || canAbort || isDrawOffered}
        onClick={() => confirmIfNeeded("draw")}
      >
        <Half />
      </ActionButton>
      {game.clock?.kind === "live" && !game.rated && !seat && !isAgainstEngine(game) && (
        <ActionButton
          label={t("give_time")}
          title={t("give_time_title")}
          disabled={isWaiting}
          onClick={() => sendOnce({ type: "give_time" })}
        >
          <Plus />
        </ActionButton>
      )}
      {!seat && isAgainstEngine(game) && (
        <ActionButton
          label={t("hint")}
          title={t("hint_title")}
          disabled={state.turn !== you || session.isLoadingHint}
          onClick={() => void session.loadHint()}
        >
          <Bulb />
        </ActionButton>
      )}
      {canAbort ? (
        <ActionButton label={t("abort")} onClick={() => session.sendAction({ type: "abort" })}>
          <Cross />
        </ActionButton>
      ) : (
        <ActionButton label={t("resign")} disabled={seat?.resigns} onClick={() => confirmIfNeeded("resign")}>
          <Flag />
        </ActionButton>
      )}
    </div>
  );
}

interface Tools {
  display: DisplayOptions;
  setDisplay: (display: DisplayOptions) => void;
  flip: () => void;
  openHelp: () => void;
}

/** The board's view, orientation and sound. */
export function BoardTools({ display, setDisplay, flip, openHelp }: Tools) {
  const [isSoundEnabled, setSoundEnabled] = useState(isSoundOn);
  // The preferences in the top bar change it too.
  useEffect(() => onSoundChange(setSoundEnabled), []);
  const diamond = display.view === "diamond";
  return (
    <div class="g-bar g-tools" role="group" aria-label={t("board")}>
      <ActionButton
        label={t("flip")}
        title={t("flip_title")}
        onClick={flip}
      >
        <Flip />
      </ActionButton>
      <ActionButton
        label={t("view")}
        title={t(diamond ? "view_square" : "view_diamond")}
        onClick={() => setDisplay({ ...display, view: diamond ? "square" : "diamond" })}
      >
        {diamond ? <Square /> : <Diamond />}
      </ActionButton>
      <ActionButton
        label={t("sound")}
        title={t(isSoundEnabled ? "sound_off" : "sound_on")}
        pressed={isSoundEnabled}
        onClick={() => setSound(!isSoundEnabled)}
      >
        {isSoundEnabled ? <SoundOn /> : <SoundOff />}
      </ActionButton>
      <RulesButton />
      <ActionButton label={t("help")} title={t("help_title")} onClick={openHelp}>
        <Question />
      </ActionButton>
    </div>
  );
}
