/** Hooks shared by the parts of the page. */
import { useEffect, useState } from "preact/hooks";
import { sessionContext } from "../common/session_context.ts";
import type { Action } from "./connection.ts";
import type { GameSession } from "./session.ts";

export const [SessionContext, useSession] = sessionContext<GameSession>();

/** Renders again at this interval; null for never. */
export function useTick(ms: number | null): void {
  const [, rerender] = useState(0);
  useEffect(() => {
    if (ms === null) return;
    const timer = setInterval(() => rerender((count) => count + 1), ms);
    return () => clearInterval(timer);
  }, [ms]);
}

interface SingleAction {
  /** Whether an action is waiting for the server. */
  isWaiting: boolean;
  sendOnce: (action: Action) => void;
}

/** Ignores further actions until the game has changed or the server has refused, so that a double click counts once. */
export function useSingleAction(): SingleAction {
  const session = useSession();
  const [sent, setSent] = useState<number | null>(null);
  const { seq } = session.game.state;
  const isWaiting = sent === seq && session.problem === null && session.link === "open";
  const sendOnce = (action: Action): void => {
    if (isWaiting) return;
    setSent(seq);
    session.sendAction(action);
  };
  return { isWaiting, sendOnce };
}
