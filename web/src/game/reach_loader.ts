/** Loads the reach of all pieces, once for each position and on demand. */
import type { LozBoard } from "../board/index.ts";
import { send } from "../common/api.ts";
import { type Game, isMyTurn, positionAt } from "./record.ts";
import type { GameSession } from "./session.ts";

export class ReachLoader {
  #ply = -1;
  #fen = "";
  /** The viewer's side: the reach of a player includes premoves. */
  #you: Game["you"] = null;
  #loading: Promise<void> | null = null;
  readonly #board: LozBoard;
  readonly #session: GameSession;

  constructor(board: LozBoard, session: GameSession) {
    this.#board = board;
    this.#session = session;
  }

  /** Discards the reach if the position has changed. */
  update(): void {
    const { fen } = positionAt(this.#session.game, this.#session.ply);
    const { you } = this.#session.game;
    if (this.#session.ply === this.#ply && fen === this.#fen && you === this.#you) return;
    [this.#ply, this.#fen, this.#you] = [this.#session.ply, fen, you];
    this.#loading = null;
    this.#board.reach = null;
    // The selected piece needs its reach in the new position.
    if (this.#board.selection.selected !== null && !isMyTurn(this.#session.game)) void this.load();
  }

  /** Settles when the board has the reach, or the request failed. */
  load(): Promise<void> {
    this.#loading ??= this.#fetch();
    return this.#loading;
  }

  async #fetch(): Promise<void> {
    const [ply, fen, you] = [this.#ply, this.#fen, this.#you];
    const isCurrent = (): boolean => ply === this.#ply && fen === this.#fen && you === this.#you;
    try {
      const { id } = this.#session.game;
      // Premoves may become possible only by the opponent's move.
      const premoveQuery = you ? `&premoves=${you}` : "";
      const reach = await send<number[][]>("GET", `/api/games/${id}/reach?ply=${ply}${premoveQuery}`);
      if (isCurrent()) this.#board.reach = reach;
    } catch {
      if (isCurrent()) this.#loading = null;
    }
  }
}
