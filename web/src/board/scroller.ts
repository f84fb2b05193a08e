/**
 * Scrolling a board without edges: it follows the pointer, ends on whole squares, and glides by steps. Not here:
 * the arithmetic (`torus`).
 */
import { animationTime } from "./animation.ts";
import type { LatticeSquare, Plane } from "./geometry.ts";
import { ScrollOffset, scrollStep, wrapStep } from "./torus.ts";
import type { Board, Point } from "./types.ts";

/** The view that shows the scrolled board. */
export interface ScrollHost {
  readonly plane: Plane | null;
  readonly animation: number;
  /** The window's corner is on another square now. */
  originChanged(): void;
  /** The picture is shifted by a fraction of a square. */
  setOffset(fraction: LatticeSquare, isScrolling: boolean): void;
  scrollEnded(origin: LatticeSquare): void;
}

export class Scroller {
  readonly #host: ScrollHost;
  readonly #offset: ScrollOffset;
  #frame = 0;
  /** The origin of the board before it is scrolled. */
  #start: LatticeSquare = { file: 0, rank: 0 };

  constructor(board: Board, host: ScrollHost) {
    this.#host = host;
    this.#offset = new ScrollOffset(board);
  }

  get origin(): LatticeSquare {
    return this.#offset.origin;
  }

  /** Sets where the board starts; moves it there unless it has been scrolled. */
  setStart(start: LatticeSquare): void {
    const { file, rank } = this.#offset.origin;
    if (file === this.#start.file && rank === this.#start.rank) this.#offset.setOrigin(start);
    this.#start = start;
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  /** Moves the picture by files and ranks, which may be fractions. */
  scrollBy(step: LatticeSquare): void {
    this.stop();
    const before = this.#offset.origin;
    this.#offset.moveBy(step);
    const { file, rank } = this.#offset.origin;
    if (file !== before.file || rank !== before.rank) this.#host.originChanged();
    this.#host.setOffset(this.#offset.fraction, true);
  }

  /** Glides to whole squares. */
  end(): void {
    const { file, rank } = this.#offset.fraction;
    this.glide({ file: -file, rank: -rank });
  }

  /** Moves by a step with an animation and ends on whole squares, also after an interrupted glide. */
  glide(step: LatticeSquare): void {
    this.stop();
    const fraction = this.#offset.fraction;
    const wholeStep = {
      file: Math.round(step.file + fraction.file) - fraction.file,
      rank: Math.round(step.rank + fraction.rank) - fraction.rank,
    };
    const duration = animationTime(this.#host.animation);
    const start = performance.now();
    let done = 0;
    const frame = (now: number): void => {
      const progress = duration === 0 ? 1 : Math.min(1, Math.max(0, (now - start) / duration));
      const eased = 1 - (1 - progress) ** 3;
      this.scrollBy({ file: wholeStep.file * (eased - done), rank: wholeStep.rank * (eased - done) });
      done = eased;
      if (progress < 1) {
        this.#frame = requestAnimationFrame(frame);
        return;
      }
      this.#offset.round();
      this.#host.setOffset({ file: 0, rank: 0 }, false);
      this.#host.scrollEnded(this.#offset.origin);
    };
    if (duration === 0) frame(start);
    else this.#frame = requestAnimationFrame(frame);
  }

  /** Glides one square in a direction on the page; null returns to the start. */
  glideTowards(direction: Point | null): void {
    const plane = this.#host.plane;
    if (!plane) return;
    if (direction) {
      this.glide(scrollStep(plane, direction));
      return;
    }
    const { file, rank } = this.#offset.origin;
    const { files, ranks } = plane.board;
    this.glide({ file: wrapStep(file - this.#start.file, files), rank: wrapStep(rank - this.#start.rank, ranks) });
  }
}
