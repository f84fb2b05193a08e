/** What is said of squares and moves to those who do not see the board. Not here: when it is said. */
import { compare } from "./animation.ts";
import type { Hand } from "./hand.ts";
import { fill, type Texts } from "./texts.ts";
import type { Board, Man } from "./types.ts";

export class Speech {
  readonly #board: Board;
  readonly #texts: Texts;
  /** Every cell is named after each move, so the names of men are kept. */
  readonly #men = new Map<string, string>();

  constructor(board: Board, texts: Texts) {
    this.#board = board;
    this.#texts = texts;
  }

  square(square: number): string {
    return this.#board.squares[square]?.name ?? "";
  }

  role(id: string): string {
    const name = this.#board.roles.find((role) => role.id === id)?.name ?? id;
    return this.#texts.nouns === "small" ? name.toLowerCase() : name;
  }

  man(man: Man): string {
    const key = `${man.color} ${man.role}`;
    const known = this.#men.get(key);
    if (known) return known;
    const text = fill(this.#texts.man, { color: this.#texts[man.color], role: this.role(man.role) });
    this.#men.set(key, text);
    return text;
  }

  /** "e4, white pawn, can move". */
  cell(square: number, hand: Hand, said: { last: readonly number[]; check: number | null }): string {
    const texts = this.#texts;
    const man = hand.situation.men.get(square);
    const parts = [this.square(square), man ? this.man(man) : texts.empty];
    const [placed] = hand.situation.placing ? hand.situation.men.keys() : [];
    const chosen = placed ?? hand.selected;
    if (chosen === square) parts.push(texts.chosen);
    else if (chosen !== null && hand.reaches(chosen, square)) {
      const own = man && man.color === hand.situation.men.get(chosen)?.color;
      parts.push(!man ? texts.target : own ? texts.join : texts.capture);
    } else if (hand.grip(square) === "move") parts.push(texts.can_move);
    if (said.check === square) parts.push(texts.in_check);
    if (said.last.includes(square)) parts.push(texts.last);
    if (hand.premove && (hand.premove.from === square || hand.premove.to === square))
      parts.push(texts.waiting);
    return parts.join(", ");
  }

  /** What happened between two positions: one move is told, a jump in the game is not. */
  change(
    before: readonly Man[],
    after: readonly Man[],
    last: readonly number[],
    check: number | null,
  ): string {
    const change = compare(before, after, last, () => 0);
    const moved = change.men.filter(({ man, from }) => from !== man.square);
    const gone = change.gone.filter((man) => !moved.some((other) => became(man, other)));
    if (moved.length === 0 || moved.length > 2 || gone.length > 1) return "";
    const parts = moved.map(({ man, from }) => this.#movement(man, from, before));
    for (const man of gone) {
      const own = moved.some((mover) => mover.man.color === man.color);
      parts.push(fill(own ? this.#texts.joins : this.#texts.takes, { man: this.man(man) }));
    }
    if (check !== null) parts.push(this.#texts.check);
    return parts.join(", ");
  }

  #movement(man: Man, from: number | null, before: readonly Man[]): string {
    const [square, role] = [this.square(man.square), this.role(man.role)];
    const source = before.find((other) => other.square === (from ?? man.square) && other.color === man.color);
    if (!source) return fill(this.#texts.arrived, { man: this.man(man), square });
    const becomes = source.role === man.role ? "" : `, ${fill(this.#texts.becomes, { role })}`;
    const text = from === null ? this.#texts.arrived : this.#texts.moved;
    const start = from === null ? "" : this.square(from);
    return fill(text, { man: this.man(source), from: start, to: square, square }) + becomes;
  }
}

/** Whether a man that is gone has only become another on its square. */
function became(gone: Man, { man, from }: { man: Man; from: number | null }): boolean {
  return from === null && gone.square === man.square && gone.color === man.color;
}
