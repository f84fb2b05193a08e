/** The event stream of an account: its games and challenges. */
import { type Schemas, streamLines } from "../common/api.ts";

export type Challenge = Schemas["Challenge"];

export type PlayerEvent =
  | { type: "gameStart" | "gameFinish"; game: { id: string } }
  | { type: "challenge" | "challengeDeclined" | "challengeCanceled"; challenge: Challenge }
  | { type: "challengeAccepted"; challenge: Challenge; game: { id: string } };

/** Dispatched on the window for each event. A listener that shows the event itself prevents the default, a notice. */
export const EVENT = "lozenge:player";

/** Calls `listener` for each event until the returned function is called. */
export function onPlayerEvent(listener: (event: PlayerEvent, markShown: () => void) => void): () => void {
  const onEvent = (event: Event): void => {
    listener((event as CustomEvent<PlayerEvent>).detail, () => event.preventDefault());
  };
  addEventListener(EVENT, onEvent);
  return () => removeEventListener(EVENT, onEvent);
}

/**
 * Follows the stream while the page is visible and dispatches its events; `unhandled` gets those that no listener has shown.
 * A hidden page closes its connection, because browsers allow only six for a site.
 */
export function followEvents(unhandled: (event: PlayerEvent) => void): void {
  let stop: AbortController | null = null;
  const run = async (signal: AbortSignal): Promise<void> => {
    let wait = 1000;
    while (!signal.aborted) {
      try {
        for await (const event of streamLines<PlayerEvent>("/api/stream/event", signal, () => (wait = 1000))) {
          if (dispatchEvent(new CustomEvent(EVENT, { detail: event, cancelable: true }))) unhandled(event);
        }
      } catch {
        // The connection was lost, or the page is hidden or closing.
      }
      if (signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(60_000, wait * 2);
    }
  };
  const onVisibilityChange = (): void => {
    const isVisible = document.visibilityState === "visible";
    if (isVisible && !stop) {
      stop = new AbortController();
      void run(stop.signal);
    } else if (!isVisible) {
      stop?.abort();
      stop = null;
    }
  };
  document.addEventListener("visibilitychange", onVisibilityChange);
  addEventListener("pagehide", () => {
    stop?.abort();
    stop = null;
  });
  addEventListener("pageshow", onVisibilityChange);
  onVisibilityChange();
}
