/** The open level, which replaces the overview on the page of a course. */
import { useLayoutEffect } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import { useSession } from "./hooks.ts";
import { LevelPage } from "./level.tsx";

export function LearnPage({ board, opening }: { board: LozBoard; opening: HTMLElement }) {
  const session = useSession();
  const { isAwaited } = session;
  const isOpen = session.open !== null;
  useLayoutEffect(() => {
    opening.hidden = isOpen || isAwaited;
    // The board is as wide as the window allows.
    document.getElementById("learn")?.toggleAttribute("data-level", isOpen);
    if (isOpen) scrollTo(0, 0);
  }, [isOpen, isAwaited, opening]);
  return isOpen ? <LevelPage board={board} /> : null;
}
