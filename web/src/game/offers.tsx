/** The opponent's offers, and draws and wins that can be claimed. */
import type { ComponentChildren } from "preact";
import type { Action } from "./connection.ts";
import { type Color, type Game, opponent, other } from "./record.ts";
import { t } from "./texts.ts";
import { useSingleAction, useSession, useTick } from "./hooks.ts";
import { nameOf } from "./game_text.ts";

interface Offer {
  key: string;
  text: string;
  accept: Action["type"] & ("draw" | "takeback" | "rematch");
  decline: Action["type"] & ("decline_draw" | "decline_takeback" | "decline_rematch");
}

/** The offers of the opponent. */
export function pendingOffers(game: Game): Offer[] {
  const { you, state } = game;
  if (!you) return [];
  const name = nameOf(game, other(you));
  const theirs = (by: Color | null | undefined): boolean => by === other(you);
  const found: Offer[] = [];
  if (theirs(state.offers.draw)) {
    found.push({ key: "draw", text: t("offers_draw", { name }), accept: "draw", decline: "decline_draw" });
  }
  if (theirs(state.offers.takeback)) {
    const text = t("asks_takeback", { name });
    found.push({ key: "takeback", text, accept: "takeback", decline: "decline_takeback" });
  }
  if (theirs(state.offers.rematch)) {
    const text = t("offers_rematch", { name });
    found.push({ key: "rematch", text, accept: "rematch", decline: "decline_rematch" });
  }
  return found;
}

function Banner({ text, children }: { text: string; children: ComponentChildren }) {
  return (
    <div class="g-banner">
      <p>{text}</p>
      {children && <div class="g-answers">{children}</div>}
    </div>
  );
}

export function Offers() {
  const session = useSession();
  const { isWaiting, act } = useSingleAction();
  const { game } = session;
  const { you, state } = game;
  if (!you) return null;
  const claimable = state.claim && state.turn === you;
  return (
    <div class="g-offers">
      {pendingOffers(game).map(({ key, text, accept, decline }) => (
        <Banner key={key} text={text}>
          <button type="button" class="g-button g-good" disabled={isWaiting} onClick={() => act({ type: accept })}>
            {t("accept")}
          </button>
          <button type="button" class="g-button" disabled={isWaiting} onClick={() => act({ type: decline })}>
            {t("decline")}
          </button>
        </Banner>
      ))}
      {claimable && (
        <Banner text={t(state.claim === "repetition" ? "claim_repetition" : "claim_move_count")}>
          <button type="button" class="g-button g-good" onClick={() => session.act({ type: "claim" })}>
            {t("claim_draw")}
          </button>
        </Banner>
      )}
      <OpponentLeft />
    </div>
  );
}

/** The opponent has left: the time until the win can be claimed. */
function OpponentLeft() {
  const session = useSession();
  const { game } = session;
  const { you, state } = game;
  const at = state.claim_victory_at;
  // Without a connection the viewer may be the one who is absent.
  const here = session.link === "open";
  const gone = Boolean(at && here && you && opponent(game) && !state.present[other(you)]);
  const started = state.status === "started";
  useTick(gone && started ? 500 : null);
  if (!gone || !at || !started) return null;
  const seconds = Math.ceil((at - session.connection.now()) / 1000);
  if (seconds > 0) return <Banner text={t("left_wait", { seconds })}>{null}</Banner>;
  return (
    <Banner text={t("left_now")}>
      <button type="button" class="g-button g-good" onClick={() => session.act({ type: "claim" })}>
        {t("claim_victory")}
      </button>
    </Banner>
  );
}
