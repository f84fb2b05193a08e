/** The texts of the game page's help, in English; they are loaded with it. */
import { addTexts, t as look, withPrefix } from "../common/texts.ts";

export const HELP_ENGLISH = {
  keys_title: "Keyboard shortcuts",
  keys_back: "previous move",
  keys_on: "next move",
  keys_first: "first position",
  keys_last: "latest position",
  keys_flip: "flip the board",
  keys_zen: "zen mode: only the board and the clocks",
  keys_type: "type a move",
  keys_chat: "write to the chat",
  keys_help: "this help",
  keys_board: "On the board: arrow keys move between squares, Enter selects and moves, Escape cancels. Shift and arrow keys scroll a board without edges.",
  words_title: "Commands",
  words_move: "play a move, also as e4 or Nf3",
  words_cancel: "cancel your premove",
  words_draw: "offer or accept a draw",
  words_resign: "resign",
  words_takeback: "propose a takeback",
  words_clock: "announce the clocks",
  words_last: "announce the last move",
  words_yes: "accept or decline an offer",
  words_abort: "abort a game that has just started",
  mouse_title: "Mouse",
  mouse_draw: "Right button: arrows and circles. Shift: red. Alt: blue.",
  mouse_premove: "Premove: enter or type a move (e2e4) during your opponent's turn. It is played as soon as it is your turn.",
} as const;

export type HelpText = keyof typeof HELP_ENGLISH;

const PREFIX = "game.";

addTexts(withPrefix(PREFIX, HELP_ENGLISH));

/** A text of the help. */
export const helpText = (key: HelpText): string => look(PREFIX + key);
