/**
 * One game on one page: what is known of it, what the user looks at, and what the user wants. Tells those
 * who watch whenever something has changed. Not here: the socket (`connection`), the screen.
 */
import { type Schemas, send } from "../common/api.ts";
import { inWords, problemWords } from "../common/faults.ts";
import { confirmsMoves, keep } from "../common/settings.ts";
import { type Action, Connection, type GameEvent, type LinkStatus } from "./connection.ts";
import { drawIsOff, news } from "./news.ts";
import { changed, fateOf, type Game, isMyTurn, isOver, moveText, other, type Pending, resumed, withEngine } from "./record.ts";
import { t } from "./texts.ts";

export type ChatLine = Extract<GameEvent, { type: "chat" }>;
export type Room = Schemas["Room"];

/** A line for the chat on its way, and who takes it back if it is refused. */
interface Line {
  action: Extract<Action, { type: "chat" }>;
  back: () => void;
}

export class Session {
  game: Game;
  chat: ChatLine[] = [];
  link: LinkStatus = "connecting";
  /** Half moves of the position that is looked at; null for the game as it stands. */
  viewed: number | null = null;
  /** Whether the position on the board is there because the user went to look at it, not because a move was played. */
  walking = false;
  /** A move on its way. It is sent again with every new connection until the server has answered. */
  pending: Pending | null = null;
  /** How often a move was refused: then the board takes it back. */
  refused = 0;
  /** What the engine would play, once it has been asked; of one position only. */
  hint: Schemas["Hint"] | null = null;
  /** Whether the engine is being asked. */
  hinting = false;
  /** Numbers of the lines of chat that were reported from this page. */
  readonly reported = new Set<number>();
  /** A move of the board that waits to be confirmed. */
  proposed: { move: string; ply: number } | null = null;
  /** What went wrong last. */
  problem: string | null = null;
  /** What is wrong with the line that was last said in the chat. */
  chatProblem: string | null = null;
  /** What was asked for, to be read for a while; a screen reader is told it besides. */
  note: string | null = null;
  /** What a screen reader says next. */
  spoken = "";
  /** Texts that this page has said, so that it knows its own lines. */
  readonly said = new Set<string>();
  /** Lines for the chat that the server has not answered yet, by their number. */
  readonly #lines = new Map<number, Line>();
  /** A line that waits for a connection that knows who says it. */
  #unsaid: Line | null = null;
  /** Whether the other side has been seen. */
  #met = false;
  /** Whether the engine has been offered a draw that it has not answered yet. */
  #offered = false;
  readonly connection: Connection;
  readonly #watchers = new Set<() => void>();
  readonly #endings = new Set<() => void>();
  /** Whether the whole game is being asked for, and whether it must be asked for once more after that. */
  #asking = false;
  #askAgain = false;
  #problemTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(game: Game) {
    this.game = game;
    this.#meet(game);
    this.connection = new Connection(() => `/api/games/${game.id}/socket?after=${this.game.state.seq}`, {
      event: (event) => this.#hear(event),
      status: (status) => this.#linked(status),
    });
  }

  /** Calls back after every change, until the returned function is called. */
  watch(callback: () => void): () => void {
    this.#watchers.add(callback);
    return () => this.#watchers.delete(callback);
  }

  /** Calls back when the game ends before our eyes. */
  onEnd(callback: () => void): void {
    this.#endings.add(callback);
  }

  /** Something that the page itself has changed. */
  touch(): void {
    this.#changed();
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Half moves of the position on the board. */
  get ply(): number {
    return this.viewed ?? this.game.state.ply;
  }

  // What the server says.

  #linked(status: LinkStatus): void {
    const back = this.link === "lost" && status === "open";
    this.link = status;
    if (status === "lost") this.say(t("reconnecting"));
    if (back) this.say(t("reconnected"));
    this.#changed();
  }

  #hear(event: GameEvent): void {
    switch (event.type) {
      case "game":
        this.#begin(event.game);
        break;
      case "resumed": {
        const game = resumed(this.game, event.since);
        this.#begin(game ?? this.game);
        if (!game) void this.refresh();
        break;
      }
      case "state": {
        // A socket that has told the whole game may still have changes to tell that are part of it.
        if (event.state.seq < this.game.state.seq) return;
        const game = changed(this.game, event);
        if (game) this.#take(game);
        else void this.refresh();
        break;
      }
      case "chat":
        this.chat = [...this.chat, event];
        break;
      case "ack":
        // Of a move the new state tells more, and it is on its way.
        this.#lines.delete(event.id ?? -1);
        return;
      case "error": {
        const line = this.#lines.get(event.id ?? -1);
        this.#lines.delete(event.id ?? -1);
        if (line && event.problem.code === "sign_in") void this.#introduce(line);
        else if (line) this.#unsay(line, problemWords(event.problem));
        else this.#refuse(event.id ?? null, event.problem);
        break;
      }
      case "pong":
        return;
    }
    this.#changed();
  }

  /** A connection has told how the game stands; the lines of chat follow. */
  #begin(game: Game): void {
    this.chat = [];
    this.#take(game);
    this.#resume();
    if (this.#unsaid) this.#sendLine(this.#unsaid);
    this.#unsaid = null;
  }

  #take(game: Game): void {
    const before = this.game;
    this.game = game;
    if (game.state.ply !== before.state.ply && this.viewed === null) this.walking = false;
    if (this.viewed !== null && this.viewed >= game.state.ply) this.viewed = null;
    if (this.pending && game.history.length > this.pending.ply) this.pending = null;
    if (this.pending && isOver(game)) this.pending = null;
    if (this.proposed && (isOver(game) || game.state.ply !== this.proposed.ply)) this.proposed = null;
    const told = [news(before, game, this.#met), this.#engineSays(before, game)].filter(Boolean).join(" ");
    this.#meet(game);
    if (told) this.say(told);
    // The board tells the moves that it shows; those behind its back are told here.
    else if (this.viewed !== null && game.history.length > before.history.length) {
      this.say(t("last_words", { move: moveText(game, game.history.length - 1) }));
    }
    if (!isOver(before) && isOver(game)) for (const ending of this.#endings) ending();
    const followed = !before.next && game.next && game.you && isOver(before);
    if (followed) location.assign(`/game/${game.next}`);
  }

  /** Whoever plays on the other side has been here: by what is known, or because there are moves. */
  #meet(game: Game): void {
    if (game.you && (game.state.present[other(game.you)] || game.state.ply > 1)) this.#met = true;
  }

  /** An offer that is turned down is answered where everybody sees it; the engine does so at once, as if none had been. */
  #engineSays(before: Game, after: Game): string {
    if (drawIsOff(before, after)) this.#show({ note: t("draw_declined") });
    if (!this.#offered || after.state.seq === before.state.seq) return "";
    this.#offered = after.state.offers.draw !== null && after.state.offers.draw !== undefined;
    if (this.#offered || isOver(after)) return "";
    this.#show({ note: t("engine_declines") });
    return t("engine_declines");
  }

  /** A new connection: what is still on its way is sent once more. */
  #resume(): void {
    if (!this.pending) return;
    if (fateOf(this.pending, this.game) === "send") this.#sendPending();
    else this.pending = null;
  }

  #refuse(id: number | null, problem: Schemas["Problem"]): void {
    let words = problemWords(problem);
    this.#offered = false;
    if (this.pending && (id === null || id === this.pending.id)) {
      if (problem.code === "illegal_move") words = noMove(this.pending.move, this.game);
      this.pending = null;
      this.refused += 1;
    }
    this.complain(words);
  }

  /** A line that the chat did not take is given back to whoever wrote it. */
  #unsay({ action, back }: Line, why: string): void {
    this.said.delete(action.text);
    this.chatProblem = why;
    back();
  }

  /** The whole game, asked for anew; one question at a time, so that the last answer is the newest. */
  async refresh(): Promise<void> {
    this.#askAgain = this.#asking;
    if (this.#asking) return;
    this.#asking = true;
    try {
      this.#takeAnswer(await send<Game>("GET", `/api/games/${this.game.id}`));
      this.#changed();
    } catch {
      this.connection.renew();
    } finally {
      this.#asking = false;
    }
    if (this.#askAgain) await this.refresh();
  }

  /** Takes the game as a request was told it, unless the socket has been quicker and told more. */
  #takeAnswer(game: Game): void {
    if (game.state.seq >= this.game.state.seq) this.#take(game);
  }

  // What the user does.

  /** A move from the board: played at once, or shown until it is confirmed. */
  enter(move: string): void {
    if (!confirmsMoves()) return this.play(move);
    this.proposed = { move, ply: this.game.state.ply };
    this.#changed();
  }

  /** Plays the move that waits to be confirmed, or takes it back. */
  settle(yes: boolean): void {
    const { proposed } = this;
    this.proposed = null;
    if (!proposed) return;
    if (yes) return this.play(proposed.move);
    this.refused += 1;
    this.#changed();
  }

  /** Plays a move, in any notation that the server reads. */
  play(move: string): void {
    const { game } = this;
    this.clearProblem();
    this.viewed = null;
    this.walking = false;
    this.proposed = null;
    this.pending = { id: this.connection.number(), move, ply: game.state.ply };
    this.#sendPending();
    this.#changed();
  }

  #sendPending(): void {
    if (!this.pending) return;
    const { id, move, ply } = this.pending;
    const sent = this.connection.send({ type: "move", move, ply }, id);
    if (!sent) this.say(t("move_waits"));
  }

  /** Whoever has only watched so far becomes a guest, whom a new connection knows; then the line is said. */
  async #introduce(line: Line): Promise<void> {
    try {
      await keep({}, true);
      this.#unsaid = line;
      this.connection.renew();
    } catch (error) {
      this.#unsay(line, inWords(error));
      this.#changed();
    }
  }

  /** Says something in the chat; `back` is called if it is not taken. */
  speak(room: Room, text: string, back: () => void): void {
    this.chatProblem = null;
    this.#sendLine({ action: { type: "chat", room, text }, back });
    this.#changed();
  }

  #sendLine(line: Line): void {
    const id = this.connection.number();
    this.said.add(line.action.text);
    if (this.connection.send(line.action, id)) this.#lines.set(id, line);
    else this.#unsay(line, t("offline"));
  }

  /** Anything but a move: it has to be said while there is a connection. */
  act(action: Action): void {
    this.clearProblem();
    const id = this.connection.number();
    const sent = this.connection.send(action, id);
    this.#offered = sent && action.type === "draw" && withEngine(this.game);
    if (!sent) this.complain(t("offline"));
    this.#changed();
  }

  async join(): Promise<void> {
    try {
      this.#takeAnswer(await send<Game>("POST", `/api/games/${this.game.id}/join`));
      // A connection knows from its beginning whose it is.
      this.connection.renew();
    } catch (error) {
      this.complain(inWords(error));
    }
    this.#changed();
  }

  /** Asks the engine what it would play here. */
  async askHint(): Promise<void> {
    if (this.hinting) return;
    this.clearProblem();
    this.hinting = true;
    this.#changed();
    try {
      this.hint = await send<Schemas["Hint"]>("POST", `/api/games/${this.game.id}/hint`);
      if (this.hint.ply === this.game.state.ply) this.say(t("hint_words", { move: this.hint.move }));
    } catch (error) {
      this.complain(inWords(error));
    }
    this.hinting = false;
    this.#changed();
  }

  /** Looks at the position after so many half moves. */
  view(ply: number): void {
    const most = this.game.state.ply;
    const wanted = Math.max(0, Math.min(ply, most));
    this.proposed = null;
    if (wanted !== this.ply) {
      this.walking = true;
      this.say(wanted === 0 ? t("viewing_start") : t("viewing", { move: moveText(this.game, wanted - 1) }));
    }
    this.viewed = wanted === most ? null : wanted;
    this.#changed();
  }

  /** Whether a move may be entered now. */
  get canMove(): boolean {
    return isMyTurn(this.game) && this.viewed === null && this.pending === null && this.proposed === null;
  }

  say(text: string): void {
    this.spoken = text;
  }

  /** Answers a question: to be read and to be heard. */
  answer(text: string): void {
    this.say(text);
    this.#show({ note: text });
  }

  complain(text: string): void {
    this.#show({ problem: text });
  }

  /** Shows something for a while. */
  #show({ problem = null, note = null }: { problem?: string | null; note?: string | null }): void {
    this.problem = problem;
    this.note = note;
    clearTimeout(this.#problemTimer);
    this.#problemTimer = setTimeout(() => this.clearProblem(), 8_000);
    this.#changed();
  }

  clearProblem(): void {
    if (this.problem === null && this.note === null) return;
    this.problem = null;
    this.note = null;
    this.#changed();
  }
}

/** What is wrong with a move that was entered. */
function noMove(move: string, game: Game): string {
  const [example] = game.state.moves;
  return example ? t("no_move_but", { move, example }) : t("no_move", { move });
}
