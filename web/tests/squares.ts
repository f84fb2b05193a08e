/** Where the squares of a board are in the window, for every driver of browsers. */
import type { LozBoard } from "../src/board/index.ts";

/**
 * The position of a square in the window once the page is stable; scrolls the board into view. Drivers call it in the page,
 * so that it uses nothing else of this file.
 */
export async function squareInWindow(square: string): Promise<[number, number]> {
  const board = document.querySelector("loz-board") as LozBoard;
  const number = board.plane?.board.squares.findIndex((candidate) => candidate.name === square) ?? -1;
  const place = (): [number, number] => {
    // A board without edge has another plane when it is scrolled.
    const { plane } = board;
    if (!plane) throw new Error("no board yet");
    const [x, y] = board.layers.toFrame(plane.center(plane.placeOf(number)));
    const box = board.layers.frame.getBoundingClientRect();
    return [box.left + x, box.top + y];
  };
  const [, y] = place();
  if (y < 5 || y > window.innerHeight - 5) board.scrollIntoView({ block: "center" });
  // A game that begins, or news of it, moves what stands around the board.
  let [before, now, stableFrames] = ["", place(), 0];
  while (stableFrames < 3) {
    await new Promise(requestAnimationFrame);
    [before, now] = [now.join(), place()];
    stableFrames = now.join() === before ? stableFrames + 1 : 0;
  }
  return now;
}
