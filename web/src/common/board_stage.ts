/** Shared by the boards of all pages: their place, their events, steps by the wheel. Not here: the content of a board. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import type { BoardEvents, ViewName } from "../board/types.ts";

/**
 * Places the board in the element of the returned reference, in this view, with quarter turns to the left. The layout of the page
 * depends on the aspect ratio of the board, which it finds in `--a-aspect` or `--g-aspect`.
 */
export function useBoardStage(board: LozBoard, view: ViewName, turns: number, prefix: "a" | "g" = "a"): RefObject<HTMLDivElement> {
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => container.current?.prepend(board), [board]);
  useLayoutEffect(() => {
    board.view = view;
    board.turns = turns;
    void board.updated.then(() => {
      const page = container.current?.closest<HTMLElement>(`.${prefix}-page`);
      page?.style.setProperty(`--${prefix}-aspect`, String(board.aspect));
    });
  }, [board, view, turns, prefix]);
  return container;
}

/** Handles an event of the board until the signal. */
export function onBoardEvent<Name extends keyof BoardEvents>(
  board: LozBoard,
  signal: AbortSignal,
  name: Name,
  listener: (detail: BoardEvents[Name]) => void,
): void {
  board.addEventListener(name, (event) => listener((event as CustomEvent<BoardEvents[Name]>).detail), { signal });
}

/** The scroll distance for one half move, in pixels: a mouse wheel gives about 100 at once, a touchpad a few. */
const WHEEL_STEP = 60;

/** Lets the wheel step through moves until the signal: `step` gets 1 for the next move and -1 for the one before. */
export function stepByWheel(board: LozBoard, signal: AbortSignal, step: (by: number) => void, isActive = (): boolean => true): void {
  let scrolled = 0;
  const onWheel = (event: WheelEvent): void => {
    if (!isActive() || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    scrolled = Math.sign(scrolled) === Math.sign(event.deltaY) ? scrolled + event.deltaY : event.deltaY;
    if (Math.abs(scrolled) < WHEEL_STEP) return;
    step(Math.sign(scrolled));
    scrolled = 0;
  };
  board.addEventListener("wheel", onWheel, { signal, passive: false });
}
