/** The action bars: those of a player, and those of the board. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { setSound, isSoundOn, onSoundChange } from "../board/sounds.ts";
import { mustConfirmActions } from "../common/settings.ts";
import type { BoardLook } from "./board.tsx";
import { Bulb, Check, Cross, Diamond, Flag, Flip, Half, Loud, Plus, Question, Quiet, Square, Undo } from "./icons.tsx";
import { isAgainstEngine } from "./record.ts";
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
  confirm: (what: Confirming) => void;
}

const focus = (button: HTMLButtonElement | null): void => button?.focus();

/** Asks for confirmation of an action. */
function ConfirmAction({ what, onConfirm, cancel }: { what: "resign" | "draw"; onConfirm: () => void; cancel: () => void }) {
  return (
    <div
      class="g-bar g-sure"
      role="group"
      aria-label={t(`${what}_sure`)}
      onKeyDown={(event) => event.key === "Escape" && cancel()}
    >
      <p>{t(`${what}_sure`)}</p>
      <button
        type="button"
        class={`g-button ${what === "resign" ? "g-danger" : "g-good"}`}
        ref={focus}
        // The second click of a double click must not confirm.
        onClick={(event) => event.detail < 2 && onConfirm()}
      >
        <Check /> {t(`${what}_yes`)}
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
  const { isWaiting, act } = useSingleAction();
  const { game } = session;
  const { you, state } = game;
  if (!you || state.status !== "started") return null;
  const early = state.ply < 2;
  const taken = state.turn === you ? 2 : 1;
  if (confirming) {
    const onConfirm = (): void => {
      confirm(null);
      session.act({ type: confirming });
    };
    return <ConfirmAction what={confirming} onConfirm={onConfirm} cancel={() => confirm(null)} />;
  }
  const ask = (what: "resign" | "draw"): void => (mustConfirmActions() ? confirm(what) : act({ type: what }));
  return (
    <div class="g-bar" role="group" aria-label={t("actions")}>
      <ActionButton
        label={t(state.offers.takeback === you ? "takeback_asked" : "takeback")}
        title={t("takeback_title")}
        disabled={isWaiting || state.ply < taken || state.offers.takeback === you}
        onClick={() => act({ type: "takeback" })}
      >
        <Undo />
      </ActionButton>
      <ActionButton
        label={t(state.offers.draw === you ? "draw_offered" : "draw")}
        title={t("draw_title")}
        disabled={isWaiting || early || state.offers.draw === you}
        onClick={() => ask("draw")}
      >
        <Half />
      </ActionButton>
      {game.clock?.kind === "live" && !isAgainstEngine(game) && (
        <ActionButton
          label={t("give_time")}
          title={t("give_time_title")}
          disabled={isWaiting}
          onClick={() => act({ type: "give_time" })}
        >
          <Plus />
        </ActionButton>
      )}
      {isAgainstEngine(game) && (
        <ActionButton
          label={t("hint")}
          title={t("hint_title")}
          disabled={state.turn !== you || session.isLoadingHint}
          onClick={() => void session.loadHint()}
        >
          <Bulb />
        </ActionButton>
      )}
      {early ? (
        <ActionButton label={t("abort")} onClick={() => session.act({ type: "abort" })}>
          <Cross />
        </ActionButton>
      ) : (
        <ActionButton label={t("resign")} onClick={() => ask("resign")}>
          <Flag />
        </ActionButton>
      )}
    </div>
  );
}

interface Tools {
  look: BoardLook;
  setLook: (look: BoardLook) => void;
  openHelp: () => void;
}

/** The board's view, orientation and sound. */
export function BoardTools({ look, setLook, openHelp }: Tools) {
  const [isLoud, setLoud] = useState(isSoundOn);
  // The preferences in the top bar change it too.
  useEffect(() => onSoundChange(setLoud), []);
  const diamond = look.view === "diamond";
  return (
    <div class="g-bar g-tools" role="group" aria-label={t("board")}>
      <ActionButton
        label={t("flip")}
        title={t("flip_title")}
        onClick={() => setLook({ ...look, flipped: !look.flipped })}
      >
        <Flip />
      </ActionButton>
      <ActionButton
        label={t("view")}
        title={t(diamond ? "view_square" : "view_diamond")}
        onClick={() => setLook({ ...look, view: diamond ? "square" : "diamond" })}
      >
        {diamond ? <Square /> : <Diamond />}
      </ActionButton>
      <ActionButton
        label={t("sound")}
        title={t(isLoud ? "sound_off" : "sound_on")}
        pressed={isLoud}
        onClick={() => setSound(!isLoud)}
      >
        {isLoud ? <Loud /> : <Quiet />}
      </ActionButton>
      <ActionButton label={t("help")} title={t("help_title")} onClick={openHelp}>
        <Question />
      </ActionButton>
    </div>
  );
}
