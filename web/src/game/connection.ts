/**
 * The WebSocket of a game, which estimates the offset of the server's clock. Not here: the meaning of messages, and reconnecting
 * (`common/socket`).
 */
import type { Schemas } from "../common/api.ts";
import { type LinkStatus, ReconnectingSocket } from "../common/socket.ts";

export type GameEvent = Schemas["Event"];
export type Action = Schemas["Action"];

/** The number of stored clock samples; the one with the shortest round trip counts. */
const SAMPLES = 8;

export interface ConnectionHandlers {
  event(event: GameEvent): void;
  status(status: LinkStatus): void;
}

/** Monotonic local time in Unix milliseconds. */
export function localNow(): number {
  return performance.timeOrigin + performance.now();
}

interface Sample {
  roundTrip: number;
  offset: number;
}

export class Connection {
  readonly #socket: ReconnectingSocket;
  readonly #handlers: ConnectionHandlers;
  #next = 1;
  readonly #pings = new Map<number, number>();
  #samples: Sample[] = [];
  #initialOffset: number | null = null;

  /** The path is computed for each attempt, since it contains the last known event. */
  constructor(path: () => string, handlers: ConnectionHandlers) {
    this.#handlers = handlers;
    this.#socket = new ReconnectingSocket(path, {
      connecting: () => {
        // The local clock may have stopped while suspended.
        this.#samples = [];
      },
      connected: () => this.#ping(),
      message: (text) => this.#receive(JSON.parse(text) as GameEvent),
      heartbeat: () => this.#ping(),
      status: (status) => handlers.status(status),
    });
  }

  get status(): LinkStatus {
    return this.#socket.status;
  }

  /** Connects, and reconnects when the page or the network becomes active again. */
  start(): void {
    this.#socket.start();
  }

  /** Reconnects at once. */
  reconnect(): void {
    this.#socket.reconnect();
  }

  /** The server's time minus local time, in milliseconds. */
  get offset(): number {
    const best = this.#samples.reduce<Sample | null>(
      (fastest, sample) => (fastest && fastest.roundTrip <= sample.roundTrip ? fastest : sample),
      null,
    );
    return best?.offset ?? this.#initialOffset ?? 0;
  }

  /** The estimated time of the server. */
  now(): number {
    return localNow() + this.offset;
  }

  /** An id for the next message. */
  nextId(): number {
    return this.#next++;
  }

  /** Returns false without a connection. Only an answer proves that the message arrived. */
  send(action: Action, id: number): boolean {
    return this.#socket.send({ id, ...action });
  }

  #receive(event: GameEvent): void {
    if (event.type === "pong") return this.#measure(event);
    if (event.type === "game" || event.type === "resumed") {
      // A rough estimate until the first pong.
      const { state } = event.type === "game" ? event.game : event.since;
      const at = state.clocks?.at;
      if (at !== undefined) this.#initialOffset = at - localNow();
      this.#socket.markOpen();
    }
    this.#handlers.event(event);
  }

  #measure(pong: { id?: number | null; at: number }): void {
    const sent = this.#pings.get(pong.id ?? -1);
    if (sent === undefined) return;
    this.#pings.delete(pong.id ?? -1);
    const roundTrip = localNow() - sent;
    this.#samples = [...this.#samples, { roundTrip, offset: pong.at - (sent + roundTrip / 2) }].slice(-SAMPLES);
  }

  #ping(): void {
    const id = this.nextId();
    this.#pings.clear();
    this.#pings.set(id, localNow());
    this.send({ type: "ping" }, id);
  }
}
