/**
 * The socket of a game: opened again when it breaks, listened to for signs of life, and used to measure how
 * the server's clock differs from ours. Not here: what the messages mean.
 */
import type { Schemas } from "../common/api.ts";

export type GameEvent = Schemas["Event"];
export type Action = Schemas["Action"];
export type LinkStatus = "connecting" | "open" | "lost";

/** Waits between attempts double from the first to the last. */
const FIRST_WAIT_MS = 300;
const LAST_WAIT_MS = 8_000;
const PING_MS = 4_000;
/** A connection that has said nothing for so long is given up. */
const SILENCE_MS = 11_000;
/** Measurements of the server's clock that are kept; the quickest of them is believed. */
const SAMPLES = 8;

export interface Heard {
  event(event: GameEvent): void;
  status(status: LinkStatus): void;
}

/** Our time in Unix milliseconds, which never jumps. */
export function localNow(): number {
  return performance.timeOrigin + performance.now();
}

/** How long to wait before an attempt; a part of it is chance, so that not all come back at once. */
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

  /** Each attempt asks for the address anew: it says what is known already. */
  constructor(path: () => string, heard: Heard) {
    this.#path = path;
    this.#heard = heard;
  }

  /** Connects, and connects again whenever the page comes back to life. */
  start(): void {
    this.#open();
    window.addEventListener("online", () => this.renew());
    window.addEventListener("offline", () => this.#lose());
    document.addEventListener("visibilitychange", () => {
      // A page that slept may not have noticed that its connection is gone.
      const doubtful = this.status === "lost" || localNow() - this.#lastHeard > 2 * PING_MS;
      if (document.visibilityState === "visible" && doubtful) this.renew();
    });
    window.addEventListener("pageshow", (event) => event.persisted && this.renew());
  }

  /** Drops what there is and connects anew, at once. */
  renew(): void {
    this.#drop();
    this.#attempt = 0;
    this.#open();
  }

  /** What must be added to our time to have the server's. */
  get offset(): number {
    const best = this.#samples.reduce<Sample | null>(
      (known, sample) => (known && known.trip <= sample.trip ? known : sample),
      null,
    );
    return best?.offset ?? this.#rough ?? 0;
  }

  /** The server's time, as far as it is known. */
  now(): number {
    return localNow() + this.offset;
  }

  /** A number for the next command. */
  number(): number {
    return this.#next++;
  }

  /** Says whether the message could be handed over; an answer is what proves that it arrived. */
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
    // Our own clock may have stood still in between.
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
      // Until a ping has come back, the freshness of the first message must do.
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
