/** The texts of the storm, in English. */
import { type Args, addTexts, t as look } from "../common/texts.ts";

const ENGLISH = {
  "storm.title": "Storm",
  "storm.puzzles": "All puzzles",
  "storm.loading": "Loading puzzles …",
  "storm.ready": "You play {side}. The clock starts with your first move.",
  "storm.white": "White",
  "storm.black": "Black",
  "storm.find_white": "Find the best move for White.",
  "storm.find_black": "Find the best move for Black.",
  "storm.rules": "A right move adds to your combo, and combos add time. A wrong one costs 10 seconds and the combo.",
  "storm.right": "Right.",
  "storm.wrong": "Wrong: 10 seconds less.",
  "storm.bonus": "{seconds} seconds more.",
  "storm.score": "Solved",
  "storm.best": "Best",
  "storm.combo": "Combo",
  "storm.time": "Time",
  "storm.over": "Time is up: {score} puzzles solved.",
  "storm.over_best": "Time is up: {score} puzzles solved, your best so far.",
  "storm.over_all": "You have gone through all puzzles: {score} solved.",
  "storm.moves": "Moves",
  "storm.accuracy": "Accuracy",
  "storm.highest_combo": "Longest combo",
  "storm.hardest": "Hardest solved",
  "storm.played": "Puzzles of this storm",
  "storm.solved": "Solved, rating {rating}",
  "storm.failed": "Failed, rating {rating}",
  "storm.again": "New storm",
  "storm.end": "End the storm",
  "storm.retry": "Try again",
  "storm.board": "Board",
  "storm.typed": "Type a move",
  "storm.typed_send": "Play",
  "storm.no_move": "{move} is not possible here.",
  "storm.flip": "Flip",
  "storm.flip_title": "Flip the board",
  "storm.view": "View",
  "storm.view_title": "Diamond or square board",
  "storm.help": "Keyboard",
  "storm.keys_again": "New storm, when it is over",
  "storm.keys_flip": "Flip the board",
  "storm.keys_type": "Type a move",
  "storm.keys_help": "This help",
} as const;

type Key = keyof typeof ENGLISH;
export type Text = Key extends `storm.${infer Name}` ? Name : never;

addTexts(ENGLISH);

export const t = (key: Text, args?: Args): string => look(`storm.${key}`, args);
