/**
 * The WebSocket of a game: reconnects, sends heartbeats, and estimates the offset of the server's clock. Not here: the
 * meaning of messages.
 */
import type { Schemas } from "../common/api.ts";

export type GameEvent = Schemas["Event"];
export type Action = Schemas["Action"];
export type LinkStatus = "connecting" | "open" | "lost";

/** Bounds of the exponential backoff. */
const FIRST_WAIT_MS = 300;
const LAST_WAIT_MS = 8_000;
const PING_MS = 4_000;
/** Time out when the server is silent for this long. */
const SILENCE_MS = 11_000;
/** The number of clock samples kept; the one with the shortest round roundTrip counts. */
const SAMPLES = 8;

export interface ConnectionHandlers {
  event(event: GameEvent): void;
  status(status: LinkStatus): void;
}

/** Monotonic local time in Unix milliseconds. */
export function localNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The delay before an attempt, with jitter so that clients do not all reconnect at once. */
export function retryDelay(attempt: number, chance = Math.random()): number {
  const whole = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  return whole / 2 + (whole / 2) * chance;
}

interface Sample {
  roundTrip: number;
  offset: number;
}

export class Connection {
  readonly #path: () => string;
  readonly #handlers: ConnectionHandlers;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #lastReceived = 0;
  #next = 1;
  readonly #pings = new Map<number, number>();
  #samples: Sample[] = [];
  #roughOffset: number | null = null;
  status: LinkStatus = "connecting";

  /** The path is computed for each attempt, since it contains the last known event. */
  constructor(path: () => string, handlers: ConnectionHandlers) {
    this.#path = path;
    this.#handlers = handlers;
  }

  /** Connects, and reconnects when the page or the network becomes active again. */
  start(): void {
    this.#open();
    window.addEventListener("online", () => this.reconnect());
    window.addEventListener("offline", () => this.#onLost());
    document.addEventListener("visibilitychange", () => {
      // A suspended page may have missed the loss of its connection.
      const doubtful = this.status === "lost" || localNow() - this.#lastReceived > 2 * PING_MS;
      if (document.visibilityState === "visible" && doubtful) this.reconnect();
    });
    window.addEventListener("pageshow", (event) => event.persisted && this.reconnect());
  }

  /** Reconnects at once. */
  reconnect(): void {
    this.#drop();
    this.#attempt = 0;
    this.#open();
  }

  /** The server's time minus local time, in milliseconds. */
  get offset(): number {
    const best = this.#samples.reduce<Sample | null>(
      (known, sample) => (known && known.roundTrip <= sample.roundTrip ? known : sample),
      null,
    );
    return best?.offset ?? this.#roughOffset ?? 0;
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
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify({ id, ...action }));
    return true;
  }

  #open(): void {
    clearTimeout(this.#retry);
    const address = new URL(this.#path(), location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#lastReceived = localNow();
    // The local clock may have stopped while suspended.
    this.#samples = [];
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => this.#check(), PING_MS);
    socket.onopen = () => this.#ping();
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#receive(JSON.parse(message.data as string) as GameEvent);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#onLost();
    };
  }

  #receive(event: GameEvent): void {
    this.#lastReceived = localNow();
    if (event.type === "pong") return this.#measure(event);
    if (event.type === "game" || event.type === "resumed") {
      this.#attempt = 0;
      // A rough estimate until the first pong.
      const { state } = event.type === "game" ? event.game : event.since;
      const at = state.clocks?.at;
      if (at !== undefined) this.#roughOffset = at - localNow();
      this.#setStatus("open");
    }
    this.#handlers.event(event);
  }

  #measure(pong: { id?: number | null; at: number }): void {
    const sent = this.#pings.get(pong.id ?? -1);
    if (sent === undefined) return;
    this.#pings.delete(pong.id ?? -1);
    const roundTrip = this.#lastReceived - sent;
    this.#samples = [...this.#samples, { roundTrip, offset: pong.at - (sent + roundTrip / 2) }].slice(-SAMPLES);
  }

  #ping(): void {
    const id = this.nextId();
    this.#pings.clear();
    this.#pings.set(id, localNow());
    this.send({ type: "ping" }, id);
  }

  #check(): void {
    if (localNow() - this.#lastReceived > SILENCE_MS) this.#onLost();
    else this.#ping();
  }

  #onLost(): void {
    this.#drop();
    this.#setStatus("lost");
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), retryDelay(this.#attempt));
    this.#attempt += 1;
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#retry);
    socket?.close();
  }

  #setStatus(status: LinkStatus): void {
    if (status === this.status) return;
    this.status = status;
    this.#handlers.status(status);
  }
}
