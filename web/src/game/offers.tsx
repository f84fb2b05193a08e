/** The opponent's offers, and draws and wins that can be claimed. */
import type { ComponentChildren } from "preact";
import type { Action } from "./connection.ts";
import { type Color, type Game, opponent, opposite } from "./record.ts";
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
  const name = nameOf(game, opposite(you));
  const isByOpponent = (by: Color | null | undefined): boolean => by === opposite(you);
  const offers: Offer[] = [];
  if (isByOpponent(state.offers.draw)) {
    offers.push({ key: "draw", text: t("offers_draw", { name }), accept: "draw", decline: "decline_draw" });
  }
  if (isByOpponent(state.offers.takeback)) {
    const text = t("asks_takeback", { name });
    offers.push({ key: "takeback", text, accept: "takeback", decline: "decline_takeback" });
  }
  if (isByOpponent(state.offers.rematch)) {
    const text = t("offers_rematch", { name });
    offers.push({ key: "rematch", text, accept: "rematch", decline: "decline_rematch" });
  }
  return offers;
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
  const { isWaiting, sendOnce } = useSingleAction();
  const { game } = session;
  const { you, state } = game;
  if (!you) return null;
  const claimable = state.claim && state.turn === you;
  return (
    <div class="g-offers">
      {pendingOffers(game).map(({ key, text, accept, decline }) => (
        <Banner key={key} text={text}>
          <button type="button" class="g-button g-good" disabled={isWaiting} onClick={() => sendOnce({ type: accept })}>
            {t("accept")}
          </button>
          <button type="button" class="g-button" disabled={isWaiting} onClick={() => sendOnce({ type: decline })}>
            {t("decline")}
          </button>
        </Banner>
      ))}
      {claimable && (
        <Banner text={t(state.claim === "repetition" ? "claim_repetition" : "claim_move_count")}>
          <button type="button" class="g-button g-good" onClick={() => session.sendAction({ type: "claim" })}>
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
  const victoryAt = state.claim_victory_at;
  // Without a connection the viewer may be the one who is absent.
  const isConnected = session.link === "open";
  const hasLeft = Boolean(victoryAt && isConnected && you && opponent(game) && !state.present[opposite(you)]);
  const isStarted = state.status === "started";
  useTick(hasLeft && isStarted ? 500 : null);
  if (!hasLeft || !victoryAt || !isStarted) return null;
  const seconds = Math.ceil((victoryAt - session.connection.now()) / 1000);
  if (seconds > 0) return <Banner text={t("left_wait", { seconds })}>{null}</Banner>;
  return (
    <Banner text={t("left_now")}>
      <button type="button" class="g-button g-good" onClick={() => session.sendAction({ type: "claim" })}>
        {t("claim_victory")}
      </button>
    </Banner>
  );
}
