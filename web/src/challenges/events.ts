/** The event stream of an account: its games and challenges. */
import { type Schemas, streamLines } from "../common/api.ts";

export type Challenge = Schemas["Challenge"];

export type PlayerEvent = Schemas["PlayerEvent"];

/** Dispatched on the window for each event. A listener that displays the event itself prevents the default, a notice. */
export const PLAYER_EVENT = "lozenge:player";

/** Calls `listener` for each event until the returned function is called. */
export function onPlayerEvent(listener: (event: PlayerEvent, preventNotice: () => void) => void): () => void {
  const onEvent = (event: Event): void => {
    listener((event as CustomEvent<PlayerEvent>).detail, () => event.preventDefault());
  };
  addEventListener(PLAYER_EVENT, onEvent);
  return () => removeEventListener(PLAYER_EVENT, onEvent);
}

/**
 * Follows the stream while the page is visible and dispatches its events; `onUnhandled` gets those that no listener has handled.
 * A hidden page closes its connection, because browsers allow only six for a site.
 */
export function followEvents(onUnhandled: (event: PlayerEvent) => void): void {
  let controller: AbortController | null = null;
  const readStream = async (signal: AbortSignal): Promise<void> => {
    let delay = 1000;
    while (!signal.aborted) {
      try {
        for await (const event of streamLines<PlayerEvent>("/api/stream/event", signal, () => (delay = 1000))) {
          if (dispatchEvent(new CustomEvent(PLAYER_EVENT, { detail: event, cancelable: true }))) onUnhandled(event);
        }
      } catch {
        // The connection was lost, or the page is hidden or closing.
      }
      if (signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, delay));
      delay = Math.min(60_000, delay * 2);
    }
  };
  const onVisibilityChange = (): void => {
    const isVisible = document.visibilityState === "visible";
    if (isVisible && !controller) {
      controller = new AbortController();
      void readStream(controller.signal);
    } else if (!isVisible) {
      controller?.abort();
      controller = null;
    }
  };
  document.addEventListener("visibilitychange", onVisibilityChange);
  addEventListener("pagehide", () => {
    controller?.abort();
    controller = null;
  });
  addEventListener("pageshow", onVisibilityChange);
  onVisibilityChange();
}
