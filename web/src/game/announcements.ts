/** Announcements of changes of a game. The board itself announces moves. */
import { type Game, isOver, other } from "./record.ts";
import { t } from "./texts.ts";
import { nameOf, resultText } from "./game_text.ts";

/**
 * The announcement of the changes between two states; empty for none. `metOpponent`: the opponent was here before and
 * can come back.
 */
export function announcementOf(before: Game, after: Game, metOpponent: boolean): string {
  const texts: string[] = [];
  const [old, now] = [before.state, after.state];
  if (old.status === "waiting" && now.status === "started" && before.you) {
    texts.push(t("has_joined", { name: nameOf(after, other(before.you)) }));
  }
  if (now.ply < old.ply) texts.push(t("taken_back"));
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
const GIVEN_MS = 5_000;

function timeGifts(before: Game, after: Game): string[] {
  const [old, now] = [before.state.clocks, after.state.clocks];
  if (!old || !now || after.clock?.kind !== "live" || before.state.ply !== after.state.ply) return [];
  return (["white", "black"] as const)
    .filter((side) => now[`${side}_ms`] - old[`${side}_ms`] > GIVEN_MS)
    .map((side) => t("was_given_time", { name: nameOf(after, side) }));
}

function offers(before: Game, after: Game): string[] {
  const [old, now] = [before.state.offers, after.state.offers];
  const texts: string[] = [];
  for (const [what, theirs, yours] of OFFERS) {
    const by = now[what];
    if (!by || by === old[what]) continue;
    texts.push(by === after.you ? t(yours) : t(theirs, { name: nameOf(after, by) }));
  }
  texts.push(...timeGifts(before, after));
  const goesOn = after.state.status === "started";
  if (isDrawDeclined(before, after)) texts.push(t("draw_declined"));
  const same = before.state.ply === after.state.ply;
  if (old.takeback && !now.takeback && goesOn && same) texts.push(t("takeback_declined"));
  return texts;
}

/** Whether the viewer's draw offer was declined. */
export function isDrawDeclined(before: Game, after: Game): boolean {
  const [old, now] = [before.state.offers.draw, after.state.offers.draw];
  return Boolean(old && !now && old === after.you && after.state.status === "started");
}

function presenceChanges(before: Game, after: Game, metOpponent: boolean): string[] {
  if (!after.you || after.state.status !== "started" || before.state.status !== "started") return [];
  const them = other(after.you);
  const [was, is] = [before.state.present[them], after.state.present[them]];
  if (was === is || (is && !metOpponent)) return [];
  return [t(is ? "is_back" : "has_left", { name: nameOf(after, them) })];
}
