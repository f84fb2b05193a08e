/** The others' offers, and draws and wins that can be claimed. */
import type { ComponentChildren } from "preact";
import type { Action } from "./connection.ts";
import { type Color, type Game, isOver } from "./record.ts";
import { colorsOf, hasTeams, isInGame, isPresent, otherColors, partnerOf, playerOf, seatOf } from "./seats.ts";
import { t } from "./texts.ts";
import { useSingleAction, useSession, useTick } from "./hooks.ts";
import { calledOf } from "./game_text.ts";

interface Offer {
  key: string;
  text: string;
  accept: Action["type"] & ("draw" | "takeback" | "rematch");
  decline: Action["type"] & ("decline_draw" | "decline_takeback" | "decline_rematch");
}

/** The offers of the others. */
export function pendingOffers(game: Game): Offer[] {
  const { you, state } = game;
  if (!you) return [];
  const { draw, takeback, rematch } = state.offers;
  const isByOther = (by: Color | null | undefined): by is Color => by !== null && by !== undefined && by !== you;
  const name = (by: Color): string => calledOf(game, by);
  const offers: Offer[] = [];
  if (isByOther(draw) && isInGame(game) && !seatOf(state, you)?.agrees) {
    const text = [t("offers_draw", { name: name(draw) }), agreementText(game)].filter(Boolean).join(" ");
    offers.push({ key: "draw", text, accept: "draw", decline: "decline_draw" });
  }
  if (isByOther(takeback)) {
    const text = t("asks_takeback", { name: name(takeback) });
    offers.push({ key: "takeback", text, accept: "takeback", decline: "decline_takeback" });
  }
  if (isByOther(rematch)) {
    const text = t("offers_rematch", { name: name(rematch) });
    offers.push({ key: "rematch", text, accept: "rematch", decline: "decline_rematch" });
  }
  return offers;
}

/** Of four players, how many of those still in the game agree to a draw. */
function agreementText({ state }: Game): string {
  const living = state.seats?.list.filter((seat) => seat.living);
  return living ? t("draw_count", { count: living.filter((seat) => seat.agrees).length, all: living.length }) : "";
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
      <Wishes />
      <OpponentLeft />
    </div>
  );
}

/** One's own agreement to a draw and wish to resign, which wait for others or for one's turn, and the wish of a partner. */
function Wishes() {
  const session = useSession();
  const { game } = session;
  const seat = seatOf(game.state, game.you);
  if (!game.you || !seat?.living || isOver(game)) return null;
  const partner = seatOf(game.state, partnerOf(game, game.you));
  const button = (text: string, type: Action["type"] & ("resign" | "decline_draw")) => (
    <button type="button" class="g-button" onClick={() => session.sendAction({ type })}>
      {text}
    </button>
  );
  return (
    <>
      {seat.agrees && <Banner text={agreementText(game)}>{button(t("cancel"), "decline_draw")}</Banner>}
      {seat.resigns && (
        <Banner text={t(hasTeams(game) ? "resign_together" : "resign_soon")}>{button(t("resign_not"), "resign")}</Banner>
      )}
      {partner?.resigns && !seat.resigns && (
        <Banner text={t("wants_to_resign", { name: calledOf(game, partner.color) })}>{button(t("resign_too"), "resign")}</Banner>
      )}
    </>
  );
}

/** The absent player against whom there may be a claim, and from when on: the opponent, and of four the player to move. */
function absentee(game: Game): { color: Color; claimableAt: number } | null {
  const { state, you } = game;
  const color = colorsOf(game).length === 2 ? otherColors(game)[0] : state.turn;
  const claimableAt = seatOf(state, color)?.claimable_at ?? state.claim_victory_at;
  if (!you || !color || color === you || color === partnerOf(game, you) || !claimableAt || !playerOf(game, color) || isPresent(state, color)) return null;
  return { color, claimableAt };
}

/** A player has left: the time until the win, or of four the place, can be claimed. */
function OpponentLeft() {
  const session = useSession();
  const { game } = session;
  const { state } = game;
  // Without a connection the viewer may be the one who is absent.
  const left = session.link === "open" && state.status === "started" && isInGame(game) ? absentee(game) : null;
  useTick(left ? 500 : null);
  if (!left) return null;
  const seat = seatOf(state, left.color);
  const name = calledOf(game, left.color);
  const seconds = Math.ceil((left.claimableAt - session.connection.now()) / 1000);
  if (seconds > 0) return <Banner text={t(seat ? "left_wait_four" : "left_wait", { name, seconds })}>{null}</Banner>;
  return (
    <Banner text={t(seat ? "left_now_four" : "left_now", { name })}>
      <button type="button" class="g-button g-good" onClick={() => session.sendAction({ type: "claim" })}>
        {t(seat ? "claim_seat" : "claim_victory")}
      </button>
    </Banner>
  );
}
