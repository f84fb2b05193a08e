/** The event stream of an account: its games and challenges. */
import type { Schemas } from "../common/api.ts";
import { lines } from "../common/lines.ts";

export type Challenge = Schemas["Challenge"];

export type PlayerEvent =
  | { type: "gameStart" | "gameFinish"; game: { id: string } }
  | { type: "challenge" | "challengeDeclined" | "challengeCanceled"; challenge: Challenge }
  | { type: "challengeAccepted"; challenge: Challenge; game: { id: string } };

/** Dispatched on the window for each event. A listener that shows the event itself prevents the default, a notice. */
export const EVENT = "lozenge:player";

/** Calls `listener` for each event until the returned function is called. */
export function onPlayerEvent(heard: (event: PlayerEvent, shown: () => void) => void): () => void {
  const listener = (event: Event): void => {
    heard((event as CustomEvent<PlayerEvent>).detail, () => event.preventDefault());
  };
  addEventListener(EVENT, listener);
  return () => removeEventListener(EVENT, listener);
}

/**
 * Follows the stream while the page is visible and dispatches its events; `unhandled` gets those that no listener has shown.
 * A hidden page closes its connection, because browsers allow only six for a site.
 */
export function follow(unseen: (event: PlayerEvent) => void): void {
  let stop: AbortController | null = null;
  const run = async (signal: AbortSignal): Promise<void> => {
    let wait = 1000;
    while (!signal.aborted) {
      try {
        for await (const event of lines<PlayerEvent>("/api/stream/event", signal, () => (wait = 1000))) {
          if (dispatchEvent(new CustomEvent(EVENT, { detail: event, cancelable: true }))) unseen(event);
        }
      } catch {
        // The connection was lost, or the page is hidden or closing.
      }
      if (signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(60_000, wait * 2);
    }
  };
  const look = (): void => {
    const seen = document.visibilityState === "visible";
    if (seen && !stop) {
      stop = new AbortController();
      void run(stop.signal);
    } else if (!seen) {
      stop?.abort();
      stop = null;
    }
  };
  document.addEventListener("visibilitychange", look);
  addEventListener("pagehide", () => {
    stop?.abort();
    stop = null;
  });
  addEventListener("pageshow", look);
  look();
}
