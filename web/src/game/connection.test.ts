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
  /** The server accepts the connection and sends the game. */
  sendGame(state = game()): void {
    this.readyState = 1;
    this.onopen?.();
    this.receive({ type: "game", game: state });
  }
  /** The server accepts the connection and sends the changes since the last one. */
  resume(since: Schemas["Since"]): void {
    this.readyState = 1;
    this.onopen?.();
    this.receive({ type: "resumed", since });
  }
  receive(event: GameEvent): void {
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

describe("a game session", () => {
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

  it("sends a move once on a stable connection", () => {
    newest().sendGame();
    session.play("a1a2");
    newest().receive({ type: "ack", id: session.sent?.id ?? null });
    const { state } = game({ moves: [{ uci: "a1a2" }] });
    newest().receive({ type: "state", move: entry({ uci: "a1a2" }), state });
    expect(newest().moves).toEqual([["a1a2", 0]]);
    expect(session.sent).toBeNull();
  });

  it("sends a sent move again after a reconnect", () => {
    newest().sendGame();
    session.play("a1a2");
    newest().break();
    expect(session.link).toBe("lost");
    const second = reconnect();
    second.sendGame();
    expect(session.link).toBe("open");
    expect(second.moves).toEqual([["a1a2", 0]]);
    expect(session.sent).not.toBeNull();
  });

  it("does not send a move again that the server has received", () => {
    newest().sendGame();
    session.play("a1a2");
    newest().break();
    const second = reconnect();
    second.sendGame(game({ moves: [{ uci: "a1a2" }, { uci: "b8b7" }] }));
    expect(second.moves).toEqual([]);
    expect(session.sent).toBeNull();
  });

  it("requests missed events after a reconnect and applies them", () => {
    newest().sendGame(game({ moves: [{ uci: "a1a2" }, { uci: "b8b7" }, { uci: "a2a3" }] }));
    newest().break();
    const second = reconnect();
    expect(new URL(second.address).searchParams.get("after")).toBe("3");
    // The last two were taken back, and another one was played.
    const { state } = game({ moves: [{ uci: "a1a2" }, { uci: "c8c7" }], state: { seq: 6 } });
    const { white, black } = game();
    const since = { kept: 1, history: [entry({ uci: "c8c7" })], state, white, black, you: "white" as const };
    second.resume(since);
    expect(session.link).toBe("open");
    expect(session.game.history.map(({ uci }) => uci)).toEqual(["a1a2", "c8c7"]);
    expect(session.game.state.seq).toBe(6);
  });

  it("resends a move after a resume without missed events", () => {
    newest().sendGame();
    session.play("a1a2");
    newest().break();
    const { state, white, black } = game();
    const second = reconnect();
    second.resume({ kept: 0, history: [], state, white, black, you: "white" });
    expect(second.moves).toEqual([["a1a2", 0]]);
  });

  it("requests the whole game if the missed events do not fit", () => {
    const requests: string[] = [];
    vi.stubGlobal("fetch", (address: string) => {
      requests.push(address);
      return new Promise<Response>(() => undefined);
    });
    newest().sendGame();
    newest().break();
    const { state, white, black } = game({ moves: [{ uci: "a1a2" }, { uci: "c8c7" }] });
    reconnect().resume({ kept: 1, history: [entry({ uci: "c8c7" })], state, white, black, you: "white" });
    expect(requests).toHaveLength(1);
    expect(session.game.history).toHaveLength(0);
  });

  it.each([
    ["sent", () => session.play("a2a3")],
    ["unconfirmed", () => session.entered.enter({ id: null, move: "a2a4", ply: 2 })],
  ])("drops a %s move when others replace the moves before it", (_, enter) => {
    newest().sendGame(game({ moves: [{ uci: "a1a2" }, { uci: "b8b7" }] }));
    newest().break();
    enter();
    expect(session.entered.waiting).not.toBeNull();
    // The last two were taken back and replaced: the game has as many moves as before.
    const { state, white, black } = game({ moves: [{ uci: "a1a2" }, { uci: "c8c7" }], state: { seq: 6 } });
    const second = reconnect();
    second.resume({ kept: 1, history: [entry({ uci: "c8c7" })], state, white, black, you: "white" });
    expect(second.moves).toEqual([]);
    expect([session.sent, session.unconfirmed, session.takebacks, session.entered.refusals]).toEqual([null, null, 1, 1]);
  });

  it("counts takebacks, and no moves, refreshes or new connections", () => {
    const moves = [{ uci: "a1a2" }, { uci: "b8b7" }];
    newest().sendGame(game({ moves }));
    newest().receive({ type: "state", move: entry({ uci: "a2a3" }), state: game({ moves: [...moves, { uci: "a2a3" }] }).state });
    newest().break();
    reconnect().sendGame(game({ moves: [...moves, { uci: "a2a3" }], state: { seq: 3 } }));
    expect(session.takebacks).toBe(0);
    newest().receive({ type: "state", move: null, state: game({ moves: moves.slice(0, 1), state: { seq: 4 } }).state });
    expect(session.takebacks).toBe(1);
  });

  it("sends a move that was made offline after a reconnect", () => {
    newest().sendGame();
    newest().break();
    session.play("a1a2");
    const second = reconnect();
    second.sendGame();
    expect(second.moves).toEqual([["a1a2", 0]]);
  });

  it("takes back a rejected move and shows the reason", () => {
    newest().sendGame();
    session.play("a1a9");
    const problem = { type: "", title: "", status: 422, detail: "no such square", code: "illegal_move" };
    newest().receive({ type: "error", id: session.sent?.id ?? null, problem });
    expect([session.sent, session.entered.refusals]).toEqual([null, 1]);
    expect(session.problem).toBe("“a1a9” is not a legal move. Example: a1a2.");
  });

  it("returns a rejected chat message to the input with a reason", () => {
    newest().sendGame();
    const returned: string[] = [];
    const sendMessage = (text: string): number => {
      session.sendChat("players", text, () => returned.push(text));
      return Number(newest().sent.at(-1)?.id);
    };
    const [first, second] = [sendMessage("Hello"), sendMessage("And more")];
    newest().receive({ type: "ack", id: first });
    const problem = { type: "", title: "", status: 429, detail: "at most 8", code: "too_many_requests" };
    newest().receive({ type: "error", id: second, problem });
    expect(returned).toEqual(["And more"]);
    expect(session.chatProblem).toBe("Too many requests. Wait a moment and try again.");
    expect(session.problem).toBeNull();
    newest().break();
    sendMessage("Anybody there?");
    expect(returned).toEqual(["And more", "Anybody there?"]);
  });

  it("announces that the engine declines a draw", () => {
    const engine = { kind: "engine", id: "engine", name: "Lozenge", level: 1 } as const;
    const moves = [{ uci: "a1a2" }, { uci: "b8b7" }];
    newest().sendGame({ ...game({ moves }), black: engine });
    session.sendAction({ type: "draw" });
    expect(session.note).toBeNull();
    newest().receive({ type: "state", state: game({ moves, state: { seq: 4 } }).state });
    expect([session.note, session.announcement]).toEqual(["The engine declines the draw offer.", "The engine declines the draw offer."]);
  });

  it("announces no declined draw if the engine accepts", () => {
    const engine = { kind: "engine", id: "engine", name: "Lozenge", level: 1 } as const;
    const moves = [{ uci: "a1a2" }, { uci: "b8b7" }];
    newest().sendGame({ ...game({ moves }), black: engine });
    session.sendAction({ type: "draw" });
    const over = { seq: 3, status: "finished", result: "1/2-1/2", reason: "agreement" } as const;
    newest().receive({ type: "state", state: game({ moves, state: over }).state });
    expect([session.note, session.announcement]).toEqual([null, "Draw by agreement."]);
  });

  it("queues only moves while offline", () => {
    newest().sendGame();
    newest().break();
    session.sendAction({ type: "draw" });
    expect(session.problem).toContain("No connection");
    const second = reconnect();
    second.sendGame();
    expect(second.sent.filter((message) => message.type === "draw")).toEqual([]);
  });

  describe("after requesting the whole game", () => {
    let answer: (game: Game) => void;
    let requests: number;
    beforeEach(() => {
      requests = 0;
      vi.stubGlobal("fetch", () => {
        requests += 1;
        return new Promise<Response>((resolve) => {
          answer = (game) => resolve(Response.json(game));
        });
      });
      newest().sendGame(game({ status: "waiting" }));
      newest().receive({ type: "state", state: game({ state: { seq: 1 } }).state });
    });
    const answerAction = async (state: Game): Promise<void> => {
      answer(state);
      await vi.advanceTimersByTimeAsync(1);
    };
    const joined = game({ state: { seq: 1 } });
    const played = game({ moves: [{ uci: "a1a2" }], state: { seq: 2 } });

    it("uses the answer", async () => {
      await answerAction(joined);
      expect([session.game.state.status, requests]).toEqual(["started", 1]);
    });

    it("ignores an answer older than the state from the socket", async () => {
      newest().sendGame(played);
      await answerAction(joined);
      expect(session.game.state.ply).toBe(1);
    });

    it("keeps the player's side if the request predates joining", async () => {
      newest().sendGame(joined);
      await answerAction({ ...joined, you: null });
      expect(session.game.you).toBe("white");
    });

    it("requests the game again if it has changed since the request", async () => {
      newest().receive({ type: "state", move: entry({ uci: "a1a2" }), state: played.state });
      expect(requests).toBe(1);
      await answerAction(joined);
      expect(requests).toBe(2);
      await answerAction(played);
      expect([session.game.state.ply, requests]).toEqual([1, 2]);
    });
  });

  it("skips events that the game already contains", () => {
    newest().sendGame(game({ moves: [{ uci: "a1a2" }, { uci: "b8b7" }] }));
    newest().receive({ type: "state", move: entry({ uci: "a1a2" }), state: game({ moves: [{ uci: "a1a2" }] }).state });
    expect(session.game.history).toHaveLength(2);
  });

  it("closes a connection that is silent for too long", () => {
    const first = newest();
    first.sendGame();
    vi.advanceTimersByTime(30_000);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
    expect(first.readyState).toBe(3);
  });

  it("increases the reconnect delay up to a maximum", () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(attempt, 1))).toEqual([
      300, 600, 1200, 2400, 4800, 8000, 8000,
    ]);
    expect(retryDelay(3, 0)).toBe(1200);
  });

  it("estimates the server's clock from the fastest pong", () => {
    newest().sendGame();
    const [ping] = newest().sent.filter((message) => message.type === "ping");
    const now = performance.timeOrigin + performance.now();
    newest().receive({ type: "pong", id: Number(ping?.id), at: Math.round(now + 5_000) });
    expect(Math.round(session.connection.offset / 10)).toBe(500);
  });
});
