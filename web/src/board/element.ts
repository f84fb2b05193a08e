/**
 * `<loz-board>`: connects the parts. A pointer event goes one way: `pointer_input` recognizes a gesture, `gestures`
 * makes it a command, `controller` changes the state, `view` draws it, and the element sends an event to the page.
 */
import { BoardController } from "./controller.ts";
import type { Plane } from "./geometry.ts";
import { Gestures } from "./gestures.ts";
import type { Layers } from "./layers.ts";
import { PointerInput } from "./pointer_input.ts";
import { BoardElement } from "./properties.ts";
import type { Scroller } from "./scroller.ts";
import type { Selection } from "./selection.ts";
import type { BoardEvents } from "./types.ts";
import { BoardView } from "./view.ts";

export class LozBoard extends BoardElement {
  readonly #view = new BoardView(this.attachShadow({ mode: "open" }), this, (origin) => this.#emit("scrolled", origin));
  readonly #controller = new BoardController(this, this.#view, (name, detail) => this.#emit(name, detail));
  readonly #gestures = new Gestures(this.#controller, this.#view);
  /** Null while the board is static or not on a page. */
  #input: PointerInput | null = null;

  constructor() {
    super();
    const { grid } = this.#view;
    grid.element.addEventListener("keydown", (event) => {
      const square = grid.squareOf(event.composedPath()[0] ?? null);
      if (square !== null) this.#gestures.key(square, event);
    });
    grid.element.addEventListener("click", (event) => {
      const square = grid.squareOf(event.composedPath()[0] ?? null);
      if (square !== null) this.#gestures.click(square);
    });
  }

  connectedCallback(): void {
    this.invalidate("view");
  }

  disconnectedCallback(): void {
    this.#input?.disconnect();
    this.#input = null;
    this.#view.stop();
  }

  protected override refresh(changed: ReadonlySet<string>): void {
    if (!this.board || !this.isConnected) return;
    this.#listen();
    this.#controller.update(changed);
    // Written only if it changes, because everything inside inherits it.
    const aspect = String(this.aspect);
    if (this.style.getPropertyValue("--loz-aspect") !== aspect) this.style.setProperty("--loz-aspect", aspect);
  }

  /** Pointers have no effect on a static board. */
  #listen(): void {
    if (this.static === (this.#input === null)) return;
    const { layers } = this.#view;
    layers.observeSize(!this.static);
    this.#input?.disconnect();
    this.#input = this.static
      ? null
      : new PointerInput(layers.frame, (client) => layers.toBoard(client), this.#gestures);
  }

  #emit<K extends keyof BoardEvents>(name: K, detail: BoardEvents[K]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** The width of the whole drawing by its height. */
  get aspect(): number {
    return this.#view.layers.aspect;
  }

  get selection(): Selection {
    return this.#controller.selection;
  }

  /** The geometry of the board as it is shown. */
  get plane(): Plane | null {
    return this.#view.plane;
  }

  get layers(): Layers {
    return this.#view.layers;
  }

  get scroller(): Scroller | null {
    return this.#view.scroller;
  }

  /** Takes back the move of the user that the page refused. */
  reset(): void {
    this.#controller.reset();
    this.invalidate("pieces");
  }

  select(square: number | null): void {
    this.#controller.select(square);
  }

  /** Enters a premove; `selection.intent` says what can be premoved. */
  setPremove(from: number, to: number, suffix: string | null): void {
    this.#controller.setPremove(from, to, suffix);
  }

  cancelPremove(): void {
    this.#controller.cancelPremove();
  }

  /** Says a text to screen readers. */
  announce(text: string): void {
    this.#view.grid.announce(text);
  }

  /** The user has closed what the page shows about a piece. */
  endInspection(): void {
    this.#controller.endInspection();
  }

  /** Drops the premove, the selection and the user's drawings. */
  cancelAll(): void {
    this.#controller.cancelAll();
  }
}
