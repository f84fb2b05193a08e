/** The page of a course: its overview below the opening, or one level. */
import { createPortal } from "preact/compat";
import { useLayoutEffect } from "preact/hooks";
import type { LozBoard } from "../board/index.ts";
import { useSession } from "./hooks.ts";
import { LevelPage } from "./level.tsx";
import { Levels, Overview } from "./overview.tsx";

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
  if (isOpen) return <LevelPage board={board} />;
  const start = document.getElementById("course-start");
  const levels = document.getElementById("course-levels");
  return (
    <>
      {start && createPortal(<Overview />, start)}
      {levels && createPortal(<Levels />, levels)}
    </>
  );
}
