/**
 * Follows the live games by the server's stream, or by polling without a stream. Not here: how they are shown.
 */
import { type Schemas, send, streamLines } from "../common/api.ts";

export type Summary = Schemas["GameSummary"];
export type LiveEvent = Schemas["LiveEvent"];

/** The polling interval. */
const POLL_MS = 3_000;
/** Time out when a stream is silent for longer; the server sends something every ten seconds. */
const TIMEOUT_MS = 25_000;
/** How long a finished game stays in the list. */
const FINISHED_MS = 6_000;

/** The games after an event. A finished game stays in its place, with its result. */
export function applyEvent(games: readonly Summary[], event: LiveEvent): Summary[] {
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
 * Calls `onGames` with the games, in a stable order, until the returned function is called. `isLost`: the server does not
 * respond.
 */
export function followGames(onGames: (games: Summary[], isLost: boolean) => void): () => void {
  const controller = new AbortController();
  let games: Summary[] = [];
  const setGames = (next: Summary[], isLost = false): void => {
    games = next;
    if (!controller.signal.aborted) onGames(games, isLost);
  };
  const onEvent = (event: LiveEvent): void => {
    setGames(applyEvent(games, event));
    if (event.type !== "end") return;
    setTimeout(() => setGames(games.filter((game) => game.id !== event.game.id)), FINISHED_MS);
  };
  const poll = async (): Promise<void> => {
    try {
      setGames(await send<Summary[]>("GET", "/api/games/live"));
    } catch {
      setGames(games, true);
    }
  };
  void (async () => {
    while (!controller.signal.aborted) {
      await untilVisible(controller.signal);
      await readStream(onEvent, controller.signal);
      if (controller.signal.aborted) return;
      if (!document.hidden) await poll();
      await delay(POLL_MS);
    }
  })();
  return () => controller.abort();
}

/** Reads the stream until it breaks, times out, or the page is hidden. */
async function readStream(onEvent: (event: LiveEvent) => void, parentSignal: AbortSignal): Promise<void> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const hide = (): void => {
    if (document.hidden) controller.abort();
  };
  let timeout = setTimeout(abort, TIMEOUT_MS);
  const onData = (): void => {
    clearTimeout(timeout);
    timeout = setTimeout(abort, TIMEOUT_MS);
  };
  parentSignal.addEventListener("abort", abort);
  document.addEventListener("visibilitychange", hide);
  addEventListener("pagehide", abort);
  try {
    for await (const event of streamLines<LiveEvent>("/api/games/live/stream", controller.signal, onData)) onEvent(event);
  } catch {
    // Without a stream the games are polled.
  } finally {
    clearTimeout(timeout);
    parentSignal.removeEventListener("abort", abort);
    document.removeEventListener("visibilitychange", hide);
    removeEventListener("pagehide", abort);
  }
}

/** Waits until the page is visible. */
function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const onVisibilityChange = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener("visibilitychange", onVisibilityChange);
      resolve();
    };
    document.addEventListener("visibilitychange", onVisibilityChange);
    signal.addEventListener("abort", onVisibilityChange);
  });
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
