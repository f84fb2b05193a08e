/** A WebSocket that reconnects, with heartbeats. Not here: the meaning of messages. */

export type LinkStatus = "connecting" | "open" | "lost";

/** Bounds of the exponential backoff. */
const MIN_DELAY_MS = 300;
const MAX_DELAY_MS = 8_000;
const PING_MS = 4_000;
/** Time out when the server is silent for this long. */
const RECEIVE_TIMEOUT_MS = 11_000;

/** The delay before an attempt, with jitter so that clients do not all reconnect at once. */
export function retryDelay(attempt: number, random = Math.random()): number {
  const delay = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** attempt);
  return delay / 2 + (delay / 2) * random;
}

export interface SocketHandlers {
  /** A new connection is attempted. */
  connecting?(): void;
  /** It is there, though nothing has been received yet. */
  connected?(): void;
  message(text: string): void;
  /** Sends a heartbeat, which the server answers. */
  heartbeat(): void;
  status(status: LinkStatus): void;
}

export class ReconnectingSocket {
  readonly #path: () => string;
  readonly #handlers: SocketHandlers;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #received = 0;
  status: LinkStatus = "connecting";

  /** The path is computed for each attempt, since it contains the last known event. */
  constructor(path: () => string, handlers: SocketHandlers) {
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
      const mayBeLost = this.status === "lost" || performance.now() - this.#received > 2 * PING_MS;
      if (document.visibilityState === "visible" && mayBeLost) this.reconnect();
    });
    window.addEventListener("pageshow", (event) => event.persisted && this.reconnect());
  }

  /** Reconnects at once. */
  reconnect(): void {
    this.#drop();
    this.#attempt = 0;
    this.#open();
  }

  /** The server has sent what the page needs to continue. */
  markOpen(): void {
    this.#attempt = 0;
    this.#setStatus("open");
  }

  /** Returns false without a connection. Only an answer proves that the message arrived. */
  send(message: unknown): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #open(): void {
    clearTimeout(this.#retry);
    const address = new URL(this.#path(), location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#received = performance.now();
    this.#handlers.connecting?.();
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => this.#check(), PING_MS);
    socket.onopen = () => this.#handlers.connected?.();
    socket.onmessage = (message) => {
      if (socket !== this.#socket) return;
      this.#received = performance.now();
      this.#handlers.message(message.data as string);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#onLost();
    };
  }

  #check(): void {
    if (performance.now() - this.#received > RECEIVE_TIMEOUT_MS) this.#onLost();
    else this.#handlers.heartbeat();
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
