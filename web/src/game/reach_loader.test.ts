/** The reach of pieces is loaded once for each position and viewer. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LozBoard } from "../board/index.ts";
import { ReachLoader } from "./reach_loader.ts";
import type { Game } from "./record.ts";
import { game } from "./samples.ts";
import type { GameSession } from "./session.ts";

describe("the reach of pieces", () => {
  const requests: string[] = [];
  const board = { reach: null, selection: { selected: null } } as unknown as LozBoard;
  const sessionAt = (at: Game): GameSession => ({ game: at, ply: 0 }) as unknown as GameSession;

  beforeEach(() => {
    requests.length = 0;
    vi.stubGlobal("fetch", (path: string) => {
      requests.push(path);
      return Promise.resolve(new Response(JSON.stringify([[requests.length]]), { status: 200 }));
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("is requested once per position", async () => {
    const reach = new ReachLoader(board, sessionAt(game({ you: "black" })));
    reach.update();
    await Promise.all([reach.load(), reach.load()]);
    reach.update();
    await reach.load();
    expect(requests).toEqual(["/api/games/x/reach?ply=0&premoves=black"]);
    expect(board.reach).toEqual([[1]]);
  });

  it("is requested again after a spectator joins", async () => {
    const session = sessionAt(game({ you: null }));
    const reach = new ReachLoader(board, session);
    reach.update();
    await reach.load();
    (session as { game: Game }).game = game({ you: "white" });
    reach.update();
    expect(board.reach).toBeNull();
    await reach.load();
    expect(requests).toEqual(["/api/games/x/reach?ply=0", "/api/games/x/reach?ply=0&premoves=white"]);
  });
});
