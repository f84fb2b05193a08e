/** Why the server says no, in the page's language: by the word for programs that every refusal has. */
import type { Schemas } from "./api.ts";
import { learn, t } from "./texts.ts";

const ENGLISH: Readonly<Record<string, string>> = {
  "refused.not_a_player": "Only those who play this game can do that.",
  "refused.game_over": "The game is over.",
  "refused.game_not_over": "The game is not over yet.",
  "refused.not_started": "The game has not begun: a place is still open.",
  "refused.not_your_turn": "It is not your turn.",
  "refused.wrong_ply": "The position has changed meanwhile. Look at the board and choose again.",
  "refused.illegal_move": "That is no move that can be played here.",
  "refused.too_late_to_abort": "It is too late to break the game off. You may resign.",
  "refused.nothing_offered": "Nothing has been offered.",
  "refused.already_offered": "That has been offered already.",
  "refused.declined": "That was declined. It can be asked for again after a move.",
  "refused.too_early": "A draw can be offered once both sides have moved.",
  "refused.nothing_to_take_back": "There is no move of yours to take back.",
  "refused.nothing_to_claim": "There is nothing to claim.",
  "refused.no_clock": "This game has no clock.",
  "refused.too_many_gifts": "You have given all the time that one game allows.",
  "refused.gift_too_soon": "Time can be given once a second.",
  "refused.place_taken": "Somebody else was faster: the place is taken.",
  "refused.gone": "The other player is not there any more.",
  "refused.muted": "You may not chat here at present.",
  "refused.banned": "This network is banned here.",
  "refused.against_person": "That is possible only against the engine.",
  "refused.too_many_engine_games": "You have too many open games against the engine. Finish one, or try again in a minute.",
  "refused.rating_out_of_range": "This game is for players of another rating.",
  "refused.busy": "The engine has too much to do. Try again in a moment.",
  "refused.server_busy": "The server is busy. Try again in a moment.",
  "refused.chat_refused": "That was not said: the chat takes one line of at most 300 characters, and no line twice in a row.",
  "refused.unavailable": "The server could not keep that. Try again in a moment.",
  "refused.sign_in": "Sign in first.",
  "refused.not_found": "That is not there, or not any more.",
  "refused.internal": "Something went wrong on the server. Try again in a moment.",
};

learn(ENGLISH);

/** A refusal as a sentence; null for one that only its own detail explains. */
export function refusal({ code }: Schemas["Problem"]): string | null {
  const key = `refused.${code}`;
  return key in ENGLISH ? t(key) : null;
}
