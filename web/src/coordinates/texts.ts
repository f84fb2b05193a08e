/** The texts of the coordinates page, in English. */
import { type Args, addTexts, t as look } from "../common/texts.ts";

const ENGLISH = {
  "coordinates.title": "Coordinates",
  "coordinates.lessons": "Lessons",
  "coordinates.mode": "Task",
  "coordinates.find": "Find the square",
  "coordinates.name": "Name the square",
  "coordinates.find_hint": "A name appears. Tap its square.",
  "coordinates.name_hint": "A square lights up. Type its name.",
  "coordinates.start": "Start",
  "coordinates.again": "Once more",
  "coordinates.stop": "Stop",
  "coordinates.score": "Squares",
  "coordinates.best": "Best",
  "coordinates.time": "Seconds left",
  "coordinates.show_names": "Coordinates at the edge",
  "coordinates.show_pieces": "Pieces",
  "coordinates.over": "Time is up: {score} squares.",
  "coordinates.over_best": "Time is up: {score} squares, your best so far.",
  "coordinates.misses": "Mistakes: {misses}",
  "coordinates.where": "Where is {name}?",
  "coordinates.next": "then {name}",
  "coordinates.what": "Which square is this?",
  "coordinates.was": "That was {name}.",
  "coordinates.right": "Right: {name}.",
  "coordinates.answer": "Name of the square",
  "coordinates.files": "File",
  "coordinates.ranks": "Rank",
  "coordinates.board": "Board",
  "coordinates.flip": "Flip",
  "coordinates.flip_title": "Flip the board",
  "coordinates.view": "View",
  "coordinates.view_title": "Diamond or square board",
  "coordinates.help": "Keyboard",
  "coordinates.keys_start": "Start, or stop",
  "coordinates.keys_flip": "Flip the board",
  "coordinates.keys_board": "Choose a square of the board",
  "coordinates.keys_help": "This help",
} as const;

type Key = keyof typeof ENGLISH;
export type Text = Key extends `coordinates.${infer Name}` ? Name : never;

addTexts(ENGLISH);

export const t = (key: Text, args?: Args): string => look(`coordinates.${key}`, args);
