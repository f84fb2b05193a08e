/** Where pieces could go is asked for once for a position and for whoever looks at it. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LozBoard } from "../board/index.ts";
import { Reach } from "./reach.ts";
import type { Game } from "./record.ts";
import { game } from "./samples.ts";
import type { Session } from "./session.ts";

describe("where pieces could go", () => {
  const asked: string[] = [];
  const board = { reach: null, selection: { selected: null } } as unknown as LozBoard;
  const looking = (at: Game): Session => ({ game: at, ply: 0 }) as unknown as Session;

  beforeEach(() => {
    asked.length = 0;
    vi.stubGlobal("fetch", (path: string) => {
      asked.push(path);
      return Promise.resolve(new Response(JSON.stringify([[asked.length]]), { status: 200 }));
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("is asked for once", async () => {
    const reach = new Reach(board, looking(game({ you: "black" })));
    reach.follow();
    await Promise.all([reach.ask(), reach.ask()]);
    reach.follow();
    await reach.ask();
    expect(asked).toEqual(["/api/games/x/reach?ply=0&premoves=black"]);
    expect(board.reach).toEqual([[1]]);
  });

  it("is asked for anew by whoever has joined while watching", async () => {
    const session = looking(game({ you: null }));
    const reach = new Reach(board, session);
    reach.follow();
    await reach.ask();
    (session as { game: Game }).game = game({ you: "white" });
    reach.follow();
    expect(board.reach).toBeNull();
    await reach.ask();
    expect(asked).toEqual(["/api/games/x/reach?ply=0", "/api/games/x/reach?ply=0&premoves=white"]);
  });
});
