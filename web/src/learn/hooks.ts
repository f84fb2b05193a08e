/** The session of the page, and rendering after its changes. */
import { createContext } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import type { Session } from "./session.ts";

export const SessionContext = createContext<Session | null>(null);

/** The session of the page; the component is rendered again with every change. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error("expected a session around this part of the page");
  const [, draw] = useState(0);
  useLayoutEffect(() => session.subscribe(() => draw((count) => count + 1)), [session]);
  return session;
}
