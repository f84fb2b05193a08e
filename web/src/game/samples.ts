/** Minimal games for tests. */
import type { Color, Game, GameState, HistoryEntry } from "./record.ts";

interface GameOptions {
  clock?: Game["clock"];
  clocks?: GameState["clocks"];
  moves?: (Partial<HistoryEntry> & { uci: string })[];
  status?: GameState["status"];
  you?: Color | null;
  start_fen?: string;
  state?: Partial<GameState>;
}

export function entry(move: Partial<HistoryEntry> & { uci: string }): HistoryEntry {
  return { san: move.uci, fen: `after ${move.uci}`, last: [], check: null, at: 0, ...move };
}

export function game(options: GameOptions = {}): Game {
  const history = (options.moves ?? []).map(entry);
  const turn: Color = history.length % 2 === 0 ? "white" : "black";
  return {
    id: "x",
    variant: "diamond",
    variant_name: "Diamond Chess",
    digest: "",
    start_fen: options.start_fen ?? "8/8 w - - 0 1",
    rated: false,
    speed: "unlimited",
    clock: options.clock ?? null,
    white: { kind: "guest", id: "a", name: "Ada" },
    black: { kind: "guest", id: "b", name: "Bo" },
    you: options.you === undefined ? "white" : options.you,
    created_at: 0,
    history,
    visibility: "public",
    previous: null,
    next: null,
    state: {
      seq: history.length,
      ply: history.length,
      fen: history.at(-1)?.fen ?? "start",
      turn,
      last: [],
      check: null,
      moves: ["a1a2"],
      castlings: [],
      status: options.status ?? "started",
      result: "*",
      reason: null,
      clocks: options.clocks ?? null,
      offers: { draw: null, takeback: null, rematch: null },
      claim: null,
      present: { white: true, black: true },
      claim_victory_at: null,
      ...options.state,
    },
  };
}
