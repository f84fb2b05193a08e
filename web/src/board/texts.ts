/** Everything that the board says, in English; a page in another language gives its own. */

export const ENGLISH = {
  board: "{name}. Arrow keys walk, Enter chooses and puts, Escape lets go.",
  board_torus:
    "{name}. Arrow keys walk, Shift and arrow keys scroll, Enter chooses and puts, Escape lets go.",
  white: "white",
  black: "black",
  piece: "{color} {role}",
  /** Whether names of pieces begin small within a sentence: "small" or "capital". */
  nouns: "small",
  empty: "empty",
  can_move: "can move",
  in_check: "in check",
  chosen: "chosen",
  target: "can be reached",
  capture: "can be captured",
  join: "can be joined",
  last: "last move",
  waiting: "premove",
  choice: "{piece}, {square}: {count} squares",
  choice_one: "{piece}, {square}: 1 square",
  no_moves: "{piece}, {square}: cannot move now",
  let_go: "let go",
  moved: "{piece}, {from} to {to}",
  arrived: "{piece} on {square}",
  takes: "takes {piece}",
  joins: "joins {piece}",
  becomes: "becomes {role}",
  check: "check",
  premove_set: "premove {from} to {to}",
  premove_gone: "premove cancelled",
  choose: "Choose",
  whole: "{role} (whole)",
  scroll_left: "Scroll left",
  scroll_right: "Scroll right",
  scroll_up: "Scroll up",
  scroll_down: "Scroll down",
  recenter: "Back to the middle",
  hint: "This board has no edge: the faded squares are those of the other side. Drag with the middle button, or use the arrows, to scroll it round.",
  hint_touch:
    "This board has no edge: the faded squares are those of the other side. Drag with two fingers, or use the arrows, to scroll it round.",
  hint_ok: "Understood",
};

export type Texts = typeof ENGLISH;

/** Puts values into the places of a text: `{name}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
