/** The WebSocket of a study: reconnects, sends heartbeats. Not here: the meaning of messages. */
import type { Schemas } from "../common/api.ts";
import { type LinkStatus, retryDelay } from "../game/connection.ts";

export type StudyEvent = Schemas["StudyEvent"];

const PING_MS = 4_000;
/** Time out when the server is silent for this long. */
const SILENCE_MS = 11_000;

export interface LinkHandlers {
  event(event: StudyEvent): void;
  status(status: LinkStatus): void;
}

export class Link {
  readonly #path: () => string;
  readonly #handlers: LinkHandlers;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #received = 0;
  status: LinkStatus = "connecting";

  /** The path is computed for each attempt, since it contains the last known edit. */
  constructor(path: () => string, handlers: LinkHandlers) {
    this.#path = path;
    this.#handlers = handlers;
  }

  start(): void {
    this.#open();
    window.addEventListener("online", () => this.reconnect());
    window.addEventListener("offline", () => this.#lost());
    document.addEventListener("visibilitychange", () => {
      const doubtful = this.status === "lost" || performance.now() - this.#received > 2 * PING_MS;
      if (document.visibilityState === "visible" && doubtful) this.reconnect();
    });
    window.addEventListener("pageshow", (event) => event.persisted && this.reconnect());
  }

  reconnect(): void {
    this.#drop();
    this.#attempt = 0;
    this.#open();
  }

  /** Returns false without a connection. Only an answer proves that the message arrived. */
  send(command: Schemas["StudyCommand"]): boolean {
    if (this.status !== "open" || this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(command));
    return true;
  }

  #open(): void {
    clearTimeout(this.#retry);
    const address = new URL(this.#path(), location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#received = performance.now();
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(() => this.#check(), PING_MS);
    socket.onmessage = (message) => {
      if (socket !== this.#socket) return;
      this.#received = performance.now();
      const event = JSON.parse(message.data as string) as StudyEvent;
      if (event.type === "pong") return;
      this.#attempt = 0;
      this.#setStatus("open");
      this.#handlers.event(event);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  #check(): void {
    if (performance.now() - this.#received > SILENCE_MS) this.#lost();
    else this.send({ type: "ping" });
  }

  #lost(): void {
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
