/** Announcements of changes of a game. The board itself announces moves. */
import { type Game, isOver, opposite } from "./record.ts";
import { t } from "./texts.ts";
import { nameOf, resultText } from "./game_text.ts";

/**
 * The announcement of the changes between two states; empty for none. `metOpponent`: the opponent was here before and
 * can come back.
 */
export function announcementOf(before: Game, after: Game, metOpponent: boolean): string {
  const texts: string[] = [];
  const [oldState, newState] = [before.state, after.state];
  if (oldState.status === "waiting" && newState.status === "started" && before.you) {
    texts.push(t("has_joined", { name: nameOf(after, opposite(before.you)) }));
  }
  if (newState.ply < oldState.ply) texts.push(t("taken_back"));
  texts.push(...offers(before, after), ...presenceChanges(before, after, metOpponent));
  if (!isOver(before) && isOver(after)) texts.push(resultText(after));
  return texts.join(" ");
}

/** The offers, with the texts for the opponent's and one's own. */
const OFFERS = [
  ["draw", "offers_draw", "you_offer_draw"],
  ["takeback", "asks_takeback", "you_ask_takeback"],
  ["rematch", "offers_rematch", "you_offer_rematch"],
] as const;

/** If a clock gains more than this without a move, the opponent gave time. */
const MIN_GIFT_MS = 5_000;

function timeGifts(before: Game, after: Game): string[] {
  const [oldClocks, newClocks] = [before.state.clocks, after.state.clocks];
  if (!oldClocks || !newClocks || after.clock?.kind !== "live" || before.state.ply !== after.state.ply) return [];
  return (["white", "black"] as const)
    .filter((side) => newClocks[`${side}_ms`] - oldClocks[`${side}_ms`] > MIN_GIFT_MS)
    .map((side) => t("was_given_time", { name: nameOf(after, side) }));
}

function offers(before: Game, after: Game): string[] {
  const [oldOffers, newOffers] = [before.state.offers, after.state.offers];
  const texts: string[] = [];
  for (const [kind, opponentText, ownText] of OFFERS) {
    const by = newOffers[kind];
    if (!by || by === oldOffers[kind]) continue;
    texts.push(by === after.you ? t(ownText) : t(opponentText, { name: nameOf(after, by) }));
  }
  texts.push(...timeGifts(before, after));
  const isOngoing = after.state.status === "started";
  if (isDrawDeclined(before, after)) texts.push(t("draw_declined"));
  const isSamePly = before.state.ply === after.state.ply;
  if (oldOffers.takeback && !newOffers.takeback && isOngoing && isSamePly) texts.push(t("takeback_declined"));
  return texts;
}

/** Whether the viewer's draw offer was declined. */
export function isDrawDeclined(before: Game, after: Game): boolean {
  const [oldOffer, newOffer] = [before.state.offers.draw, after.state.offers.draw];
  return Boolean(oldOffer && !newOffer && oldOffer === after.you && after.state.status === "started");
}

function presenceChanges(before: Game, after: Game, metOpponent: boolean): string[] {
  if (!after.you || after.state.status !== "started" || before.state.status !== "started") return [];
  const opponent = opposite(after.you);
  const [wasPresent, isPresent] = [before.state.present[opponent], after.state.present[opponent]];
  if (wasPresent === isPresent || (isPresent && !metOpponent)) return [];
  return [t(isPresent ? "is_back" : "has_left", { name: nameOf(after, opponent) })];
}
