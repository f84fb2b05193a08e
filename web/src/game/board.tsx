/** The board of the page: `<loz-board>` fed from the session, and its moves given to it. */
import type { LozBoard } from "../board/index.ts";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { BoardEvents, ViewName } from "../board/types.ts";
import { data } from "../common/data.ts";
import { send } from "../common/api.ts";
import { dress } from "../common/settings.ts";
import { isMyTurn, positionAt } from "./record.ts";
import type { Session } from "./session.ts";
import { boardTexts, t } from "./texts.ts";
import { useSession } from "./use.ts";

export interface Look {
  view: ViewName;
  flipped: boolean;
}

/** The element, made once. */
export function makeBoard(): LozBoard {
  const board = document.createElement("loz-board");
  board.board = data("board");
  board.texts = boardTexts();
  board.sprite = "/men.svg";
  board.sound = true;
  dress(board);
  board.premove = true;
  return board;
}

const NONE: readonly string[] = [];

/** Whether the board has run ahead with a move that the server has not answered yet. */
const runsAhead = (session: Session): boolean =>
  session.pending !== null && session.pending.ply === session.game.state.ply && session.viewed === null;

function feed(board: LozBoard, session: Session): void {
  const { game } = session;
  const live = session.viewed === null;
  const position = positionAt(game, session.ply);
  board.men = position.men;
  board.last = position.last;
  board.check = position.check;
  board.turn = game.state.turn;
  board.castlings = live ? game.state.castlings : [];
  board.destinations = session.canMove ? game.state.moves : NONE;
  const hint = live && session.hint?.ply === game.state.ply ? session.hint : null;
  const [from, to] = hint?.squares ?? [];
  board.hints = from !== undefined && to !== undefined ? [{ from, to, brush: "blue" }] : [];
  const plays = live && game.state.status === "started" && game.you;
  board.movable = plays ? plays : "none";
}

/** Asks where men could go, once for a position, when the board wants to know. */
class Reach {
  #ply = -1;
  #fen = "";
  #asked = false;
  readonly #board: LozBoard;
  readonly #session: Session;

  constructor(board: LozBoard, session: Session) {
    this.#board = board;
    this.#session = session;
  }

  /** Another position may have come up: what is known is of the past. */
  follow(): void {
    const { fen } = positionAt(this.#session.game, this.#session.ply);
    if (this.#session.ply === this.#ply && fen === this.#fen) return;
    this.#ply = this.#session.ply;
    this.#fen = fen;
    this.#asked = false;
    this.#board.reach = null;
    // A man that is still chosen has to know its new squares.
    if (this.#board.hand.selected !== null && !isMyTurn(this.#session.game)) void this.ask();
  }

  async ask(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    const [ply, fen] = [this.#ply, this.#fen];
    try {
      const reach = await send<number[][]>("GET", `/api/games/${this.#session.game.id}/reach?ply=${ply}`);
      if (ply === this.#ply && fen === this.#fen) this.#board.reach = reach;
    } catch {
      this.#asked = false;
    }
  }
}

export function Board({ board, look }: { board: LozBoard; look: Look }) {
  const session = useSession();
  const place = useRef<HTMLDivElement>(null);
  const reach = useRef<Reach | null>(null);
  const refused = useRef(0);

  useLayoutEffect(() => {
    reach.current = new Reach(board, session);
    const move = (event: Event): void => session.play((event as CustomEvent<BoardEvents["move"]>).detail.move);
    const want = (): void => void reach.current?.ask();
    board.addEventListener("move", move);
    board.addEventListener("reach-wanted", want);
    feed(board, session);
    place.current?.append(board);
    return () => {
      board.removeEventListener("move", move);
      board.removeEventListener("reach-wanted", want);
    };
  }, [board, session]);

  useLayoutEffect(() => {
    board.view = look.view;
    board.flipped = look.flipped;
    // The page's layout has to know how wide the board is by its height.
    void board.updated.then(() => {
      const page = place.current?.closest<HTMLElement>(".g-page");
      page?.style.setProperty("--g-aspect", String(board.aspect));
    });
  }, [board, look.view, look.flipped]);

  // At once, so that the board never shows another position than the rest of the page.
  useLayoutEffect(() => {
    if (session.refused !== refused.current) {
      refused.current = session.refused;
      board.reset();
    }
    if (!runsAhead(session)) feed(board, session);
    reach.current?.follow();
  });

  return <div class="g-stage" ref={place} role="region" aria-label={t("board")} />;
}
