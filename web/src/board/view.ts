/**
 * The screen of a board: lays out its layers, draws what the controller gives it, and scrolls. Not here: what the user
 * does (`gestures`, `controller`).
 */
import { Announcer } from "./announcer.ts";
import { Chooser, choices } from "./chooser.ts";
import { type LatticeSquare, Plane } from "./geometry.ts";
import { DragGhost, type GhostPiece } from "./ghosts.ts";
import { Grid } from "./grid.ts";
import { initialFocus } from "./keyboard.ts";
import { Layers } from "./layers.ts";
import { Loupe } from "./loupe.ts";
import type { MarksModel } from "./marks_model.ts";
import type { BoardOptions } from "./properties.ts";
import { ScrollControls } from "./scroll_controls.ts";
import { type ScrollHost, Scroller } from "./scroller.ts";
import { needsLoupe } from "./small_squares.ts";
import { isUserPicture, loadPictures } from "./sprite.ts";
import { styleSheet } from "./style.ts";
import { html } from "./svg.ts";
import { fill, type Texts } from "./texts.ts";
import { campShifts, startOrigin } from "./torus.ts";
import type { Board, DrawnShape, Piece, Point } from "./types.ts";

const ORIGIN: LatticeSquare = { file: 0, rank: 0 };

export type Cursor = "" | "grab" | "grabbing" | "pointer";

export class BoardView implements ScrollHost {
  readonly layers = new Layers();
  readonly grid = new Grid();
  readonly #dragGhost = new DragGhost();
  readonly #loupe: Loupe;
  readonly #chooser = new Chooser();
  readonly #controls = new ScrollControls();
  readonly #root: ShadowRoot;
  readonly #options: BoardOptions;
  readonly #onScroll: (origin: LatticeSquare) => void;
  scroller: Scroller | null = null;
  announcer: Announcer | null = null;
  #plane: Plane | null = null;
  #pieces: readonly Piece[] = [];
  #marks: MarksModel | null = null;
  #premoveGhost: GhostPiece | null = null;
  #shapes: readonly DrawnShape[] = [];
  /** The origin of the board, and the squares shifted into the ring there. */
  #start: { origin: LatticeSquare; shifts: ReadonlyMap<number, LatticeSquare> } = { origin: ORIGIN, shifts: new Map() };
  /** The address of the sprite that was requested last, and whether it was loaded. */
  #sprite = "";
  /** Pictures of the board that users have drawn. */
  #userPictures: readonly string[] = [];
  /** The pictures that are being loaded, or were loaded last. */
  #loading = "";
  #hasPictures = false;

  constructor(root: ShadowRoot, options: BoardOptions, onScroll: (origin: LatticeSquare) => void) {
    this.#root = root;
    this.#options = options;
    this.#onScroll = onScroll;
    root.adoptedStyleSheets = [styleSheet()];
    this.#loupe = new Loupe(this.layers.groups);
    this.layers.frame.append(this.grid.element, this.#chooser.element, this.#dragGhost.element, this.#loupe.element);
    const container = html("div", { class: "container" }, [this.layers.frame, this.#controls.element]);
    root.append(container, this.#controls.hint, this.grid.liveRegion);
    this.grid.element.addEventListener("focusin", (event) => {
      const square = this.grid.squareOf(event.composedPath()[0] ?? null);
      if (square === null) return;
      this.grid.setTabStop(square);
      this.announcer?.labelCell(square);
    });
  }

  get plane(): Plane | null {
    return this.#plane;
  }

  get animation(): number {
    return this.#options.animation;
  }

  /** The square at a point in cell sides. */
  squareAt(point: Point): number | null {
    const place = this.#plane?.placeAt(point);
    return this.#plane && place ? this.#plane.squareAt(place) : null;
  }

  stop(): void {
    this.layers.observeSize(false);
    this.#loupe.hide();
    this.scroller?.stop();
    this.announcer?.stop();
  }

  // A board, its texts and pictures.

  setBoard(board: Board): void {
    this.scroller?.stop();
    this.scroller = new Scroller(board, this);
    this.#plane = null;
    this.#pieces = [];
    this.#chooser.close();
    this.#userPictures = board.roles.flatMap(({ glyph }) => (glyph && isUserPicture(glyph) ? [glyph] : []));
    this.#loadPictures();
  }

  setTexts(board: Board, texts: Texts): void {
    this.#controls.build(texts, (direction) => this.scroller?.glideTowards(direction));
    this.announcer?.stop();
    this.announcer = new Announcer(this.grid, board, texts);
  }

  loadPictures(url: string): void {
    this.#sprite = url;
    this.#loadPictures();
  }

  #loadPictures(): void {
    const key = [this.#sprite, ...this.#userPictures].join(" ");
    if (this.#sprite === "" || key === this.#loading) return;
    this.#loading = key;
    void loadPictures(this.#sprite, this.#userPictures).then((symbols) => {
      if (key !== this.#loading) return;
      this.#hasPictures = true;
      this.layers.pictures.setSymbols(symbols);
      if (this.#plane) this.layers.pieces.place(this.#plane, this.#pieces);
    });
  }

  /** The reference to the picture of a role, or of a piece. */
  pictureOf(piece: Pick<Piece, "role" | "color"> | undefined): string {
    const role = this.#options.board?.roles.find((role) => role.id === piece?.role);
    return this.layers.pictures.href(role, piece?.color ?? "white");
  }

  // Layout.

  /** Lays out the board by its options, and shows a position without animation. */
  layOut(pieces: readonly Piece[]): void {
    const { board, movable, placing, static: isStatic, texts } = this.#options;
    if (!board) return;
    const isNew = this.#plane === null;
    this.#pieces = pieces;
    this.#moveToStart(board);
    const plane = this.#createPlane(board);
    if (this.#hasPictures) this.layers.pieces.place(plane, pieces);
    this.#controls.show(isStatic || placing ? null : plane);
    this.grid.element.hidden = isStatic;
    if (isStatic) return;
    if (isNew) this.grid.build(plane, initialFocus(board, pieces, movable));
    this.grid.place(plane, this.layers.page);
    const label = plane.wrapped ? texts.board_torus : texts.board;
    this.grid.element.setAttribute("aria-label", fill(label, { name: board.name }));
  }

  /** A board without edges starts where neither camp is cut. */
  #moveToStart(board: Board): void {
    const { ring, start } = this.#options;
    const pieces = start.length > 0 ? start : (board.start ?? []);
    const origin = startOrigin(board, pieces);
    this.#start = { origin, shifts: campShifts(board, pieces, origin, ring) };
    this.scroller?.setStart(origin);
  }

  /** The camps are whole only where the board starts. */
  #shifts({ file, rank }: LatticeSquare): ReadonlyMap<number, LatticeSquare> | undefined {
    const { origin, shifts } = this.#start;
    return file === origin.file && rank === origin.rank ? shifts : undefined;
  }

  #createPlane(board: Board): Plane {
    const { view, turns, ring, coordinates, static: isStatic } = this.#options;
    const origin = this.scroller?.origin ?? ORIGIN;
    const plane = new Plane(
      board,
      { view: view ?? board.view, turns, ring, origin, shifts: this.#shifts(origin), margin: isStatic ? 0 : 1 },
      this.#plane,
    );
    this.#plane = plane;
    this.layers.layOut(plane, coordinates && !isStatic);
    return plane;
  }

  // Position, marks and shapes.

  /** Shows another position; pieces that moved are animated. */
  showPieces(pieces: readonly Piece[], last: readonly number[], milliseconds: number): void {
    if (this.#plane && this.#hasPictures) this.layers.pieces.change(this.#plane, pieces, last, milliseconds);
    this.#pieces = pieces;
  }

  drawMarks(model: MarksModel): void {
    this.#marks = model;
    if (this.#plane) this.layers.marks.draw(this.#plane, model);
  }

  drawPremoveGhost(ghost: GhostPiece | null): void {
    this.#premoveGhost = ghost;
    if (this.#plane) this.layers.premoveGhost.draw(this.#plane, ghost);
  }

  drawShapes(shapes: readonly DrawnShape[]): void {
    this.#shapes = shapes;
    if (this.#plane) this.layers.arrows.draw(this.#plane, shapes);
  }

  /** The middle of a square in the window, in pixels, and half its width; of its copy around `at` on a board without edges. */
  windowPlace(square: number, at?: Point): { center: Point; radius: number } | null {
    const plane = this.#plane;
    if (!plane) return null;
    const place = (at && plane.placeAt(at)) ?? plane.placeOf(square);
    const [x, y] = this.layers.toFrame(plane.center(place));
    const frame = this.layers.frame.getBoundingClientRect();
    const radius = Math.max(...plane.corners.map(([x]) => Math.abs(x))) * this.layers.scale();
    return { center: [frame.left + x, frame.top + y], radius };
  }

  // Feedback to the pointer.

  /** Shows the piece under the pointer, and its own square pale. */
  startDrag(square: number, picture: string, isTouch: boolean): void {
    this.layers.pieces.setDragged(square);
    this.#dragGhost.show(picture, this.layers.piecePixels(), isTouch);
  }

  moveDrag(point: Point): void {
    this.#dragGhost.move(this.layers.toFrame(point));
  }

  endDrag(): void {
    this.hideLoupe();
    this.#dragGhost.hide();
    this.layers.pieces.setDragged(null);
  }

  /** Whether the squares are too small for a finger. */
  get needsLoupe(): boolean {
    return this.#plane !== null && needsLoupe(this.#plane.board);
  }

  get isLoupeOpen(): boolean {
    return this.#loupe.isOpen;
  }

  /** Shows the loupe for a finger at a point in cell sides. */
  showLoupe(at: Point): void {
    const frame = this.layers.frame.getBoundingClientRect();
    this.#loupe.show(at, this.layers.toFrame(at), this.layers.scale(), frame);
  }

  hideLoupe(): void {
    this.#loupe.hide();
  }

  setCursor(cursor: Cursor): void {
    this.layers.frame.dataset.cursor = cursor;
  }

  // The chooser.

  /** Asks which role a piece becomes on a square, or which part of it moves. Null if the user cancels. */
  async chooseSuffix(piece: Piece, square: number, suffixes: readonly string[]): Promise<string | null> {
    const { board, texts } = this.#options;
    const plane = this.#plane;
    if (!board || !plane) return null;
    const focused = this.grid.squareOf(this.#root.activeElement);
    const answer = this.#chooser.open(
      choices(board, piece, suffixes),
      ({ id }) => this.pictureOf({ role: id, color: piece.color }),
      this.layers.piecePixels(),
      texts,
    );
    const cellRadius = Math.max(...plane.corners.map(([, y]) => Math.abs(y))) * this.layers.scale();
    const center = this.layers.toFrame(plane.center(plane.placeOf(square)));
    this.#chooser.moveTo(center, cellRadius, this.layers.frame.getBoundingClientRect());
    const suffix = await answer;
    if (focused !== null) this.grid.focus(square);
    return suffix;
  }

  /** Returns whether the chooser was open. */
  closeChooser(): boolean {
    const wasOpen = this.#chooser.isOpen;
    if (wasOpen) this.#chooser.close();
    return wasOpen;
  }

  // Scrolling.

  originChanged(): void {
    const { board } = this.#options;
    if (!board) return;
    const plane = this.#createPlane(board);
    this.layers.pieces.scroll(plane);
    if (this.#marks) this.drawMarks(this.#marks);
    this.drawPremoveGhost(this.#premoveGhost);
    this.drawShapes(this.#shapes);
  }

  setOffset(fraction: LatticeSquare, isScrolling: boolean): void {
    this.layers.scrolling = isScrolling;
    this.layers.setOffset(fraction);
  }

  scrollEnded(origin: LatticeSquare): void {
    if (this.#plane) this.grid.place(this.#plane, this.layers.page);
    this.#onScroll(origin);
  }
}
