/** Announcements of changes of a game. The board itself announces moves. */
import { WHITE_AND_BLACK } from "../board/colors.ts";
import { type Color, type Game, isOver, passedColors } from "./record.ts";
import { colorsOf, isMulti, isPresent, otherColors, partnerOf, playerOf, seatOf } from "./seats.ts";
import { t } from "./texts.ts";
import { calledOf, nameOf, resultText } from "./game_text.ts";

/**
 * The announcement of the changes between two states; empty for none. `met`: the players who were here
 * before and can come back.
 */
export function announcementOf(before: Game, after: Game, met: ReadonlySet<Color>): string {
  const texts: string[] = [];
  const [oldState, newState] = [before.state, after.state];
  if (oldState.status === "waiting" && before.you) texts.push(...joined(before, after));
  if (newState.ply < oldState.ply) texts.push(t("taken_back"));
  texts.push(...exitsAndPasses(before, after), ...offers(before, after), ...presenceChanges(before, after, met));
  if (!isOver(before) && isOver(after)) texts.push(resultText(after));
  return texts.join(" ");
}

function joined(before: Game, after: Game): string[] {
  const names = colorsOf(after).filter((color) => playerOf(after, color) && !playerOf(before, color));
  if (!isMulti(after)) return after.state.status === "started" ? names.map((color) => t("has_joined", { name: nameOf(after, color) })) : [];
  const texts = names.map((color) => t("joins_as", { name: nameOf(after, color), side: t(color) }));
  return after.state.status === "started" ? [...texts, t("game_starts")] : texts;
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
  return WHITE_AND_BLACK
    .filter((side) => newClocks[`${side}_ms`] - oldClocks[`${side}_ms`] > MIN_GIFT_MS)
    .map((side) => t("was_given_time", { name: nameOf(after, side) }));
}

function offers(before: Game, after: Game): string[] {
  const [oldOffers, newOffers] = [before.state.offers, after.state.offers];
  const texts: string[] = [];
  for (const [kind, opponentText, ownText] of OFFERS) {
    const by = newOffers[kind];
    if (!by || by === oldOffers[kind]) continue;
    texts.push(by === after.you ? t(ownText) : t(opponentText, { name: calledOf(after, by) }));
  }
  texts.push(...wishes(before, after));
  texts.push(...timeGifts(before, after));
  const isOngoing = after.state.status === "started";
  if (isDrawDeclined(before, after)) texts.push(t("draw_declined"));
  const isSamePly = before.state.ply === after.state.ply;
  if (oldOffers.takeback && !newOffers.takeback && isOngoing && isSamePly) texts.push(t("takeback_declined"));
  return texts;
}

/** Of four players: who agrees to a draw that another player has offered, and a partner who wants to resign. */
function wishes(before: Game, after: Game): string[] {
  const [oldState, newState] = [before.state, after.state];
  return otherColors(after).flatMap((color) => {
    const [old, now] = [seatOf(oldState, color), seatOf(newState, color)];
    if (!old || !now) return [];
    const agrees = now.agrees && !old.agrees && newState.offers.draw !== color;
    const resigns = now.resigns && !old.resigns && partnerOf(after, color) === after.you;
    return [
      ...(agrees ? [t("agrees_to_draw", { name: calledOf(after, color) })] : []),
      ...(resigns ? [t("wants_to_resign", { name: calledOf(after, color) })] : []),
    ];
  });
}

/** Of three or four players: who goes out, and who has no legal move and passes. */
function exitsAndPasses(before: Game, after: Game): string[] {
  if (!isMulti(after) || after.state.ply <= before.state.ply) return [];
  const exits = colorsOf(after).flatMap((color) => {
    const exit = seatOf(after.state, color)?.exit;
    return exit && !seatOf(before.state, color)?.exit ? [t(`goes_out_${exit}`, { name: t(color) })] : [];
  });
  return [...exits, ...passedColors(after).map((color) => t("has_passed", { name: t(color) }))];
}

/** Whether the viewer's draw offer was declined. */
export function isDrawDeclined(before: Game, after: Game): boolean {
  const [oldOffer, newOffer] = [before.state.offers.draw, after.state.offers.draw];
  const wasOwn = oldOffer === after.you || (seatOf(before.state, after.you)?.agrees ?? false);
  return Boolean(oldOffer && !newOffer && wasOwn && after.state.status === "started");
}

function presenceChanges(before: Game, after: Game, met: ReadonlySet<Color>): string[] {
  if (!after.you || after.state.status !== "started" || before.state.status !== "started") return [];
  return otherColors(after).flatMap((color) => {
    const isHere = isPresent(after.state, color);
    if (isPresent(before.state, color) === isHere || (isHere && !met.has(color))) return [];
    return [t(isHere ? "is_back" : "has_left", { name: calledOf(after, color) })];
  });
}
