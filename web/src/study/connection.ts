/** The WebSocket of a study. Not here: the meaning of messages, and reconnecting (`common/socket`). */
import type { Schemas } from "../common/api.ts";
import { type LinkStatus, ReconnectingSocket } from "../common/socket.ts";

export type StudyEvent = Schemas["StudyEvent"];

export interface ConnectionHandlers {
  event(event: StudyEvent): void;
  status(status: LinkStatus): void;
  /** A new connection is attempted. */
  connecting(): void;
}

export class StudyConnection {
  readonly #socket: ReconnectingSocket;

  /** The path is computed for each attempt, since it contains the last known edit. */
  constructor(path: () => string, handlers: ConnectionHandlers) {
    this.#socket = new ReconnectingSocket(path, {
      connecting: () => handlers.connecting(),
      heartbeat: () => this.send({ type: "ping" }),
      message: (text) => {
        const event = JSON.parse(text) as StudyEvent;
        if (event.type === "pong") return;
        this.#socket.markOpen();
        handlers.event(event);
      },
      status: (status) => handlers.status(status),
    });
  }

  get status(): LinkStatus {
    return this.#socket.status;
  }

  start(): void {
    this.#socket.start();
  }

  /** Returns false before the study is there, or without a connection. Only an answer proves that the message arrived. */
  send(command: Schemas["StudyCommand"]): boolean {
    return this.status === "open" && this.#socket.send(command);
  }
}
