import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Board } from "../board/types.ts";
import { ROUND_MS, Session } from "./session.ts";

const names = ["a1", "a12", "b1", "b12"];
const board = { variant: "diamond", squares: names.map((name) => ({ name })) } as unknown as Board;

describe("a round of coordinates", () => {
  const stored = new Map<string, string>();
  let now = 0;
  const draws: number[] = [];
  const create = (): Session => new Session(board, { now: () => now, random: () => draws.shift() ?? 0 });
  beforeEach(() => {
    stored.clear();
    [now, draws.length] = [1_000, 0];
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
  });

  it("counts the squares found in time, and keeps the best score", () => {
    draws.push(0, 0.5, 0, 0);
    const session = create();
    session.start();
    expect([session.nameOf(session.asked), session.nameOf(session.following)]).toEqual(["a1", "b1"]);
    session.answer(3);
    expect([session.score, session.misses, session.nameOf(session.asked), session.last]).toEqual([0, 1, "a1", { square: 3, isRight: false }]);
    session.answer(0);
    expect([session.score, session.nameOf(session.asked)]).toEqual([1, "b1"]);
    now += ROUND_MS - 1;
    session.tick();
    expect(session.phase).toBe("running");
    now += 1;
    session.tick();
    session.answer(2);
    expect([session.phase, session.score, session.isRecord]).toEqual(["over", 1, true]);
    expect(create().best).toEqual({ find: 1, name: 0 });
  });

  it("never asks for the same square twice in a row", () => {
    const session = new Session(board, { now: () => 0, random: Math.random });
    session.start();
    for (let round = 0; round < 200; round += 1) {
      expect(session.following).not.toBe(session.asked);
      session.answer(session.asked);
    }
  });

  it("takes a typed name once it is right or cannot become so", () => {
    draws.push(0.25, 0, 0);
    const session = create();
    session.choose("name");
    session.start();
    expect(session.nameOf(session.asked)).toBe("a12");
    for (const text of ["", "a", "a1"]) expect([text, session.type(text), session.misses]).toEqual([text, false, 0]);
    expect([session.type("b"), session.misses]).toEqual([true, 1]);
    expect([session.type("A12 "), session.score]).toEqual([true, 1]);
  });

  it("does not count when stopped, and reads only scores", () => {
    stored.set("lozenge.coordinates.1.diamond", '{"find":"7","name":-1}');
    const session = create();
    session.start();
    session.answer(session.asked);
    session.stop();
    expect([session.phase, session.best]).toEqual(["ready", { find: 0, name: 0 }]);
  });
});
