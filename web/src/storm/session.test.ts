import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Schemas } from "../common/api.ts";
import type { Board } from "../board/types.ts";
import { type Services, Session } from "./session.ts";

const board = { variant: "diamond", name: "Diamond Chess" } as unknown as Board;

/** White solves the first puzzle by two moves, and each other by one. */
const PUZZLES: Schemas["StormPuzzle"][] = [
  { id: "p1", fen: "p1", lead: "a8a7", line: ["a1a2", "a7a6", "a2a3"], rating: 900 },
  ...[2, 3, 4].map((number) => ({ id: `p${number}`, fen: `p${number}`, lead: "a8a7", line: ["a1a2"], rating: 900 + 100 * number })),
];

function position(fen: string, moves: readonly string[]): Schemas["Position"] {
  const fens = moves.map((_, index) => `${[fen, ...moves.slice(0, index + 1)].join("/")} ${index % 2 === 0 ? "w" : "b"}`);
  const legal = ["a1a2", "a2a3", "b1b8", "c1c2"].map((uci) => ({ uci, san: uci }));
  return {
    fen: fens.at(-1) ?? fen,
    legal,
    castlings: [],
    // Another move than the line's that wins at once.
    result: moves.at(-1) === "b1b8" ? "1-0" : "*",
    steps: moves.map((uci, index) => ({ uci, san: uci, fen: fens[index] ?? "", last: [0, 1], check: null })),
  } as unknown as Schemas["Position"];
}

describe("a storm", () => {
  const stored = new Map<string, string>();
  let now = 0;
  const services: Services = {
    puzzles: () => Promise.resolve(PUZZLES),
    position: (fen, moves) => Promise.resolve(position(fen, moves)),
    delay: () => Promise.resolve(),
    now: () => now,
  };
  const begun = async (): Promise<Session> => {
    const session = new Session(board, services);
    await session.begin();
    return session;
  };
  beforeEach(() => {
    stored.clear();
    now = 0;
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
  });

  it("starts its clock with the first move, and plays the replies", async () => {
    const session = await begun();
    now = 50_000;
    expect([session.phase, session.left, session.side]).toEqual(["ready", 180_000, "white"]);
    await session.play("a1a2");
    expect([session.phase, session.step?.uci, session.score, session.combo]).toEqual(["running", "a7a6", 0, 1]);
    now += 1_000;
    expect(session.left).toBe(179_000);
    await session.play("a2a3");
    expect([session.puzzle?.id, session.score, session.combo]).toEqual(["p2", 1, 2]);
  });

  it("costs ten seconds and the combo for a wrong move, goes on", async () => {
    const session = await begun();
    await session.play("c1c2");
    expect([session.puzzle?.id, session.score, session.combo, session.left, session.entered.refusals]).toEqual(["p2", 0, 0, 170_000, 1]);
    await session.play("b1b8");
    expect([session.puzzle?.id, session.score, session.accuracy]).toEqual(["p3", 1, 50]);
  });

  it("ends with its time, and keeps the best score", async () => {
    const session = await begun();
    await session.play("b1b8");
    now = 179_999;
    session.tick();
    expect(session.phase).toBe("running");
    now = 180_000;
    await session.play("a1a2");
    expect([session.phase, session.score, session.isRecord]).toEqual(["over", 1, true]);
    expect(stored.get("lozenge.storm.1.diamond")).toBe("1");
    await session.begin();
    expect([session.phase, session.score, session.best]).toEqual(["ready", 0, 1]);
  });

  it("ends with the last puzzle", async () => {
    const session = await begun();
    for (let count = 0; count < PUZZLES.length; count += 1) await session.play("b1b8");
    expect([session.phase, session.score, session.hardest]).toEqual(["over", 4, 1300]);
  });
});
