/** The texts of the endings to be won, in English. */
import { type Args, addTexts, t as look } from "../common/texts.ts";

const ENGLISH = {
  "drill.loading": "Loading the endings …",
  "drill.none": "There are no endings of this game to win.",
  "drill.classes": "Endings",
  "drill.against": "{white} against {black}",
  "drill.longest": "At most {moves} moves with best play",
  "drill.best_par": "Won in par",
  "drill.best_over": "Best: {moves} over par",
  "drill.wins": "Wins: {wins}",
  "drill.all": "All endings",
  "drill.board": "Board",
  "drill.task": "White to move and win.",
  "drill.preparing": "Looking for a position …",
  "drill.checking": "Black looks for the best defense …",
  "drill.go_on": "Black plays {move}. Go on.",
  "drill.par": "Par: {moves}",
  "drill.moves": "Your moves: {moves}",
  "drill.won": "Won in {moves} moves!",
  "drill.won_par": "Nobody wins faster.",
  "drill.won_over": "Par is {par}.",
  "drill.won_hint": "With a hint, so it does not count as your best.",
  "drill.draw": "{move} throws the win away: now it is a draw.",
  "drill.loss": "{move} even loses.",
  "drill.over": "{move} ends the game in a draw.",
  "drill.refuted": "Black’s best answer is {move}.",
  "drill.take_back": "Take it back",
  "drill.hint": "Hint",
  "drill.hint_is": "The arrow shows the fastest win.",
  "drill.again": "Restart",
  "drill.next": "Next position",
  "drill.analysis": "Analysis",
  "drill.retry": "Try again",
  "drill.played": "Moves",
  "drill.no_move": "{move} is not possible here.",
  "drill.typed": "Type a move",
  "drill.typed_send": "Play move",
  "drill.flip": "Flip",
  "drill.flip_title": "Flip the board",
  "drill.view": "View",
  "drill.view_title": "Diamond or square board",
  "drill.help": "Keyboard",
  "drill.keys_next": "Next position",
  "drill.keys_again": "Same position again",
  "drill.keys_take_back": "Take a mistake back",
  "drill.keys_hint": "Hint",
  "drill.keys_flip": "Flip the board",
  "drill.keys_type": "Type a move",
  "drill.keys_help": "This help",
} as const;

type Key = keyof typeof ENGLISH;
export type Text = Key extends `drill.${infer Name}` ? Name : never;

addTexts(ENGLISH);

export const t = (key: Text, args?: Args): string => look(`drill.${key}`, args);
