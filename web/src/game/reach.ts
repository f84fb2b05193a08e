/** Where pieces could go, asked of the server once for a position, when somebody wants to know. */
import type { LozBoard } from "../board/index.ts";
import { send } from "../common/api.ts";
import { type Game, isMyTurn, positionAt } from "./record.ts";
import type { Session } from "./session.ts";

export class Reach {
  #ply = -1;
  #fen = "";
  /** Who asks: whoever has just joined may enter moves ahead, which nobody could who watched. */
  #you: Game["you"] = null;
  #asked: Promise<void> | null = null;
  readonly #board: LozBoard;
  readonly #session: Session;

  constructor(board: LozBoard, session: Session) {
    this.#board = board;
    this.#session = session;
  }

  /** Another position may have come up: what is known is of the past. */
  follow(): void {
    const { fen } = positionAt(this.#session.game, this.#session.ply);
    const { you } = this.#session.game;
    if (this.#session.ply === this.#ply && fen === this.#fen && you === this.#you) return;
    [this.#ply, this.#fen, this.#you] = [this.#session.ply, fen, you];
    this.#asked = null;
    this.#board.reach = null;
    // A piece that is still chosen has to know its new squares.
    if (this.#board.selection.selected !== null && !isMyTurn(this.#session.game)) void this.ask();
  }

  /** Settled when the board knows, or when it cannot be had now. */
  ask(): Promise<void> {
    this.#asked ??= this.#fetch();
    return this.#asked;
  }

  async #fetch(): Promise<void> {
    const [ply, fen, you] = [this.#ply, this.#fen, this.#you];
    const holds = (): boolean => ply === this.#ply && fen === this.#fen && you === this.#you;
    try {
      const { id } = this.#session.game;
      // Whoever plays may enter moves that are possible only after the other's.
      const mine = you ? `&premoves=${you}` : "";
      const reach = await send<number[][]>("GET", `/api/games/${id}/reach?ply=${ply}${mine}`);
      if (holds()) this.#board.reach = reach;
    } catch {
      if (holds()) this.#asked = null;
    }
  }
}
