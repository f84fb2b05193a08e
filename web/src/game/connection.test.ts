/** The connection and the session over it, on a socket and a clock of the test's own. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Schemas } from "../common/api.ts";
import { retryDelay } from "../common/socket.ts";
import type { GameEvent } from "./connection.ts";
import type { Game } from "./record.ts";
import { entry, game } from "./samples.ts";
import { GameSession } from "./session.ts";

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly address: URL) {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.readyState = 3;
  }
  /** The server takes the connection and tells the game. */
  welcome(state = game()): void {
    this.readyState = 1;
    this.onopen?.();
    this.hear({ type: "game", game: state });
  }
  /** The server takes the connection and tells what has changed since. */
  resume(since: Schemas["Since"]): void {
    this.readyState = 1;
    this.onopen?.();
    this.hear({ type: "resumed", since });
  }
  hear(event: GameEvent): void {
    this.onmessage?.({ data: JSON.stringify(event) });
  }
  break(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  get moves(): unknown[] {
    return this.sent.filter((message) => message.type === "move").map(({ move, ply }) => [move, ply]);
  }
}

const newest = (): FakeSocket => {
  const socket = FakeSocket.all.at(-1);
  if (!socket) throw new Error("expected a socket");
  return socket;
};

describe("a session", () => {
  let session: GameSession;
  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.all = [];
    const target = { addEventListener: () => undefined };
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("window", target);
    vi.stubGlobal("document", { ...target, getElementById: () => null });
    vi.stubGlobal("location", { href: "http://127.0.0.1/game/x" });
    session = new GameSession(game());
    session.connection.start();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  const reconnect = (): FakeSocket => {
    vi.advanceTimersByTime(10_000);
    return newest();
  };

  it("sends a move once while the connection holds", () => {
    newest().welcome();
    session.play("a1a2");
    newest().hear({ type: "ack", id: session.pending?.id ?? null });
    const { state } = game({ moves: [{ uci: "a1a2" }] });
    newest().hear({ type: "state", move: entry({ uci: "a1a2" }), state });
    expect(newest().moves).toEqual([["a1a2", 0]]);
    expect(session.pending).toBeNull();
  });

  it("sends a move again that was on its way when the connection broke", () => {
    newest().welcome();
    session.play("a1a2");
    newest().break();
    expect(session.link).toBe("lost");
    const again = reconnect();
    again.welcome();
    expect(session.link).toBe("open");
    expect(again.moves).toEqual([["a1a2", 0]]);
    expect(session.pending).not.toBeNull();
  });

  it("does not send a move again that had arrived", () => {
    newest().welcome();
    session.play("a1a2");
    newest().break();
    const again = reconnect();
    again.welcome(game({ moves: [{ uci: "a1a2" }, { uci: "b8b7" }] }));
    expect(again.moves).toEqual([]);
    expect(session.pending).toBeNull();
  });

  it("asks for what it has missed, and completes with it what it knows", () => {
    newest().welcome(game({ moves: [{ uci: "a1a2" }, { uci: "b8b7" }, { uci: "a2a3" }] }));
    newest().break();
    const again = reconnect();
    expect(new URL(again.address).searchParams.get("after")).toBe("3");
    // The last two were taken back, and another one was played.
    const { state } = game({ moves: [{ uci: "a1a2" }, { uci: "c8c7" }], state: { seq: 6 } });
    const { white, black } = game();
    const since = { kept: 1, history: [entry({ uci: "c8c7" })], state, white, black, you: "white" as const };
    again.resume(since);
    expect(session.link).toBe("open");
    expect(session.game.history.map(({ uci }) => uci)).toEqual(["a1a2", "c8c7"]);
    expect(session.game.state.seq).toBe(6);
  });

  it("resends a move after a resume without missed events", () => {
    newest().welcome();
    session.play("a1a2");
    newest().break();
    const { state, white, black } = game();
    const again = reconnect();
    again.resume({ kept: 0, history: [], state, white, black, you: "white" });
    expect(again.moves).toEqual([["a1a2", 0]]);
  });

  it("asks for the whole game when what it missed does not fit what it knows", () => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (address: string) => {
      asked.push(address);
      return new Promise<Response>(() => undefined);
    });
    newest().welcome();
    newest().break();
    const { state, white, black } = game({ moves: [{ uci: "a1a2" }, { uci: "c8c7" }] });
    reconnect().resume({ kept: 1, history: [entry({ uci: "c8c7" })], state, white, black, you: "white" });
    expect(asked).toHaveLength(1);
    expect(session.game.history).toHaveLength(0);
  });

  it("keeps a move that was made without a connection", () => {
    newest().welcome();
    newest().break();
    session.play("a1a2");
    const again = reconnect();
    again.welcome();
    expect(again.moves).toEqual([["a1a2", 0]]);
  });

  it("takes a refused move back and says why", () => {
    newest().welcome();
    session.play("a1a9");
    const problem = { type: "", title: "", status: 422, detail: "no such square", code: "illegal_move" };
    newest().hear({ type: "error", id: session.pending?.id ?? null, problem });
    expect([session.pending, session.refusals]).toEqual([null, 1]);
    expect(session.problem).toBe("“a1a9” is not a legal move. Example: a1a2.");
  });

  it("gives a line of chat back that was refused, beside the chat", () => {
    newest().welcome();
    const back: string[] = [];
    const say = (text: string): number => {
      session.sendChat("players", text, () => back.push(text));
      return Number(newest().sent.at(-1)?.id);
    };
    const [first, second] = [say("Hello"), say("And more")];
    newest().hear({ type: "ack", id: first });
    const problem = { type: "", title: "", status: 429, detail: "at most 8", code: "too_many_requests" };
    newest().hear({ type: "error", id: second, problem });
    expect(back).toEqual(["And more"]);
    expect(session.chatProblem).toBe("Too many requests. Wait a moment and try again.");
    expect(session.problem).toBeNull();
    newest().break();
    say("Anybody there?");
    expect(back).toEqual(["And more", "Anybody there?"]);
  });

  it("says that the engine declines a draw, which it does at once", () => {
    const engine = { kind: "engine", id: "engine", name: "Lozenge", level: 1 } as const;
    const moves = [{ uci: "a1a2" }, { uci: "b8b7" }];
    newest().welcome({ ...game({ moves }), black: engine });
    session.act({ type: "draw" });
    expect(session.note).toBeNull();
    newest().hear({ type: "state", state: game({ moves, state: { seq: 4 } }).state });
    expect([session.note, session.announcement]).toEqual(["The engine declines the draw offer.", "The engine declines the draw offer."]);
  });

  it("says nothing of the kind when the engine agrees", () => {
    const engine = { kind: "engine", id: "engine", name: "Lozenge", level: 1 } as const;
    const moves = [{ uci: "a1a2" }, { uci: "b8b7" }];
    newest().welcome({ ...game({ moves }), black: engine });
    session.act({ type: "draw" });
    const over = { seq: 3, status: "finished", result: "1/2-1/2", reason: "agreement" } as const;
    newest().hear({ type: "state", state: game({ moves, state: over }).state });
    expect([session.note, session.announcement]).toEqual([null, "Draw by agreement."]);
  });

  it("does not say anything but moves without a connection", () => {
    newest().welcome();
    newest().break();
    session.act({ type: "draw" });
    expect(session.problem).toContain("No connection");
    const again = reconnect();
    again.welcome();
    expect(again.sent.filter((message) => message.type === "draw")).toEqual([]);
  });

  describe("with the whole game asked for", () => {
    let answer: (game: Game) => void;
    let asked: number;
    beforeEach(() => {
      asked = 0;
      vi.stubGlobal("fetch", () => {
        asked += 1;
        return new Promise<Response>((resolve) => {
          answer = (game) => resolve(Response.json(game));
        });
      });
      newest().welcome(game({ status: "waiting" }));
      newest().hear({ type: "state", state: game({ state: { seq: 1 } }).state });
    });
    const respond = async (state: Game): Promise<void> => {
      answer(state);
      await vi.advanceTimersByTimeAsync(1);
    };
    const joined = game({ state: { seq: 1 } });
    const played = game({ moves: [{ uci: "a1a2" }], state: { seq: 2 } });

    it("takes the answer", async () => {
      await respond(joined);
      expect([session.game.state.status, asked]).toEqual(["started", 1]);
    });

    it("ignores an answer that is older than the socket's state", async () => {
      newest().welcome(played);
      await respond(joined);
      expect(session.game.state.ply).toBe(1);
    });

    it("keeps the player's side when the answer was for a visitor who had not joined", async () => {
      newest().welcome(joined);
      await respond({ ...joined, you: null });
      expect(session.game.you).toBe("white");
    });

    it("asks again when something has changed since it asked", async () => {
      newest().hear({ type: "state", move: entry({ uci: "a1a2" }), state: played.state });
      expect(asked).toBe(1);
      await respond(joined);
      expect(asked).toBe(2);
      await respond(played);
      expect([session.game.state.ply, asked]).toEqual([1, 2]);
    });
  });

  it("skips changes that the game already contains", () => {
    newest().welcome(game({ moves: [{ uci: "a1a2" }, { uci: "b8b7" }] }));
    newest().hear({ type: "state", move: entry({ uci: "a1a2" }), state: game({ moves: [{ uci: "a1a2" }] }).state });
    expect(session.game.history).toHaveLength(2);
  });

  it("gives up a connection that has gone silent", () => {
    const first = newest();
    first.welcome();
    vi.advanceTimersByTime(30_000);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
    expect(first.readyState).toBe(3);
  });

  it("waits longer from attempt to attempt, up to a bound", () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(attempt, 1))).toEqual([
      300, 600, 1200, 2400, 4800, 8000, 8000,
    ]);
    expect(retryDelay(3, 0)).toBe(1200);
  });

  it("reads the server's clock off the quickest answer", () => {
    newest().welcome();
    const [ping] = newest().sent.filter((message) => message.type === "ping");
    const now = performance.timeOrigin + performance.now();
    newest().hear({ type: "pong", id: Number(ping?.id), at: Math.round(now + 5_000) });
    expect(Math.round(session.connection.offset / 10)).toBe(500);
  });
});
