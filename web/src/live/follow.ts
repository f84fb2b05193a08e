/**
 * Follows the live games by the server's stream, or by polling while there is none. Not here: how they are shown.
 */
import { type Schemas, send } from "../common/api.ts";
import { lines } from "../common/lines.ts";

export type Summary = Schemas["GameSummary"];
export type LiveEvent = Schemas["LiveEvent"];

/** The polling interval. */
const EVERY_MS = 3_000;
/** Time out when a stream is silent for longer; the server sends something every ten seconds. */
const SILENCE_MS = 25_000;
/** How long a finished game stays in the list. */
const STAYS_MS = 6_000;

/** The games after an event. A finished game stays in its place, with its result. */
export function told(games: readonly Summary[], event: LiveEvent): Summary[] {
  switch (event.type) {
    case "games":
      return event.games;
    case "begin":
      return [event.game, ...games.filter((game) => game.id !== event.game.id)];
    case "move":
    case "end":
      return games.map((game) => (game.id === event.game.id ? event.game : game));
    case "left":
      return games.filter((game) => game.id !== event.id);
  }
}

/**
 * Calls `show` with the games, in a stable order, until the returned function is called. `lost`: the server does not
 * respond.
 */
export function followGames(show: (games: Summary[], lost: boolean) => void): () => void {
  const stop = new AbortController();
  let games: Summary[] = [];
  const tell = (next: Summary[], lost = false): void => {
    games = next;
    if (!stop.signal.aborted) show(games, lost);
  };
  const hear = (event: LiveEvent): void => {
    tell(told(games, event));
    if (event.type !== "end") return;
    setTimeout(() => tell(games.filter((game) => game.id !== event.game.id)), STAYS_MS);
  };
  const ask = async (): Promise<void> => {
    try {
      tell(await send<Summary[]>("GET", "/api/games/live"));
    } catch {
      tell(games, true);
    }
  };
  void (async () => {
    while (!stop.signal.aborted) {
      await seen(stop.signal);
      await listen(hear, stop.signal);
      if (stop.signal.aborted) return;
      if (!document.hidden) await ask();
      await pause(EVERY_MS);
    }
  })();
  return () => stop.abort();
}

/** Reads the stream until it breaks, times out, or the page is hidden. */
async function listen(hear: (event: LiveEvent) => void, outer: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const hide = (): void => {
    if (document.hidden) stop.abort();
  };
  let silence = setTimeout(abort, SILENCE_MS);
  const alive = (): void => {
    clearTimeout(silence);
    silence = setTimeout(abort, SILENCE_MS);
  };
  outer.addEventListener("abort", abort);
  document.addEventListener("visibilitychange", hide);
  addEventListener("pagehide", abort);
  try {
    for await (const event of lines<LiveEvent>("/api/games/live/stream", stop.signal, alive)) hear(event);
  } catch {
    // Without a stream the games are polled.
  } finally {
    clearTimeout(silence);
    outer.removeEventListener("abort", abort);
    document.removeEventListener("visibilitychange", hide);
    removeEventListener("pagehide", abort);
  }
}

/** Waits until the page is visible. */
function seen(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    signal.addEventListener("abort", look);
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
