/**
 * The state of the game page: the game, the viewed position, the entered move, chat. Notifies its subscribers of every
 * change. Not here: the socket (`connection`), the screen.
 */
import { type Schemas, send } from "../common/api.ts";
import { EnteredMove } from "../common/entered_move.ts";
import { errorText, problemText } from "../common/errors.ts";
import { saveSettings } from "../common/settings.ts";
import type { LinkStatus } from "../common/socket.ts";
import { type Action, Connection, type GameEvent } from "./connection.ts";
import { isDrawDeclined, announcementOf } from "./announcements.ts";
import { applyChange, outcomeOf, type Game, isMyTurn, isOver, type Color, type WaitingMove, applyResume, continues, isAgainstEngine } from "./record.ts";
import { moveText } from "./game_text.ts";
import { colorsOf, isPresent, otherColors } from "./seats.ts";
import { t } from "./texts.ts";

export type ChatLine = Extract<GameEvent, { type: "chat" }>;
export type Room = Schemas["Room"];

/** A chat message that the server has not acknowledged yet. */
interface OutgoingMessage {
  action: Extract<Action, { type: "chat" }>;
  /** Called if the message is refused. */
  onRefused: () => void;
}

export class GameSession {
  game: Game;
  chat: ChatLine[] = [];
  link: LinkStatus = "connecting";
  /** The ply of the viewed position; null for the current one. */
  viewedPly: number | null = null;
  /** Whether the user has navigated to the position on the board, so that no move led to it. */
  isBrowsing = false;
  /** The move on the board that the user must confirm, or that was sent: that is sent again with every new connection. */
  readonly entered = new EnteredMove<WaitingMove>();
  /** How often moves were taken back; each time the board drops a premove, which was meant for another position. */
  takebacks = 0;
  /** The engine's hint, for one position. */
  hint: Schemas["Hint"] | null = null;
  isLoadingHint = false;
  /** The numbers of the messages reported from this page. */
  readonly reported = new Set<number>();
  /** The last error message, shown for a while. */
  problem: string | null = null;
  /** The error message of the last chat message. */
  chatProblem: string | null = null;
  /** The answer to a command, shown for a while. */
  note: string | null = null;
  /** The text for screen readers. */
  announcement = "";
  /** The chat messages sent from this page, to recognize them as own. */
  readonly sentTexts = new Set<string>();
  /** Chat messages without an answer, by their id. */
  readonly #outgoing = new Map<number, OutgoingMessage>();
  /** A chat message that waits for a connection as a guest. */
  #queued: OutgoingMessage | null = null;
  /** The other players who have ever been present. */
  readonly #met = new Set<Color>();
  /** Whether the engine has not answered a draw offer yet. */
  #offeredEngine = false;
  readonly connection: Connection;
  readonly #subscribers = new Set<() => void>();
  readonly #endCallbacks = new Set<() => void>();
  /** Whether the game is being loaded, and must be loaded again after that. */
  #isLoading = false;
  #mustReload = false;
  #problemTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(game: Game) {
    this.game = game;
    this.#updateMet(game);
    this.connection = new Connection(() => `/api/games/${game.id}/socket?after=${this.game.state.seq}`, {
      event: (event) => this.#receive(event),
      status: (status) => this.#onStatus(status),
    });
  }

  /** Calls back after every change, until the returned function is called. */
  subscribe(callback: () => void): () => void {
    this.#subscribers.add(callback);
    return () => this.#subscribers.delete(callback);
  }

  /** Calls back when the game ends while the page is open. */
  onEnd(callback: () => void): void {
    this.#endCallbacks.add(callback);
  }

  /** Notifies the subscribers of a change. */
  notify(): void {
    for (const subscriber of this.#subscribers) subscriber();
  }

  /** The ply of the position on the board. */
  get ply(): number {
    return this.viewedPly ?? this.game.state.ply;
  }

  // Messages of the server.

  #onStatus(status: LinkStatus): void {
    const isReconnected = this.link === "lost" && status === "open";
    this.link = status;
    if (status === "lost") this.announce(t("reconnecting"));
    if (isReconnected) this.announce(t("reconnected"));
    this.notify();
  }

  #receive(event: GameEvent): void {
    switch (event.type) {
      case "game":
        this.#restart(event.game);
        break;
      case "resumed": {
        const game = applyResume(this.game, event.since);
        this.#restart(game ?? this.game);
        if (!game) void this.refresh();
        break;
      }
      case "state": {
        // A new socket may send changes that are already part of the full game.
        if (event.state.seq < this.game.state.seq) return;
        const game = applyChange(this.game, event);
        if (game) this.#setGame(game);
        else void this.refresh();
        break;
      }
      case "chat":
        this.chat = [...this.chat, event];
        break;
      case "ack":
        // The state after the move follows.
        this.#outgoing.delete(event.id ?? -1);
        return;
      case "error": {
        const message = this.#outgoing.get(event.id ?? -1);
        this.#outgoing.delete(event.id ?? -1);
        if (message && event.problem.code === "sign_in") void this.#sendAsGuest(message);
        else if (message) this.#refuseMessage(message, problemText(event.problem));
        else this.#refuse(event.id ?? null, event.problem);
        break;
      }
      case "pong":
        return;
    }
    this.notify();
  }

  /** Handles the first message of a connection; the chat follows. */
  #restart(game: Game): void {
    this.chat = [];
    this.#setGame(game);
    this.#resume();
    if (this.#queued) this.#sendMessage(this.#queued);
    this.#queued = null;
  }

  #setGame(game: Game): void {
    const previous = this.game;
    this.game = game;
    if (game.state.ply !== previous.state.ply && this.viewedPly === null) this.isBrowsing = false;
    if (this.viewedPly !== null && this.viewedPly >= game.state.ply) this.viewedPly = null;
    if (this.#isAnswered(game)) this.entered.settle();
    if (!continues(game, previous)) this.#dropEnteredMoves();
    const text = [announcementOf(previous, game, this.#met), this.#engineAnswer(previous, game)].filter(Boolean).join(" ");
    this.#updateMet(game);
    if (text) this.announce(text);
    // The board announces only the moves that it shows.
    else if (this.viewedPly !== null && game.history.length > previous.history.length) {
      this.announce(t("last_words", { move: moveText(game, game.history.length - 1) }));
    }
    if (!isOver(previous) && isOver(game)) for (const callback of this.#endCallbacks) callback();
    const hasRematch = !previous.next && game.next && game.you && isOver(previous);
    if (hasRematch) location.assign(`/game/${game.next}`);
  }

  /** Drops moves that were entered in a position that was taken back, even if the game has as many moves again. */
  #dropEnteredMoves(): void {
    this.takebacks += 1;
    if (this.entered.waiting) this.entered.refuse();
  }

  /** Whether the entered move no longer waits in a game that has changed. */
  #isAnswered(game: Game): boolean {
    const { unconfirmed, sent } = this;
    if (unconfirmed) return isOver(game) || game.state.ply !== unconfirmed.ply;
    return sent !== null && (isOver(game) || game.history.length > sent.ply);
  }

  /** The others have been here if they are present or have moved. */
  #updateMet(game: Game): void {
    if (!game.you) return;
    const haveMoved = game.state.ply >= colorsOf(game).length;
    for (const color of otherColors(game)) if (haveMoved || isPresent(game.state, color)) this.#met.add(color);
  }

  /** Shows declined offers. The engine declines at once, so that the state never has the offer. */
  #engineAnswer(before: Game, after: Game): string {
    if (isDrawDeclined(before, after)) this.#show({ note: t("draw_declined") });
    if (!this.#offeredEngine || after.state.seq === before.state.seq) return "";
    this.#offeredEngine = after.state.offers.draw !== null && after.state.offers.draw !== undefined;
    if (this.#offeredEngine || isOver(after)) return "";
    this.#show({ note: t("engine_declines") });
    return t("engine_declines");
  }

  /** Sends the sent move again on a new connection. */
  #resume(): void {
    if (!this.sent) return;
    if (outcomeOf(this.sent, this.game) === "send") this.#sendMove();
    else this.entered.settle();
  }

  #refuse(id: number | null, problem: Schemas["Problem"]): void {
    let text = problemText(problem);
    this.#offeredEngine = false;
    const { sent } = this;
    if (sent && (id === null || id === sent.id)) {
      if (problem.code === "illegal_move") text = illegalMoveText(sent.move, this.game);
      this.entered.refuse();
    }
    this.showProblem(text);
  }

  /** Returns a refused message to the input. */
  #refuseMessage({ action, onRefused }: OutgoingMessage, problem: string): void {
    this.sentTexts.delete(action.text);
    this.chatProblem = problem;
    onRefused();
  }

  /** Loads the game again; one request at a time, so that the last response is the newest. */
  async refresh(): Promise<void> {
    this.#mustReload = this.#isLoading;
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      this.#setLoadedGame(await send<Game>("GET", `/api/games/${this.game.id}`));
      this.notify();
    } catch {
      this.connection.reconnect();
    } finally {
      this.#isLoading = false;
    }
    if (this.#mustReload) await this.refresh();
  }

  /**
   * Sets a loaded game, unless the socket has sent a newer one meanwhile. The answer to a request from before the
   * visitor joined does not know their side.
   */
  #setLoadedGame(game: Game): void {
    const newer = game.state.seq >= this.game.state.seq ? game : this.game;
    this.#setGame({ ...newer, you: game.you ?? this.game.you });
  }

  // Actions of the user.

  /** Plays a move of the board, if needed after a confirmation. */
  enterMove(move: string, mustConfirm: boolean): void {
    if (!mustConfirm) return this.play(move);
    this.entered.enter({ id: null, move, ply: this.game.state.ply });
    this.notify();
  }

  /** Plays the unconfirmed move, or takes it back. */
  confirmMove(isConfirmed: boolean): void {
    const { unconfirmed } = this;
    if (!unconfirmed) return;
    if (isConfirmed) return this.play(unconfirmed.move);
    this.entered.refuse();
    this.notify();
  }

  /** Plays a move in any notation that the server reads. */
  play(move: string): void {
    const { game } = this;
    this.clearProblem();
    this.viewedPly = null;
    this.isBrowsing = false;
    this.entered.enter({ id: this.connection.nextId(), move, ply: game.state.ply });
    this.#sendMove();
    this.notify();
  }

  #sendMove(): void {
    if (!this.sent) return;
    const { id, move, ply } = this.sent;
    const isSent = this.connection.send({ type: "move", move, ply }, id);
    if (!isSent) this.announce(t("move_waits"));
  }

  /** The sent move that the server has not answered. */
  get sent(): (WaitingMove & { id: number }) | null {
    const { waiting } = this.entered;
    return waiting && waiting.id !== null ? { ...waiting, id: waiting.id } : null;
  }

  /** The move on the board that the user must confirm. */
  get unconfirmed(): WaitingMove | null {
    const { waiting } = this.entered;
    return waiting?.id === null ? waiting : null;
  }

  /** Makes a spectator without a session a guest, reconnects, and sends the message. */
  async #sendAsGuest(message: OutgoingMessage): Promise<void> {
    try {
      await saveSettings({}, true);
      this.#queued = message;
      this.connection.reconnect();
    } catch (error) {
      this.#refuseMessage(message, errorText(error));
      this.notify();
    }
  }

  /** Sends a chat message; calls `onRefused` if it is refused. */
  sendChat(room: Room, text: string, onRefused: () => void): void {
    this.chatProblem = null;
    this.#sendMessage({ action: { type: "chat", room, text }, onRefused });
    this.notify();
  }

  #sendMessage(message: OutgoingMessage): void {
    const id = this.connection.nextId();
    this.sentTexts.add(message.action.text);
    if (this.connection.send(message.action, id)) this.#outgoing.set(id, message);
    else this.#refuseMessage(message, t("offline"));
  }

  /** Sends an action other than a move, which needs a connection. */
  sendAction(action: Action): void {
    this.clearProblem();
    const id = this.connection.nextId();
    const sent = this.connection.send(action, id);
    this.#offeredEngine = sent && action.type === "draw" && isAgainstEngine(this.game);
    if (!sent) this.showProblem(t("offline"));
    this.notify();
  }

  /** Joins, in a game of four on the place of a color. */
  async join(seat: Color | null = null): Promise<void> {
    try {
      const query = seat ? `?seat=${seat}` : "";
      this.#setLoadedGame(await send<Game>("POST", `/api/games/${this.game.id}/join${query}`));
      // The player of a connection is fixed when it opens.
      this.connection.reconnect();
    } catch (error) {
      this.showProblem(errorText(error));
    }
    this.notify();
  }

  /** Loads a hint of the engine for the current position. */
  async loadHint(): Promise<void> {
    if (this.isLoadingHint) return;
    this.clearProblem();
    this.isLoadingHint = true;
    this.notify();
    try {
      this.hint = await send<Schemas["Hint"]>("POST", `/api/games/${this.game.id}/hint`);
      if (this.hint.ply === this.game.state.ply) this.announce(t("hint_words", { move: this.hint.move }));
    } catch (error) {
      this.showProblem(errorText(error));
    }
    this.isLoadingHint = false;
    this.notify();
  }

  /** Shows the position at a ply. */
  view(ply: number): void {
    const last = this.game.state.ply;
    const target = Math.max(0, Math.min(ply, last));
    if (this.unconfirmed) this.entered.settle();
    if (target !== this.ply) {
      this.isBrowsing = true;
      this.announce(target === 0 ? t("viewing_start") : t("viewing", { move: moveText(this.game, target - 1) }));
    }
    this.viewedPly = target === last ? null : target;
    this.notify();
  }

  /** Whether the user can move now. */
  get canMove(): boolean {
    return isMyTurn(this.game) && this.viewedPly === null && this.entered.waiting === null;
  }

  announce(text: string): void {
    this.announcement = text;
  }

  /** Shows and announces the answer to a command. */
  showNote(text: string): void {
    this.announce(text);
    this.#show({ note: text });
  }

  showProblem(text: string): void {
    this.#show({ problem: text });
  }

  /** Shows a message for a while. */
  #show({ problem = null, note = null }: { problem?: string | null; note?: string | null }): void {
    this.problem = problem;
    this.note = note;
    clearTimeout(this.#problemTimer);
    this.#problemTimer = setTimeout(() => this.clearProblem(), 8_000);
    this.notify();
  }

  clearProblem(): void {
    if (this.problem === null && this.note === null) return;
    this.problem = null;
    this.note = null;
    this.notify();
  }
}

/** The error message for an illegal move. */
function illegalMoveText(move: string, game: Game): string {
  const [example] = game.state.moves;
  return example ? t("no_move_but", { move, example }) : t("no_move", { move });
}
