/** Texts of errors, in the language of the page. */
import { ApiError, type Schemas } from "./api.ts";
import { addTexts, t } from "./texts.ts";

addTexts({
  "fault.network": "The server does not respond. Check your connection and try again.",
  "fault.wait": "Too many requests. Wait a moment and try again.",
  "fault.other": "Failed: {detail}",
  "fault.not_there": "This server does not support that.",
  "fault.too_long": "The text has {size} bytes. At most {most} are allowed.",
});

const REFUSALS: Readonly<Record<string, string>> = {
  "refused.not_a_player": "Only the players of this game can do that.",
  "refused.game_over": "The game is over.",
  "refused.game_not_over": "The game is not over yet.",
  "refused.not_started": "The game has not started. It still needs a player.",
  "refused.not_your_turn": "It is not your turn.",
  "refused.wrong_ply": "The position has changed. Check the board and try again.",
  "refused.illegal_move": "This is not a legal move.",
  "refused.too_late_to_abort": "It is too late to abort. You can resign.",
  "refused.nothing_offered": "There is no offer.",
  "refused.already_offered": "This has already been offered.",
  "refused.declined": "This was declined. You can ask again after a move.",
  "refused.too_early": "You can offer a draw once both sides have moved.",
  "refused.nothing_to_take_back": "You have no move to take back.",
  "refused.nothing_to_claim": "There is nothing to claim.",
  "refused.no_clock": "This game has no clock.",
  "refused.too_many_gifts": "You cannot give more time in this game.",
  "refused.gift_too_soon": "You can give time once per second.",
  "refused.place_taken": "Another player was faster and joined the game.",
  "refused.gone": "The other player has left.",
  "refused.muted": "You cannot chat here at the moment.",
  "refused.banned": "Your network is banned from this site.",
  "refused.common_password": "This password is easy to guess. Choose another.",
  "refused.against_person": "This is only possible against the engine.",
  "refused.too_many_engine_games": "You have too many open games against the engine. Finish one, or try again in a minute.",
  "refused.too_many_reviews": "You have 3 reviews in the making. Wait for one to end, or cancel one.",
  "refused.rating_out_of_range": "Your rating is outside the range of this game.",
  "refused.busy": "The engine is busy. Try again in a moment.",
  "refused.server_busy": "The server is busy. Try again in a moment.",
  "refused.chat_refused": "Message not sent. Messages are one line of at most 300 characters and cannot be repeated.",
  "refused.unavailable": "The server could not save that. Try again in a moment.",
  "refused.sign_in": "Sign in first.",
  "refused.not_found": "This does not exist, or no longer exists.",
  "refused.own_game": "Closed to you until your game is over.",
  "refused.internal": "Server error. Try again in a moment.",
};

addTexts(REFUSALS);

/** The text of a refusal by its code; null if there is only the server's detail. */
function refusal({ code }: Schemas["Problem"]): string | null {
  const key = `refused.${code}`;
  return key in REFUSALS ? t(key) : null;
}

/** The text of an error response. */
export function problemText(problem: Schemas["Problem"]): string {
  const text = refusal(problem);
  if (text === null && problem.status === 429) return t("fault.wait");
  return text ?? t("fault.other", { detail: problem.detail });
}

/** A fault that the page finds before it sends anything; its message is in the language of the page. */
export class InputError extends Error {}

/** Refuses a text of more bytes than the label of its field allows: the server's limits of whole requests are others. */
export function checkSize(text: string, maxBytes: number): void {
  const size = new TextEncoder().encode(text).length;
  if (size <= maxBytes) return;
  const number = (count: number): string => count.toLocaleString(document.documentElement.lang);
  throw new InputError(t("fault.too_long", { size: number(size), most: number(maxBytes) }));
}

/** The text of an error. `ownTexts` has the page's own texts by error code. */
export function errorText(fault: unknown, ownTexts: Readonly<Record<string, string>> = {}): string {
  if (fault instanceof ApiError) {
    const key = ownTexts[fault.problem.code];
    if (key !== undefined) return t(key);
    return problemText(fault.problem);
  }
  if (fault instanceof InputError) return fault.message;
  if (fault instanceof SyntaxError) return t("fault.not_there");
  return t("fault.network");
}

export function status(fault: unknown): number | null {
  return fault instanceof ApiError ? fault.problem.status : null;
}
