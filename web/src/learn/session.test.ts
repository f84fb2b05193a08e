import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, type Schemas } from "../common/api.ts";
import type { Board } from "../board/types.ts";
import type { Course } from "./course.ts";
import { level, state } from "./samples.ts";
import { type Services, Session } from "./session.ts";

const squares = [{ name: "a1", file: 0, rank: 0, dark: true }];
const board = { squares } as unknown as Board;

const mate = level({ id: "winning-1", goal: { kind: "mate" }, solution: ["a1a3"] });
const tour = level({ id: "piece-r-1", stars: ["a2", "b2"], hero: "a1", par: 2, solution: ["a1a2", "a2b2"] });
const game = level({ id: "game-1", goal: { kind: "play", level: 0, moves: 5 }, par: 5 });
const course: Course = {
  variant: "diamond",
  digest: "d",
  stages: [{ id: "all", title: "All", levels: [mate, tour, game] }],
};

type Attempt = Schemas["LessonAttempt"];

function services(answer: (attempt: Attempt) => Schemas["LessonState"], changes: Partial<Services> = {}): Services {
  return {
    course: () => Promise.resolve(course),
    attempt: async (attempt) => answer(attempt),
    startGame: () => Promise.resolve("g1"),
    game: () => Promise.resolve({ moves: 0, isOver: false }),
    delay: () => Promise.resolve(),
    share: () => Promise.resolve(null),
    ...changes,
  };
}

const beginning = state("going", []);
const missed = state("missed", ["a1b1", "a8b8"]);
const done = state("done", ["a1a3"]);
const byMove = ({ move }: Attempt) => (move === undefined || move === null ? beginning : move === "a1a3" ? done : missed);

async function opened(id: string, from: Services): Promise<Session> {
  const session = new Session(board, from);
  session.follow(id);
  await session.load();
  await vi.waitFor(() => expect(session.phase).not.toBe("loading"));
  return session;
}

describe("a level", () => {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
  });

  it("is solved in par for three stars, which are kept", async () => {
    const session = await opened("winning-1", services(byMove));
    await session.play("a1a3");
    expect([session.phase, session.stars, session.fen]).toEqual(["solved", 3, "after a1a3"]);
    expect(stored.get("lozenge.learn.1.d")).toBe('{"stars":{"winning-1":3}}');
    const later = new Session(board, services(byMove));
    await later.load();
    expect([later.open, later.progress.stars, later.next?.level.id]).toEqual([null, { "winning-1": 3 }, "piece-r-1"]);
  });

  it("is merged with the account's", async () => {
    stored.set("lozenge.learn.1.d", '{"stars":{"winning-1":1}}');
    const account: Record<string, number> = { "piece-r-1": 2 };
    const sent: Record<string, number>[] = [];
    const share = async (stars: Record<string, number>) => {
      sent.push(stars);
      for (const [level, count] of Object.entries(stars)) account[level] = Math.max(count, account[level] ?? 0);
      return { ...account };
    };
    const session = await opened("winning-1", services(byMove, { share }));
    await vi.waitFor(() => expect(session.progress.stars).toEqual({ "winning-1": 1, "piece-r-1": 2 }));
    await session.play("a1a3");
    expect(sent).toEqual([{ "winning-1": 1 }, { "winning-1": 3 }]);
    await vi.waitFor(() => expect(account).toEqual({ "winning-1": 3, "piece-r-1": 2 }));
    const offline = services(byMove, { share: () => Promise.reject(new Error("no network")) });
    const later = await opened("winning-1", offline);
    expect([later.fault, later.progress.stars["piece-r-1"]]).toEqual([null, 2]);
  });

  it("answers a miss, goes back, shows an arrow after two misses", async () => {
    const seen: string[] = [];
    const session = await opened("winning-1", services(byMove));
    session.subscribe(() => seen.push(`${session.phase} ${session.fen}`));
    await session.play("a1b1");
    expect([...new Set(seen)]).toEqual(["checking start", "missed after a1b1", "missed after a8b8", "find start"]);
    expect([session.misses, session.arrows]).toEqual([1, []]);
    await session.play("a1b1");
    expect(session.arrows).toEqual([["a1", "a3"]]);
    await session.play("a1a3");
    // Three moves where one would do.
    expect([session.phase, session.stars]).toEqual(["solved", 1]);
  });

  it("asks on from where the attempt has come to", async () => {
    const asked: Attempt[] = [];
    const next = state("going", ["a1a2"], { stars: ["b2"], hero: "a2" });
    const session = await opened("piece-r-1", services((attempt) => {
      asked.push(attempt);
      return attempt.move ? next : state("going", [], { stars: ["a2", "b2"], hero: "a1" });
    }));
    await session.play("Ra2");
    expect(asked.map(({ move, stars, hero }) => [move, stars, hero])).toEqual([
      [undefined, ["a2", "b2"], "a1"],
      ["a1a2", ["a2", "b2"], "a1"],
    ]);
    expect([session.phase, session.starsLeft, session.moves]).toEqual(["find", ["b2"], 1]);
  });

  it("refuses an illegal move without asking", async () => {
    const session = await opened("winning-1", services(byMove));
    await session.play("z9z9");
    expect([session.phase, session.entered.refusals, session.moves]).toEqual(["find", 1, 0]);
    expect(session.message).toContain("z9z9");
  });

  it("shows a refusal of the server, and asks again when told to", async () => {
    let isSlow = true;
    const problem = { type: "about:blank", title: "Too Many Requests", status: 429, detail: "too many", code: "slow" };
    const session = await opened("winning-1", services((attempt) => {
      if (isSlow && attempt.move) throw new ApiError(problem);
      return byMove(attempt);
    }));
    await session.play("a1a3");
    expect([session.phase, session.fault, session.canRetry, session.entered.refusals]).toEqual(["find", "Too many requests. Wait a moment and try again.", true, 1]);
    isSlow = false;
    await session.retry();
    expect([session.phase, session.fault, session.moves]).toEqual(["solved", null, 1]);
  });

  it("loads the course again after a failure", async () => {
    let isDown = true;
    const from = services(byMove, {
      course: () => (isDown ? Promise.reject(new TypeError("no network")) : Promise.resolve(course)),
    });
    const session = new Session(board, from);
    session.follow("winning-1");
    await session.load();
    expect([session.course, session.canRetry, session.open]).toEqual([null, true, null]);
    isDown = false;
    await session.retry();
    await vi.waitFor(() => expect(session.phase).toBe("find"));
    expect(session.open?.level.id).toBe("winning-1");
  });

  it("that is a game is solved once it has gone far enough", async () => {
    let moves = 2;
    const from = services(byMove, { game: () => Promise.resolve({ moves, isOver: false }) });
    const session = new Session(board, from);
    session.follow("game-1");
    await session.load();
    expect(await session.startGame()).toBe("/game/g1");
    expect(await session.startGame()).toBe("/game/g1");
    const again = async (): Promise<number | undefined> => {
      const other = new Session(board, from);
      await other.load();
      return other.progress.stars["game-1"];
    };
    expect(await again()).toBeUndefined();
    moves = 5;
    expect(await again()).toBe(3);
  });
});
