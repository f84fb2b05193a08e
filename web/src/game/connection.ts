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
/** The number of clock samples kept; the one with the shortest round trip counts. */
const SAMPLES = 8;

export interface Heard {
  event(event: GameEvent): void;
  status(status: LinkStatus): void;
}

/** Monotonic local time in Unix milliseconds. */
export function localNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The delay before an attempt, with jitter so that clients do not all reconnect at once. */
export function wait(attempt: number, chance = Math.random()): number {
  const whole = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  return whole / 2 + (whole / 2) * chance;
}

interface Sample {
  trip: number;
  offset: number;
}

export class Connection {
  readonly #path: () => string;
  readonly #heard: Heard;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #lastHeard = 0;
  #next = 1;
  readonly #pings = new Map<number, number>();
  #samples: Sample[] = [];
  #rough: number | null = null;
  status: LinkStatus = "connecting";

  /** The path is computed for each attempt, since it contains the last known event. */
  constructor(path: () => string, heard: Heard) {
    this.#path = path;
    this.#heard = heard;
  }

  /** Connects, and reconnects when the page or the network becomes active again. */
  start(): void {
    this.#open();
    window.addEventListener("online", () => this.renew());
    window.addEventListener("offline", () => this.#lose());
    document.addEventListener("visibilitychange", () => {
      // A suspended page may have missed the loss of its connection.
      const doubtful = this.status === "lost" || localNow() - this.#lastHeard > 2 * PING_MS;
      if (document.visibilityState === "visible" && doubtful) this.renew();
    });
    window.addEventListener("pageshow", (event) => event.persisted && this.renew());
  }

  /** Reconnects at once. */
  renew(): void {
    this.#drop();
    this.#attempt = 0;
    this.#open();
  }

  /** The server's time minus local time, in milliseconds. */
  get offset(): number {
    const best = this.#samples.reduce<Sample | null>(
      (known, sample) => (known && known.trip <= sample.trip ? known : sample),
      null,
    );
    return best?.offset ?? this.#rough ?? 0;
  }

  /** The estimated time of the server. */
  now(): number {
    return localNow() + this.offset;
  }

  /** An id for the next message. */
  number(): number {
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
    this.#lastHeard = localNow();
    // The local clock may have stopped while suspended.
    this.#samples = [];
    clearInterval(this.#beat);
    this.#beat = setInterval(() => this.#check(), PING_MS);
    socket.onopen = () => this.#ping();
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#hear(JSON.parse(message.data as string) as GameEvent);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lose();
    };
  }

  #hear(event: GameEvent): void {
    this.#lastHeard = localNow();
    if (event.type === "pong") return this.#measure(event);
    if (event.type === "game" || event.type === "resumed") {
      this.#attempt = 0;
      // A rough estimate until the first pong.
      const { state } = event.type === "game" ? event.game : event.since;
      const at = state.clocks?.at;
      if (at !== undefined) this.#rough = at - localNow();
      this.#tell("open");
    }
    this.#heard.event(event);
  }

  #measure(pong: { id?: number | null; at: number }): void {
    const sent = this.#pings.get(pong.id ?? -1);
    if (sent === undefined) return;
    this.#pings.delete(pong.id ?? -1);
    const trip = this.#lastHeard - sent;
    this.#samples = [...this.#samples, { trip, offset: pong.at - (sent + trip / 2) }].slice(-SAMPLES);
  }

  #ping(): void {
    const id = this.number();
    this.#pings.clear();
    this.#pings.set(id, localNow());
    this.send({ type: "ping" }, id);
  }

  #check(): void {
    if (localNow() - this.#lastHeard > SILENCE_MS) this.#lose();
    else this.#ping();
  }

  #lose(): void {
    this.#drop();
    this.#tell("lost");
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), wait(this.#attempt));
    this.#attempt += 1;
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    clearInterval(this.#beat);
    clearTimeout(this.#retry);
    socket?.close();
  }

  #tell(status: LinkStatus): void {
    if (status === this.status) return;
    this.status = status;
    this.#heard.status(status);
  }
}
