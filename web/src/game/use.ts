/** Hooks that more than one part of the page needs. */
import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { Action } from "./connection.ts";
import type { Session } from "./session.ts";

export const SessionContext = createContext<Session | null>(null);

/** The page's session; the part is drawn again with every change of it. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("expected a session around this part of the page");
  const [, draw] = useState(0);
  // At once: what changes between the drawing and a later watching would not be seen.
  useLayoutEffect(() => session.watch(() => draw((count) => count + 1)), [session]);
  return session;
}

/** Draws again every so many milliseconds; with null, never. */
export function useTick(ms: number | null): void {
  const [, draw] = useState(0);
  useEffect(() => {
    if (ms === null) return;
    const timer = setInterval(() => draw((count) => count + 1), ms);
    return () => clearInterval(timer);
  }, [ms]);
}

interface Once {
  /** Whether something was done that the server has not answered yet. */
  waits: boolean;
  act: (action: Action) => void;
}

/** Does things once until the game has changed, or the server has refused: a double click is one click. */
export function useOnce(): Once {
  const session = useSession();
  const [sent, setSent] = useState<number | null>(null);
  const { seq } = session.game.state;
  const waits = sent === seq && session.problem === null && session.link === "open";
  const act = (action: Action): void => {
    if (waits) return;
    setSent(seq);
    session.act(action);
  };
  return { waits, act };
}
