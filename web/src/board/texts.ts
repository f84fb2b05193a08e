/** All texts of the board in English; a page in another language sets its own. */

export const ENGLISH = {
  board: "{name}. Arrow keys move between squares, Enter selects and moves, Escape cancels.",
  board_torus:
    "{name}. Arrow keys move between squares, Shift and arrow keys scroll, Enter selects and moves, Escape cancels.",
  white: "white",
  black: "black",
  red: "red",
  blue: "blue",
  yellow: "yellow",
  green: "green",
  dead: "dead",
  piece: "{color} {role}",
  /** Whether names of pieces are in lower case within a sentence: "small" or "capital". */
  nouns: "small",
  empty: "empty",
  can_move: "can move",
  in_check: "in check",
  selected: "selected",
  target: "possible move",
  capture: "possible capture",
  fusion_target: "possible fusion",
  last: "last move",
  premove: "premove",
  choice: "{piece}, {square}: {count} moves",
  choice_one: "{piece}, {square}: 1 move",
  no_moves: "{piece}, {square}: no moves now",
  deselected: "selection cleared",
  moved: "{piece}, {from} to {to}",
  arrived: "{piece} on {square}",
  takes: "takes {piece}",
  fuses: "fuses with {piece}",
  becomes: "becomes {role}",
  out: "{color} is out",
  check: "check",
  premove_set: "premove {from} to {to}",
  premove_gone: "premove cancelled",
  choose: "Choose",
  whole: "{role} (whole)",
  scroll_left: "Scroll left",
  scroll_right: "Scroll right",
  scroll_up: "Scroll up",
  scroll_down: "Scroll down",
  recenter: "Back to the center",
  hint: "No edges: faded squares repeat the opposite side. Scroll with the arrows or the middle mouse button.",
  hint_touch:
    "No edges: faded squares repeat the opposite side. Scroll with the arrows or two fingers.",
  hint_ok: "Got it",
};

export type Texts = typeof ENGLISH;

/** Fills the placeholders of a text: `{name}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
