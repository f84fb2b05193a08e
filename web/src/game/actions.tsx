/** What a player can do besides moving, and what may be done with the board. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { setSound, soundOn, watchSound } from "../board/sounds.ts";
import type { Look } from "./board.tsx";
import { Bulb, Check, Cross, Diamond, Flag, Flip, Half, Loud, Plus, Question, Quiet, Square, Undo } from "./icons.tsx";
import { withEngine } from "./record.ts";
import { t } from "./texts.ts";
import { useSession } from "./use.ts";

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

interface Asking {
  resigning: boolean;
  setResigning: (on: boolean) => void;
}

const focus = (button: HTMLButtonElement | null): void => button?.focus();

/** The bar of a player whose game goes on. */
export function PlayActions({ resigning, setResigning }: Asking) {
  const session = useSession();
  const { game } = session;
  const { you, state } = game;
  if (!you || state.status !== "started") return null;
  const early = state.ply < 2;
  const taken = state.turn === you ? 2 : 1;
  if (resigning) {
    return (
      <div
        class="g-bar g-sure"
        role="group"
        aria-label={t("resign_sure")}
        onKeyDown={(event) => event.key === "Escape" && setResigning(false)}
      >
        <p>{t("resign_sure")}</p>
        <button
          type="button"
          class="g-button g-danger"
          ref={focus}
          onClick={() => {
            setResigning(false);
            session.act({ type: "resign" });
          }}
        >
          <Check /> {t("resign_yes")}
        </button>
        <button type="button" class="g-button" onClick={() => setResigning(false)}>
          <Cross /> {t("cancel")}
        </button>
      </div>
    );
  }
  return (
    <div class="g-bar" role="group" aria-label={t("actions")}>
      <ActionButton
        label={t(state.offers.takeback === you ? "takeback_asked" : "takeback")}
        title={t("takeback_title")}
        disabled={state.ply < taken || state.offers.takeback === you}
        onClick={() => session.act({ type: "takeback" })}
      >
        <Undo />
      </ActionButton>
      <ActionButton
        label={t(state.offers.draw === you ? "draw_offered" : "draw")}
        title={t("draw_title")}
        disabled={early || state.offers.draw === you}
        onClick={() => session.act({ type: "draw" })}
      >
        <Half />
      </ActionButton>
      {game.clock?.kind === "live" && !withEngine(game) && (
        <ActionButton
          label={t("give_time")}
          title={t("give_time_title")}
          onClick={() => session.act({ type: "give_time" })}
        >
          <Plus />
        </ActionButton>
      )}
      {withEngine(game) && (
        <ActionButton
          label={t("hint")}
          title={t("hint_title")}
          disabled={state.turn !== you || session.hinting}
          onClick={() => void session.askHint()}
        >
          <Bulb />
        </ActionButton>
      )}
      {early ? (
        <ActionButton label={t("abort")} onClick={() => session.act({ type: "abort" })}>
          <Cross />
        </ActionButton>
      ) : (
        <ActionButton label={t("resign")} onClick={() => setResigning(true)}>
          <Flag />
        </ActionButton>
      )}
    </div>
  );
}

interface Tools {
  look: Look;
  setLook: (look: Look) => void;
  openHelp: () => void;
}

/** The board's own bar: how it lies, and whether it is heard. */
export function BoardTools({ look, setLook, openHelp }: Tools) {
  const [loud, setLoud] = useState(soundOn);
  // The bar at the top of the page has a switch too.
  useEffect(() => watchSound(setLoud), []);
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
        title={t(loud ? "sound_off" : "sound_on")}
        pressed={loud}
        onClick={() => setSound(!loud)}
      >
        {loud ? <Loud /> : <Quiet />}
      </ActionButton>
      <ActionButton label={t("help")} title={t("help_title")} onClick={openHelp}>
        <Question />
      </ActionButton>
    </div>
  );
}
