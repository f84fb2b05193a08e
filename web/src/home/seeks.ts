/** The lobby: open seeks, their stream, and the game when the user's seek is accepted. */
import { type Schemas, send, streamLines } from "../common/api.ts";
import { errorText, status } from "../common/errors.ts";
import { t } from "../common/texts.ts";
import type { NewSeek } from "./game_setup.ts";

export type Seek = Schemas["Seek"];

/** A game of four that waits for players. */
export type OpenGame = Schemas["OpenGame"];

type LobbyEvent = Schemas["LobbyEvent"];

/** The events that change the list. */
export type ListEvent = Exclude<LobbyEvent, { type: "game" }>;

/** Open seeks and games in the lobby. */
export interface LobbyList {
  seeks: Seek[];
  games: OpenGame[];
}

/** The list and its version. */
export interface SeekList extends LobbyList {
  version: number;
}

export const openGame = (game: string): void => location.assign(`/game/${game}`);

export async function loadLobby(): Promise<LobbyList> {
  const [seeks, games] = await Promise.all([send<Seek[]>("GET", "/api/seeks"), send<OpenGame[]>("GET", "/api/games/open")]);
  return { seeks, games };
}

/** Takes a free place of a game of four. */
export async function joinGame(id: string): Promise<void> {
  await send("POST", `/api/games/${id}/join`);
  openGame(id);
}

/** Dispatched on the window after a seek was created, which may have made the visitor a guest. */
export const SEEK_CREATED = "lozenge:sought";

/** Creates a seek; opens the game if it matches another seek. */
export async function createSeek(seek: NewSeek): Promise<void> {
  const { game } = await send<{ seek: Seek | null; game: string | null }>("POST", "/api/seeks", seek);
  if (game) openGame(game);
  else dispatchEvent(new Event(SEEK_CREATED));
}

export const cancelSeek = (id: string): Promise<unknown> => send("DELETE", `/api/seeks/${id}`);

export async function accept(id: string): Promise<void> {
  const { game } = await send<{ game: string }>("POST", `/api/seeks/${id}/accept`);
  openGame(game);
}

/** The text of an error in the lobby. A seek or game that is gone answers 404; limits answer 409 and have texts of their own. */
export function seekErrorText(error: unknown): string {
  return status(error) === 404 ? t("home.seek_gone") : errorText(error);
}

/** A list after changes, newest first. */
function updated<T extends { id: string; created_at: number }>(list: readonly T[], added: readonly T[], removed: readonly string[]): T[] {
  const gone = new Set([...removed, ...added.map((one) => one.id)]);
  const all = [...added, ...list.filter((one) => !gone.has(one.id))];
  return all.sort((one, other) => other.created_at - one.created_at);
}

/** The list after an event, newest first; null if an event was missed. */
export function applyEvent(list: SeekList | null, event: ListEvent): SeekList | null {
  if (event.type === "seeks") return { version: event.version, seeks: event.seeks, games: event.games ?? [] };
  if (list === null || event.version !== list.version + 1) return null;
  const { version, added, removed, games = [] } = event;
  return { version, seeks: updated(list.seeks, added, removed), games: updated(list.games, games, removed) };
}

/** The rating range of a seek; empty for all. */
export function ratingRange({ rating_min: least = null, rating_max: most = null }: Pick<Seek, "rating_min" | "rating_max">): string {
  if (least !== null && most !== null) return `${least}–${most}`;
  if (least !== null) return `≥ ${least}`;
  return most === null ? "" : `≤ ${most}`;
}

/** Follows the lobby until `signal` aborts; reconnects when the connection is lost. */
export async function followSeeks(onList: (list: LobbyList) => void, signal: AbortSignal): Promise<void> {
  let delay = 1000;
  while (!signal.aborted) {
    const connection = new AbortController();
    const abort = (): void => connection.abort();
    signal.addEventListener("abort", abort);
    try {
      let list: SeekList | null = null;
      for await (const event of streamLines<LobbyEvent>("/api/seeks/stream", connection.signal)) {
        delay = 1000;
        if (event.type === "game") {
          openGame(event.game);
          continue;
        }
        list = applyEvent(list, event);
        if (list === null) break;
        onList(list);
      }
    } catch {
      // The connection was lost, or the page is closing.
    }
    signal.removeEventListener("abort", abort);
    connection.abort();
    if (signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, delay));
    delay = Math.min(30_000, delay * 2);
  }
}
