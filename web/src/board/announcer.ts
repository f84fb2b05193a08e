/** Labels the cells and announces moves, for screen readers. Not here: the words (`descriptions`, `texts`). */
import { Descriptions, type Highlights } from "./descriptions.ts";
import type { Grid } from "./grid.ts";
import type { Premove, Selection } from "./selection.ts";
import { fill, type Texts } from "./texts.ts";
import type { Board, Piece } from "./types.ts";

/** Labels of cells without the focus wait until the pieces have moved. */
const LABEL_DELAY_MS = 260;

export class Announcer {
  readonly #grid: Grid;
  readonly #descriptions: Descriptions;
  readonly #texts: Texts;
  #label: (square: number) => string = () => "";
  #labelTimer: ReturnType<typeof setTimeout> | null = null;
  /** The announcement of the user's own move, until the page has answered it. */
  #ownMove = "";

  constructor(grid: Grid, board: Board, texts: Texts) {
    this.#grid = grid;
    this.#descriptions = new Descriptions(board, texts);
    this.#texts = texts;
  }

  stop(): void {
    if (this.#labelTimer !== null) clearTimeout(this.#labelTimer);
    this.#labelTimer = null;
  }

  /** Labels the focused cell at once and the others a little later. */
  labelCells(selection: Selection, highlights: Highlights): void {
    this.#label = (square) => this.#descriptions.cell(square, selection, highlights);
    if (!this.#grid.hasLabels) this.#grid.setLabels(this.#label, selection.selected);
    this.labelCell(this.#grid.focused);
    this.#labelTimer ??= setTimeout(() => {
      this.#labelTimer = null;
      this.#grid.setLabels(this.#label, selection.selected);
    }, LABEL_DELAY_MS);
  }

  labelCell(square: number): void {
    this.#grid.setLabel(square, this.#label);
  }

  announceSelection(square: number | null, selection: Selection): void {
    const piece = square === null ? undefined : selection.state.pieces.get(square);
    if (square === null || !piece) return this.#grid.announce(this.#texts.deselected);
    const { quiet, captures, own } = selection.targets(square);
    const count = quiet.length + captures.length + own.length;
    const { no_moves, choice_one, choice } = this.#texts;
    const text = [no_moves, choice_one][count] ?? choice;
    this.#grid.announce(
      fill(text, { piece: this.#descriptions.piece(piece), square: this.#descriptions.square(square), count }),
    );
  }

  /** Announces the user's own move, as far as the board knows its effect. */
  announceOwnMove(
    piece: Piece,
    before: readonly Piece[],
    after: readonly Piece[],
    [from, to]: readonly [number, number],
  ): void {
    const change = this.#descriptions.change(before, after, { last: [from, to], check: null });
    this.#ownMove = change || this.#between(this.#texts.moved, from, to, this.#descriptions.piece(piece));
    this.#grid.announce(this.#ownMove);
  }

  /** `promotion` is the role that the user chose. */
  announcePremove({ from, to }: Premove, promotion: string | null): void {
    const set = this.#between(this.#texts.premove_set, from, to);
    const role = promotion && fill(this.#texts.becomes, { role: this.#descriptions.role(promotion) });
    this.#grid.announce(role ? `${set}, ${role}` : set);
  }

  #between(text: string, from: number, to: number, piece = ""): string {
    return fill(text, { piece, from: this.#descriptions.square(from), to: this.#descriptions.square(to) });
  }

  announcePremoveCancelled(): void {
    this.#grid.announce(this.#texts.premove_gone);
  }

  /**
   * Announces the move between two positions if `isAnnounced`; returns whether there was one. After the user's own move
   * (`isAnswer`) it repeats that move with what the answer adds, since the screen reader may not have finished it.
   */
  announceChange(
    before: readonly Piece[],
    after: readonly Piece[],
    highlights: Highlights,
    { isAnswer, isAnnounced }: { isAnswer: boolean; isAnnounced: boolean },
  ): boolean {
    const change = this.#descriptions.change(before, after, highlights);
    const text = change || (isAnswer && highlights.check !== null ? this.#texts.check : "");
    if (isAnnounced) this.#grid.announce(isAnswer && text ? [this.#ownMove, text].filter(Boolean).join(", ") : text);
    if (isAnswer || change) this.#ownMove = "";
    return change !== "";
  }
}
