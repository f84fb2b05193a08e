/** The session of a page for all its parts, which are rendered again with every change. */
import { type ComponentChild, type Context, createContext, h, render } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";

interface Session {
  /** Calls back after every change, until the returned function is called. */
  subscribe(callback: () => void): () => void;
}

/** The context of a page's session, and the hook that returns the session. */
export function sessionContext<T extends Session>(): [Context<T | null>, () => T] {
  const context = createContext<T | null>(null);
  const useSession = (): T => {
    const session = useContext(context);
    if (!session) throw new Error("expected a session around this part of the page");
    const [, draw] = useState(0);
    // A layout effect, so that no change between rendering and subscribing is missed.
    useLayoutEffect(() => session.subscribe(() => draw((count) => count + 1)), [session]);
    return session;
  };
  return [context, useSession];
}

/** Renders parts of a page around one session, each into the element of an id, where the page has it. */
export function renderParts<T>(context: Context<T | null>, session: T, parts: Readonly<Record<string, ComponentChild>>): void {
  for (const [id, part] of Object.entries(parts)) {
    const place = document.getElementById(id);
    if (place) render(h(context.Provider, { value: session }, part), place);
  }
}
