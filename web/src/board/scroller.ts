/**
 * Scrolling a board without edge on the screen: following fingers, coming to rest on whole squares, gliding
 * a step. Not here: the arithmetic of it (`torus`).
 */
import { duration } from "./animation.ts";
import type { Place, Plane } from "./geometry.ts";
import { Scroll, scrollStep, shortOf } from "./torus.ts";
import type { Board, Point } from "./types.ts";

/** What shows the scrolled board. */
export interface Scrolled {
  readonly plane: Plane | null;
  readonly animation: number;
  /** Other squares are at the window's corner now. */
  rearrange(): void;
  /** The picture stands off its places by a fraction; `moving` while it is on the way. */
  offset(rest: Place, moving: boolean): void;
  settled(origin: Place): void;
}

export class Scroller {
  readonly #host: Scrolled;
  readonly #scroll: Scroll;
  #frame = 0;
  /** The file and rank at the corner of a board that nobody has scrolled. */
  #home: Place = { file: 0, rank: 0 };

  constructor(board: Board, host: Scrolled) {
    this.#host = host;
    this.#scroll = new Scroll(board);
  }

  get origin(): Place {
    return this.#scroll.origin;
  }

  /** The board lies otherwise now: where it has not been scrolled it begins at the new place. */
  settleAt(home: Place): void {
    const { file, rank } = this.#scroll.origin;
    if (file === this.#home.file && rank === this.#home.rank) this.#scroll.place(home);
    this.#home = home;
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
  }

  /** Moves the picture by files and ranks of the lattice, fractions too. */
  by(step: Place): void {
    this.stop();
    const before = this.#scroll.origin;
    this.#scroll.by(step);
    const { file, rank } = this.#scroll.origin;
    if (file !== before.file || rank !== before.rank) this.#host.rearrange();
    this.#host.offset(this.#scroll.rest, true);
  }

  /** Comes to rest on whole squares. */
  end(): void {
    const { file, rank } = this.#scroll.rest;
    this.glide({ file: -file, rank: -rank });
  }

  /** Moves by a step in a moment, and ends on whole squares: what an earlier glide left over is made up. */
  glide(step: Place): void {
    this.stop();
    const rest = this.#scroll.rest;
    const whole = {
      file: Math.round(step.file + rest.file) - rest.file,
      rank: Math.round(step.rank + rest.rank) - rest.rank,
    };
    const time = duration(this.#host.animation);
    const start = performance.now();
    let done = 0;
    const frame = (now: number): void => {
      const part = time === 0 ? 1 : Math.min(1, Math.max(0, (now - start) / time));
      const eased = 1 - (1 - part) ** 3;
      this.by({ file: whole.file * (eased - done), rank: whole.rank * (eased - done) });
      done = eased;
      if (part < 1) {
        this.#frame = requestAnimationFrame(frame);
        return;
      }
      this.#scroll.settle();
      this.#host.offset({ file: 0, rank: 0 }, false);
      this.#host.settled(this.#scroll.origin);
    };
    if (time === 0) frame(start);
    else this.#frame = requestAnimationFrame(frame);
  }

  /** Glides one square that way on the page; without a way, back to where the board began. */
  go(way: Point | null): void {
    const plane = this.#host.plane;
    if (!plane) return;
    if (way) {
      this.glide(scrollStep(plane, way));
      return;
    }
    const { file, rank } = this.#scroll.origin;
    const { files, ranks } = plane.board;
    this.glide({ file: shortOf(file - this.#home.file, files), rank: shortOf(rank - this.#home.rank, ranks) });
  }
}
