import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Schemas } from "../common/api.ts";
import type { Board } from "../board/types.ts";
import { type Services, Session } from "./session.ts";

const role = (letter: string, name: string) => ({ id: name, letter, name, glyph: null });
const board = { variant: "chess", digest: "d", squares: [], roles: [role("K", "King"), role("R", "rook")] } as unknown as Board;

type Move = Schemas["TableMove"];
const move = (uci: string, category: Move["category"], distance: number | null): Move => ({ uci, san: uci, category, distance });

/** The tables by position: White to move at the start and after `a8b8`, else Black. */
const TABLES: Record<string, Move[]> = {
  start: [move("a1a2", "win", 3), move("a1b1", "win", 5), move("a1a8", "draw", null), move("a1c1", "loss", 4)],
  "start a1a2": [move("h8h7", "loss", 2), move("h8g8", "loss", 2), move("h8g7", "loss", 0)],
  "start a1a8": [move("h8a8", "draw", null)],
  "start a1a2 h8g8": [move("a2a8", "win", 1)],
};

function position(fen: string, moves: readonly string[], known: number): Schemas["Position"] {
  const fens = moves.map((_, index) => [fen, ...moves.slice(0, index + 1)].join(" "));
  const last = fens.at(-1) ?? fen;
  return {
    variant: "chess",
    start_fen: fen,
    fen: last,
    turn: moves.length % 2 === 0 ? "white" : "black",
    last: [],
    check: null,
    legal: (TABLES[last] ?? []).map(({ uci, san }) => ({ uci, san })),
    castlings: [],
    status: "ongoing",
    result: moves.at(-1) === "a2a8" ? "1-0" : "*",
    reason: null,
    steps: moves.map((uci, index) => ({ uci, san: uci, fen: fens[index] ?? "", last: [0, 1], check: null })).slice(known),
  } as Schemas["Position"];
}

const services: Services = {
  classes: () => Promise.resolve([{ name: "KRvK", longest: 32 }]),
  draw: () => Promise.resolve({ fen: "start", distance: 3 }),
  position: (fen, moves, known) => Promise.resolve(position(fen, moves, known)),
  table: (fen) => Promise.resolve({ category: "win", distance: 3, moves: TABLES[fen] ?? [] }),
  delay: () => Promise.resolve(),
  // The last of the moves that are as good.
  random: () => 0.99,
};

async function opened(): Promise<Session> {
  const session = new Session(board, services);
  session.follow("KRvK");
  await session.load();
  await vi.waitFor(() => expect(session.phase).toBe("find"));
  return session;
}

describe("an ending", () => {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    vi.stubGlobal("document", { documentElement: { lang: "en" }, getElementById: () => null });
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
  });

  it("is named by its pieces", async () => {
    expect((await opened()).nameOf("KRvK")).toBe("King and rook against King");
  });

  it("is won in par against the longest defense, and kept", async () => {
    const session = await opened();
    expect(session.par).toBe(2);
    await session.play("a1a2");
    expect([session.phase, session.steps.map(({ uci }) => uci)]).toEqual(["find", ["a1a2", "h8g8"]]);
    await session.play("a2a8");
    expect([session.phase, session.moves]).toEqual(["won", 2]);
    expect(stored.get("lozenge.drills.1.d")).toBe('{"KRvK":{"wins":1,"best":0}}');
  });

  it("shows that a move loses the win, and takes it back", async () => {
    const session = await opened();
    await session.play("a1a8");
    expect([session.phase, session.fen, session.canMove]).toEqual(["thrown", "start a1a8", false]);
    expect(session.message).toBe("a1a8 throws the win away: now it is a draw. Black’s best answer is h8a8.");
    session.takeBack();
    expect([session.phase, session.fen, session.canMove, session.moves]).toEqual(["find", "start", true, 1]);
    await session.play("a1c1");
    expect(session.message).toContain("a1c1 even loses.");
    session.takeBack();
    await session.play("a1a2");
    await session.play("a2a8");
    // Moves that were taken back count.
    expect(session.records).toEqual({ KRvK: { wins: 1, best: 2 } });
  });

  it("does not count a win with a hint as the best", async () => {
    const session = await opened();
    session.hint();
    expect(session.arrow).toBe("a1a2");
    await session.play("a1a2");
    expect(session.arrow).toBe(null);
    await session.play("a2a8");
    expect(session.records).toEqual({ KRvK: { wins: 1, best: null } });
  });

  it("goes on after a failure of the server", async () => {
    let isDown = true;
    const session = new Session(board, { ...services, draw: () => (isDown ? Promise.reject(new Error("down")) : services.draw("KRvK")) });
    session.follow("KRvK");
    await session.load();
    await vi.waitFor(() => expect(session.fault).not.toBe(null));
    isDown = false;
    await session.retry();
    expect([session.fault, session.phase]).toEqual([null, "find"]);
  });
});
