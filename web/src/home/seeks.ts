/** The lobby's stream: open wishes as they come and go, and the game when one's own was taken. */
import { type Schemas, send } from "../common/api.ts";
import type { Clock } from "../common/clocks.ts";
import { lines } from "../common/lines.ts";
import type { NewSeek } from "./choice.ts";

export interface Seek {
  id: string;
  player: Schemas["Player"];
  variant: string;
  variant_name: string;
  clock: Clock | null;
  speed: Schemas["Speed"];
  side: Schemas["Side"];
  rated: boolean;
  yours: boolean;
  created_at: number;
}

type Line = { type: "seeks"; seeks: Seek[] } | { type: "game"; game: string };

export const goTo = (game: string): void => location.assign(`/game/${game}`);

export const openSeeks = (): Promise<Seek[]> => send<Seek[]>("GET", "/api/seeks");

/** Told to the window when a wish was made: whoever had done nothing before has become somebody by it. */
export const WISHED = "lozenge:wished";

/** Makes a wish; goes to the game if somebody wanted the same. */
export async function seek(wish: NewSeek): Promise<void> {
  const { game } = await send<{ seek: Seek | null; game: string | null }>("POST", "/api/seeks", wish);
  if (game) goTo(game);
  else dispatchEvent(new Event(WISHED));
}

export const takeBack = (id: string): Promise<unknown> => send("DELETE", `/api/seeks/${id}`);

export async function accept(id: string): Promise<void> {
  const { game } = await send<{ game: string }>("POST", `/api/seeks/${id}/accept`);
  goTo(game);
}

/** Follows the lobby until `signal` says stop; comes back by itself when the connection is lost. */
export async function follow(show: (seeks: Seek[]) => void, signal: AbortSignal): Promise<void> {
  let wait = 1000;
  while (!signal.aborted) {
    try {
      for await (const line of lines<Line>("/api/seeks/stream", signal)) {
        wait = 1000;
        if (line.type === "seeks") show(line.seeks);
        else if (line.type === "game") goTo(line.game);
      }
    } catch {
      // Lost, or the page is being left.
    }
    if (signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(30_000, wait * 2);
  }
}
