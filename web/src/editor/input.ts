/** Pointers and keys on the board of the editor, which has no rules: they reach it before the board's own. */
import type { LozBoard } from "../board/index.ts";
import type { Point } from "../board/types.ts";

export interface Handler {
  /** A square was pressed; returns whether what follows is a drag of its piece. */
  press(square: number): boolean;
  /** The pressed pointer is over another square. */
  paint(square: number): void;
  /** The piece of a square was dragged to another, or off the board. */
  drag(from: number, to: number | null): void;
  /** A square was pressed and released for a drag, without one, or chosen by a key. */
  tap(square: number): void;
  /** The right button. */
  swap(square: number): void;
  remove(square: number): void;
}

function squareAt(board: LozBoard, client: Point): number | null {
  const { plane } = board;
  const place = plane?.placeAt(board.layers.toBoard(client));
  return plane && place ? plane.squareAt(place) : null;
}

/** The square of the cell that a key was pressed on. */
function focused(board: LozBoard, event: KeyboardEvent): number | null {
  const [cell] = event.composedPath();
  if (!(cell instanceof HTMLElement) || cell.getAttribute("role") !== "gridcell") return null;
  const [name] = (cell.getAttribute("aria-label") ?? "").split(",");
  const square = board.board?.squares.findIndex((square) => square.name === name) ?? -1;
  return square < 0 ? null : square;
}

/** Listens until the returned function is called. */
export function listen(board: LozBoard, handler: Handler): () => void {
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  let pressed: { pointer: number; from: number; at: number | null; drags: boolean } | null = null;
  const at = (event: PointerEvent): number | null => squareAt(board, [event.clientX, event.clientY]);
  board.addEventListener(
    "pointerdown",
    (event) => {
      // The middle button and a second finger scroll a torus.
      if (event.button === 1 || !event.isPrimary) return;
      const square = at(event);
      if (square === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.button === 2) return handler.swap(square);
      board.setPointerCapture(event.pointerId);
      pressed = { pointer: event.pointerId, from: square, at: square, drags: handler.press(square) };
    },
    options,
  );
  board.addEventListener(
    "pointermove",
    (event) => {
      if (event.pointerId !== pressed?.pointer) return;
      event.stopPropagation();
      const square = at(event);
      if (square === pressed.at) return;
      pressed.at = square;
      if (!pressed.drags && square !== null) handler.paint(square);
    },
    options,
  );
  const release = (event: PointerEvent): void => {
    if (event.pointerId !== pressed?.pointer) return;
    event.stopPropagation();
    const { from, drags } = pressed;
    pressed = null;
    const square = at(event);
    if (!drags || event.type !== "pointerup") return;
    if (square === from) handler.tap(from);
    else handler.drag(from, square);
  };
  board.addEventListener("pointerup", release, options);
  board.addEventListener("pointercancel", release, options);
  board.addEventListener("contextmenu", (event) => event.preventDefault(), options);
  board.addEventListener(
    "keydown",
    (event) => {
      const square = focused(board, event);
      if (square === null) return;
      if (event.key === "Enter" || event.key === " ") {
        if (handler.press(square)) handler.tap(square);
      } else if (event.key === "Delete" || event.key === "Backspace") handler.remove(square);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    options,
  );
  // Screen readers click cells; pointers are handled above.
  board.addEventListener("click", (event) => event.stopPropagation(), options);
  return () => stop.abort();
}
