/**
 * Names the cells and announces what happens, to those who do not see the board. Not here: the words
 * (`speech`, `texts`).
 */
import type { Grid } from "./grid.ts";
import type { Hand } from "./hand.ts";
import { Speech } from "./speech.ts";
import { fill, type Texts } from "./texts.ts";
import type { Board, Piece } from "./types.ts";

/** Names of cells without the focus may wait until pieces have moved. */
const NAMING_MS = 260;

export class Narrator {
  readonly #grid: Grid;
  readonly #speech: Speech;
  readonly #texts: Texts;
  #names: (square: number) => string = () => "";
  #naming: ReturnType<typeof setTimeout> | null = null;
  /** What was told of the user's own move, until the page has answered it. */
  #own = "";

  constructor(grid: Grid, board: Board, texts: Texts) {
    this.#grid = grid;
    this.#speech = new Speech(board, texts);
    this.#texts = texts;
  }

  stop(): void {
    if (this.#naming !== null) clearTimeout(this.#naming);
    this.#naming = null;
  }

  /** Names the cells: the one with the focus now, the others when there is time. */
  name(hand: Hand, said: { last: readonly number[]; check: number | null }): void {
    this.#names = (square) => this.#speech.cell(square, hand, said);
    if (!this.#grid.isNamed) this.#grid.name(this.#names, hand.selected);
    this.focus(this.#grid.at);
    this.#naming ??= setTimeout(() => {
      this.#naming = null;
      this.#grid.name(this.#names, hand.selected);
    }, NAMING_MS);
  }

  /** Names the cell that gets the focus. */
  focus(square: number): void {
    this.#grid.nameOne(square, this.#names);
  }

  chosen(square: number | null, hand: Hand): void {
    const piece = square === null ? undefined : hand.situation.pieces.get(square);
    if (square === null || !piece) return this.#grid.announce(this.#texts.let_go);
    const { quiet, captures, own } = hand.targets(square);
    const count = quiet.length + captures.length + own.length;
    const { no_moves, choice_one, choice } = this.#texts;
    const text = [no_moves, choice_one][count] ?? choice;
    this.#grid.announce(
      fill(text, { piece: this.#speech.piece(piece), square: this.#speech.square(square), count }),
    );
  }

  /** Tells the user's own move, as far as the board can know what it does. */
  moved(piece: Piece, before: readonly Piece[], after: readonly Piece[], [from, to]: readonly [number, number]): void {
    const [start, end] = [this.#speech.square(from), this.#speech.square(to)];
    const simple = fill(this.#texts.moved, { piece: this.#speech.piece(piece), from: start, to: end });
    this.#own = this.#speech.change(before, after, [from, to], null) || simple;
    this.#grid.announce(this.#own);
  }

  /** `becomes` is the role that was chosen for it. */
  premoved(from: number, to: number, becomes: string | null): void {
    const [start, end] = [this.#speech.square(from), this.#speech.square(to)];
    const set = fill(this.#texts.premove_set, { from: start, to: end });
    const role = becomes === null ? "" : `, ${fill(this.#texts.becomes, { role: this.#speech.role(becomes) })}`;
    this.#grid.announce(set + role);
  }

  premoveGone(): void {
    this.#grid.announce(this.#texts.premove_gone);
  }

  /**
   * Tells what changed, if it is to be told at all, and says whether it was anything that can be told. What the answer to
   * the user's own move adds (a check, another piece that moved) is told with the move, which may not have been read yet.
   */
  changed(
    before: readonly Piece[],
    after: readonly Piece[],
    { last, check, answer, aloud }: { last: readonly number[]; check: number | null; answer: boolean; aloud: boolean },
  ): boolean {
    const told = this.#speech.change(before, after, last, check);
    const more = told || (answer && check !== null ? this.#texts.check : "");
    if (aloud) this.#grid.announce(answer && more ? [this.#own, more].filter(Boolean).join(", ") : more);
    if (answer || told) this.#own = "";
    return told !== "";
  }
}
