/** Texts of errors, in the language of the page. */
import { ApiError, type Schemas } from "./api.ts";
import { addTexts, t } from "./texts.ts";

addTexts({
  "fault.network": "The server does not respond. Check your connection and try again.",
  "fault.wait": "Too many requests. Wait a moment and try again.",
  "fault.other": "That did not work. The server says: {detail}",
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
  "refused.rated_game": "Rated games have no takebacks and no extra time.",
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
  "refused.rated_needs_account": "Sign in to play a rated game.",
  "refused.needs_account": "Sign in to do that.",
  "refused.rated_terms": "Rated games are between people, with a clock, from the starting position.",
  "refused.rated_by_users": "Games that users have made are not rated.",
  "refused.own_seek": "This is your own game offer.",
  "refused.own_challenge": "You cannot challenge yourself.",
  "refused.too_many_challenges": "There is already an open challenge between you, or too many challenges are open.",
  "refused.own_line": "You cannot report your own message.",
  "refused.comments_muted": "You cannot comment at the moment.",
  "refused.too_many_comments": "This game has 1,000 comments, which is the limit.",
  "refused.study_read_only": "You can read this study, but not edit it.",
  "refused.not_own_study": "Only the owner of the study can do that.",
  "refused.own_study": "The study is yours already.",
  "refused.too_many_members": "A study has at most 30 members.",
  "refused.too_many_studies": "The limit is 200 studies, 64 chapters in a study, and 32 MiB in all chapters.",
  "refused.game_in_progress": "The game is not over yet.",
  "refused.puzzle_not_tried": "Try the puzzle before you vote on it.",
  "refused.password_length": "Passwords have 8 to 200 characters.",
  "refused.email_address": "This is not an email address.",
  "refused.name_taken": "This name is taken, or looks like one that is. Choose another.",
  "refused.signed_in": "You are signed in already.",
  "refused.second_factor_on": "Two-factor authentication is on already.",
  "refused.second_factor_off": "Two-factor authentication is off already.",
  "refused.second_factor_expired": "The setup has expired. Start again.",
  "refused.too_many_tokens": "You have 20 tokens, which is the limit. Delete one first.",
  "refused.has_played": "Only an account that has not played can become a bot account.",
  "refused.too_many_games": "You have 20 games, which is the limit. Archive one first.",
  "refused.too_many_versions": "This game has 100 versions, which is the limit.",
  "refused.game_name_taken": "There is a public game of this name, or of one that looks like it. Choose another name.",
  "refused.published": "Published games cannot be deleted. You can archive this one.",
  "refused.too_many_pictures": "You have 200 pictures, which is the limit.",
  "refused.too_many_imports": "You have too many imported games.",
  "refused.measurement_running": "You have a measurement in the queue already.",
  "refused.too_many_measurements": "You have asked for five measurements today. Try again tomorrow.",
  "refused.lobby_full": "The lobby is full. Try again in a moment.",
  "refused.too_many_seeks": "You have too many open game offers. Cancel one first.",
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
