/** The texts of the lessons, in English; the keys of their translations begin with `learn.`. */
import { type Args, addTexts, t as look, withPrefix } from "../common/texts.ts";

export const ENGLISH = {
  loading: "Loading the lessons …",
  retry: "Try again",
  start: "Start",
  continue: "Continue",
  again: "Start again",
  complete: "You have solved all levels.",
  progress: "{solved} of {count} levels, {stars} of {most} stars",
  levels: "Levels",
  level_label: "Level {number}: {title}",
  level_solved: "{stars} of 3 stars",
  level_open: "not solved",
  number: "Level {number} of {count}",
  board: "Board",
  find: "Your move.",
  one_move: "Par: 1 move",
  par: "Par: {par} moves",
  moves: "Moves: {moves}",
  stars_left: "Stars on {squares}",
  collected: "Got it! Stars left on {squares}.",
  missed: "That does not reach the goal. Try again.",
  punished: "{move} is the answer. Try again.",
  arrow: "The arrow shows the move.",
  solved: "Solved! {stars} of 3 stars.",
  solved_slow: "It can be done in {par} moves.",
  solved_slow_one: "It can be done in one move.",
  next: "Next",
  finish: "Finish",
  skip: "Skip",
  back: "Back",
  restart: "Restart",
  hint: "Hint",
  no_move: "{move} is not possible here.",
  game: "Play White against the weakest level. After {moves} moves of yours the level is solved, but play on if you like.",
  game_more: "Play Red; the weakest level plays the other seats. After {moves} moves of yours the level is solved, but play on if you like.",
  game_start: "Play",
  game_on: "Back to the game",
  typed: "Type a move",
  typed_send: "Play move",
  flip: "Flip",
  flip_title: "Flip the board",
  view: "View",
  view_title: "Diamond or square board",
  help: "Keyboard",
  keys_next: "Next level, or skip",
  keys_back: "Level before",
  keys_restart: "Restart",
  keys_hint: "Hint",
  keys_flip: "Flip the board",
  keys_type: "Type a move",
  keys_help: "This help",
} as const;

export type Text = keyof typeof ENGLISH;

const PREFIX = "learn.";

addTexts(withPrefix(PREFIX, ENGLISH));

export const t = (key: Text, args?: Args): string => look(PREFIX + key, args);
