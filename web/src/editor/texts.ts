/** The texts of the editor, in English; the keys of their translations begin with `editor.`. */
import { type Args, addTexts, t as look, withPrefix } from "../common/texts.ts";

export const ENGLISH = {
  title: "Board editor",
  game: "Game",
  board: "Board",
  pieces: "Pieces",
  hand: "Move pieces",
  trash: "Remove pieces",
  piece_white: "White {role}",
  piece_black: "Black {role}",
  piece_red: "Red {role}",
  piece_blue: "Blue {role}",
  piece_yellow: "Yellow {role}",
  piece_green: "Green {role}",
  piece_dead: "Dead {role}",
  help: "Choose a piece and press squares to place it; press again to remove it. Drag pieces to move them, and off the board to remove them. The right mouse button changes their color. With the keyboard: arrows, Enter to place, Delete to remove.",
  turn: "Side to move",
  white: "White",
  black: "Black",
  red: "Red",
  blue: "Blue",
  yellow: "Yellow",
  green: "Green",
  out: "Out of the game, the first one first",
  out_number: "{player}, out as number {number}",
  rights: "Castling",
  right: "Castling right {right}",
  en_passant: "En passant square",
  halfmove: "Half moves without progress",
  fullmove: "Move number",
  moved: "Squares whose pieces have moved",
  more: "Counters and en passant",
  fen: "FEN",
  start: "Starting position",
  clear: "Clear",
  flip: "Flip",
  view: "View",
  analyze: "Analyze",
  play: "Play from here",
  good: "This position can be played.",
  faults: "Faults of this position",
  fault_white_kings: "White needs exactly one king.",
  fault_black_kings: "Black needs exactly one king.",
  fault_kings: "Each player who is still in the game needs exactly one king, and no king is dead.",
  fault_piece_of_out: "The piece on {squares} belongs to a player who is out.",
  fault_living: "The player to move must still be in the game. In a game of teams at most one player is out.",
  fault_opponent_in_check: "The side that has just moved must not be in check.",
  fault_opponent_in_check_multi: "Hostile kings must not stand side by side, and partners who have just moved must not be in check.",
  fault_right_multi: "A castling right needs king and rook of its player in place.",
  fault_unpromoted: "On {squares} this piece would have been promoted.",
  fault_stale_goal: "The piece on {squares} has reached its goal: the game would be over.",
  fault_right: "This castling right needs king and rook on {squares}.",
  fault_en_passant: "No piece can have just crossed the en passant square {squares}.",
  fault_en_passant_nowhere: "This is not an en passant square of the board.",
  fault_fen: "This FEN cannot be read: {message}",
  fault_over: "The game is over in this position.",
  placed: "{piece} on {square}",
  taken_up: "{piece} on {square} selected. Choose its new square.",
  removed: "{square} empty",
} as const;

export type Text = keyof typeof ENGLISH;

const PREFIX = "editor.";

addTexts(withPrefix(PREFIX, ENGLISH));

export const t = (key: Text, args?: Args): string => look(PREFIX + key, args);
export const isText = (key: string): key is Text => key in ENGLISH;
