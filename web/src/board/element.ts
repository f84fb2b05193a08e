/**
 * `<loz-board>`: takes what a page knows (geometry, pieces, moves), keeps the parts of the board in step with
 * it, and says what the user did. What each part does is in its own module; here they are only joined.
 */
import { toggled } from "./arrows.ts";
import { Chooser, choices, suffixesOf } from "./chooser.ts";
import { Destinations, type Option } from "./destinations.ts";
import { Ghost } from "./drag.ts";
import { type Place, Plane } from "./geometry.ts";
import { Grid } from "./grid.ts";
import { Hand, type Intent, type Situation } from "./hand.ts";
import { Input } from "./input.ts";
import { Narrator } from "./narrator.ts";
import type { Promised } from "./promised.ts";
import { Properties } from "./properties.ts";
import { type Scrolled, Scroller } from "./scroller.ts";
import { firstFocus, put, said } from "./shown.ts";
import { play } from "./sounds.ts";
import { loadSprite } from "./sprite.ts";
import { Stage } from "./stage.ts";
import { styleSheet } from "./style.ts";
import { html } from "./svg.ts";
import { fill } from "./texts.ts";
import { Tools } from "./tools.ts";
import { campShifts, homeOf } from "./torus.ts";
import type { Board, BoardEvents, Color, Drawn, Piece, Point, Role } from "./types.ts";
import { type Table, Wiring } from "./wiring.ts";

const NOWHERE: Place = { file: 0, rank: 0 };
const NO_MOVES = new Destinations({ squares: [] }, []);

export class LozBoard extends Properties implements Table, Scrolled {
  readonly stage = new Stage();
  readonly grid = new Grid();
  readonly ghost = new Ghost();
  readonly hand: Hand;
  readonly #chooser = new Chooser();
  readonly #tools = new Tools();
  readonly #wiring = new Wiring(this);
  readonly #root: ShadowRoot;
  #input: Input | null = null;
  #plane: Plane | null = null;
  scroller: Scroller | null = null;
  /** The pieces on the screen, which run ahead of the page's after a move of the user. */
  #shown: readonly Piece[] = [];
  #last: readonly number[] = [];
  /** The user has moved and the page has not answered yet. */
  #spent = false;
  /** Where the board begins, and which squares have their own place in the ring there. */
  #home: { place: Place; shifts: ReadonlyMap<number, Place> } = { place: NOWHERE, shifts: new Map() };
  #hovered: number | null = null;
  #over: number | null = null;
  #sketch: Drawn | null = null;
  /** The address that pictures were asked from, and whether they have come. */
  #asked: string | null = null;
  #pictured = false;
  #narrator: Narrator | null = null;

  constructor() {
    super();
    this.hand = new Hand(this.#situation());
    this.#root = this.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [styleSheet()];
    this.stage.frame.append(this.grid.element, this.#chooser.element, this.ghost.element);
    const whole = html("div", { class: "whole" }, [this.stage.frame, this.#tools.element]);
    this.#root.append(whole, this.#tools.hint, this.grid.live);
    this.grid.element.addEventListener("keydown", (event) => this.#wiring.key(event));
    this.grid.element.addEventListener("focusin", (event) => {
      const square = this.grid.squareOf(event.composedPath()[0] ?? null);
      if (square === null) return;
      this.grid.focusable(square);
      this.#narrator?.focus(square);
    });
    // Screen readers click on cells themselves; pointers never reach them.
    this.grid.element.addEventListener("click", (event) => {
      const square = this.grid.squareOf(event.composedPath()[0] ?? null);
      if (square !== null && this.isLive) this.carryOut(this.hand.point(square), false);
    });
  }

  connectedCallback(): void {
    this.invalidate("plane");
  }

  /** Pointers mean something as long as the board is more than a picture. */
  #listen(): void {
    if (this.isLive === (this.#input !== null)) return;
    this.stage.watch(this.isLive);
    this.#input?.disconnect();
    const toBoard = (client: Point): Point => this.stage.toBoard(client);
    this.#input = this.isLive ? new Input(this.stage.frame, toBoard, this.#wiring) : null;
  }

  disconnectedCallback(): void {
    this.#input?.disconnect();
    this.#input = null;
    this.stage.watch(false);
    this.scroller?.stop();
    this.#narrator?.stop();
  }

  get plane(): Plane | null {
    return this.#plane;
  }

  get isLive(): boolean {
    return !this.static;
  }

  /** Width by height of the whole drawing, for pages that must fit it. */
  get aspect(): number {
    return this.stage.aspect;
  }

  // What has changed is brought to the screen.

  protected override refresh(tasks: ReadonlySet<string>): void {
    if (!this.board || !this.isConnected) return;
    if (this.sprite !== this.#asked) this.#loadPictures();
    this.#listen();
    if (tasks.has("board")) this.#newBoard();
    if (tasks.has("board") || tasks.has("texts")) this.#speak(this.board);
    const answer = this.#spent;
    if (tasks.has("pieces") || tasks.has("destinations")) this.#spent = false;
    const pieces = this.#spent ? this.#shown : this.pieces;
    const last = this.#spent ? this.#last : this.last;
    if (tasks.has("plane") || tasks.has("board") || !this.#plane) this.#newPlane(pieces);
    else if (tasks.has("pieces")) this.#changePieces(pieces, last, answer);
    this.#shown = pieces;
    this.#last = last;
    this.hand.renew(this.#situation());
    this.#say();
    this.stage.arrows.draw(this.#planeNow(), this.#shapes());
    this.#playPremove();
  }

  #planeNow(): Plane {
    if (!this.#plane) throw new Error("expected a plane, found none");
    return this.#plane;
  }

  #newBoard(): void {
    if (!this.board) return;
    this.scroller?.stop();
    this.scroller = new Scroller(this.board, this);
    this.hand.selected = null;
    this.hand.premove = null;
    this.#plane = null;
    this.#shown = [];
    this.#chooser.close();
  }

  /** Takes the words of the page's language. */
  #speak(board: Board): void {
    this.#tools.build(this.texts, (way) => this.scroller?.go(way));
    this.#narrator?.stop();
    this.#narrator = new Narrator(this.grid, board, this.texts);
  }

  #newPlane(pieces: readonly Piece[]): void {
    const fresh = this.#plane === null;
    this.#goHome();
    const plane = this.#layPlane();
    if (!plane) return;
    if (this.#pictured) this.stage.pieces.place(plane, pieces);
    const interactive = !this.static;
    this.#tools.show(interactive && !this.placing ? plane : null);
    this.grid.element.hidden = !interactive;
    if (!interactive) return;
    if (fresh) this.grid.build(plane, firstFocus(plane.board, pieces, this.movable));
    this.grid.place(plane, this.stage.page);
    const text = plane.wrapped ? this.texts.board_torus : this.texts.board;
    this.grid.element.setAttribute("aria-label", fill(text, { name: plane.board.name }));
  }

  /** A board without an edge begins where neither camp is cut. */
  #goHome(): void {
    if (!this.board) return;
    const home = homeOf(this.board, this.start);
    this.#home = { place: home, shifts: campShifts(this.board, this.start, home, this.ring) };
    this.scroller?.settleAt(home);
  }

  /** The camps are whole as long as the board lies where it began. */
  #shifts(origin: Place): ReadonlyMap<number, Place> | undefined {
    const { place, shifts } = this.#home;
    return origin.file === place.file && origin.rank === place.rank ? shifts : undefined;
  }

  #layPlane(): Plane | null {
    const board = this.board;
    if (!board) return null;
    const origin = this.scroller?.origin ?? NOWHERE;
    this.#plane = new Plane(
      board,
      {
        view: this.view ?? board.view,
        flipped: this.flipped,
        ring: this.ring,
        origin,
        shifts: this.#shifts(origin),
        beyond: this.static ? 0 : 1,
      },
      this.#plane,
    );
    this.stage.lay(this.#plane, this.coordinates && !this.static);
    // Everything inside inherits it, so it is not written without need.
    const aspect = String(this.stage.aspect);
    if (this.style.getPropertyValue("--loz-aspect") !== aspect) this.style.setProperty("--loz-aspect", aspect);
    return this.#plane;
  }

  #loadPictures(): void {
    const url = this.sprite;
    this.#asked = url;
    void loadSprite(url).then((symbols) => {
      if (url !== this.sprite) return;
      this.#pictured = true;
      this.stage.pictures.use(symbols);
      if (this.#plane) this.stage.pieces.place(this.#plane, this.#shown);
    });
  }

  /** `answer`: the page answers a move of the user, who has seen and heard most of it. */
  #changePieces(pieces: readonly Piece[], last: readonly number[], answer: boolean): void {
    const plane = this.#planeNow();
    const before = this.#shown;
    if (this.#pictured) {
      this.stage.pieces.change(plane, pieces, last, this.static ? 0 : this.animation);
    }
    if (this.static) return;
    const told = this.#narrator?.changed(before, pieces, { last, check: this.check, answer, aloud: this.narrated });
    if (!this.sound || (!told && !answer)) return;
    if (this.check !== null) play("check");
    else if (!answer) play(pieces.length < before.length ? "capture" : "move");
  }

  #situation(): Situation {
    return {
      pieces: new Map((this.#spent ? this.#shown : this.pieces).map((piece) => [piece.square, piece])),
      destinations:
        this.board && !this.#spent
          ? new Destinations(this.board, this.destinations, this.castlings)
          : NO_MOVES,
      reach: this.reach,
      movable: this.movable,
      turn: this.#spent ? this.#otherTurn() : this.turn,
      premove: this.premove,
      placing: this.placing,
      promotions: this.board?.promotions,
    };
  }

  #otherTurn(): Color {
    return this.movable === "white" ? "black" : "white";
  }

  /** Draws the marks and names the cells. */
  #say(): void {
    if (!this.#plane) return;
    this.#drawMarks(this.#plane);
    if (!this.static) {
      this.#narrator?.name(this.hand, { last: this.#last, check: this.#spent ? null : this.check });
    }
  }

  #drawMarks(plane: Plane): void {
    const known = {
      last: this.#last,
      check: this.#spent ? null : this.check,
      hovered: this.#hovered,
      over: this.#over,
      marks: this.marks,
      showDestinations: this.showDestinations,
    };
    const shown = said(this.hand, known);
    this.stage.marks.draw(plane, shown);
    this.stage.promised.draw(plane, shown.premove.length > 0 ? this.#promised() : null);
  }

  /** What the waiting move makes of its piece, where that was chosen. */
  #promised(): Promised | null {
    const { premove, situation } = this.hand;
    const role = this.#roleOf(premove?.suffix ?? null);
    const color = premove && situation.pieces.get(premove.from)?.color;
    if (!premove || !role || !color) return null;
    return { square: premove.to, href: this.stage.pictures.href(role, color) };
  }

  /** Takes back on the screen what the user did and the page refused. */
  reset(): void {
    this.#spent = false;
    this.invalidate("pieces");
  }

  // What the user does.

  select(square: number | null): void {
    if (square === this.hand.selected) return;
    this.hand.selected = square;
    if (square !== null) this.#wantReach(square);
    this.#say();
    this.tell("select", { square });
    this.#narrator?.chosen(square, this.hand);
  }

  carryOut(intent: Intent, dragged: boolean): void {
    if (intent.kind === "select") return this.select(intent.square);
    if (intent.kind === "premove") return void this.#choosePremove(intent.from, intent.to);
    void this.#choose(intent.from, intent.to, intent.options, dragged);
  }

  async #choose(from: number, to: number, options: Option[], dragged: boolean, early = false): Promise<void> {
    const [only] = options;
    if (!only) return;
    if (options.length === 1) return this.#move(from, only, dragged, early);
    const piece = this.hand.situation.pieces.get(from);
    if (!piece || !this.board) return;
    // The piece waits on its target while the user chooses.
    const before = this.#shown;
    this.stage.pieces.change(this.#planeNow(), put(before, from, to), [from, to], dragged ? 0 : this.animation);
    const suffix = await this.#ask(piece, to, suffixesOf(options));
    // The position may be another by now, and so the moves.
    const still = this.hand.put(from, to);
    const option = still?.kind === "move" && still.options.find((known) => known.suffix === suffix);
    if (option) return this.#move(from, option, true, early);
    if (this.#shown === before) this.stage.pieces.change(this.#planeNow(), before, [to, from], this.animation);
    this.select(null);
  }

  async #ask(piece: Piece, at: number, suffixes: readonly string[]): Promise<string | null> {
    const board = this.board;
    if (!board) return null;
    const href = (role: Role): string => this.stage.pictures.href(role, piece.color);
    const focused = this.grid.squareOf(this.#root.activeElement);
    const answer = this.#chooser.ask(choices(board, piece, suffixes), href, this.stage.pieceSize(), this.texts);
    const frame = this.stage.frame.getBoundingClientRect();
    const plane = this.#planeNow();
    const reach = Math.max(...plane.corners.map(([, y]) => Math.abs(y))) * this.stage.scale();
    this.#chooser.stand(this.stage.toFrame(plane.center(plane.placeOf(at))), reach, frame);
    const suffix = await answer;
    if (focused !== null) this.grid.focus(at);
    return suffix;
  }

  #move(from: number, option: Option, dragged: boolean, early: boolean): void {
    const piece = this.hand.situation.pieces.get(from);
    const mover = piece?.color ?? "white";
    const before = this.#shown;
    const pieces = put(before, from, option.to);
    const last = [from, option.to] as const;
    this.stage.pieces.change(this.#planeNow(), pieces, last, dragged ? 0 : this.animation);
    const captured = pieces.length < before.length;
    if (this.sound) play(captured ? "capture" : "move");
    if (piece) this.#narrator?.moved(piece, before, pieces, last);
    this.#shown = pieces;
    this.#last = last;
    this.#spent = true;
    this.hand.selected = null;
    this.hand.renew({ ...this.#situation(), turn: mover === "white" ? "black" : "white", reach: null });
    this.#say();
    this.tell("move", { move: option.move, from, to: option.to, premove: early });
  }

  async #choosePremove(from: number, to: number): Promise<void> {
    const piece = this.hand.situation.pieces.get(from);
    const letters = this.hand.letters(from, to);
    if (!piece || letters.length === 0) return this.setPremove(from, to, null);
    const suffix = await this.#ask(piece, to, letters);
    // The piece may be gone by now.
    if (suffix === null || this.hand.situation.pieces.get(from)?.role !== piece.role) return this.select(null);
    this.setPremove(from, to, suffix);
  }

  /** Lets a move wait for its turn, instead of one that waited before. `hand.put` says what may wait. */
  setPremove(from: number, to: number, suffix: string | null): void {
    this.hand.premove = { from, to, suffix };
    this.hand.selected = null;
    this.#say();
    this.tell("premove", { from, to, suffix });
    this.#narrator?.premoved(from, to, this.#roleOf(suffix)?.id ?? null);
    // The turn may have come while the user was choosing.
    this.#playPremove();
  }

  #roleOf(suffix: string | null): Role | undefined {
    return suffix ? this.board?.roles.find((known) => known.letter.toLowerCase() === suffix) : undefined;
  }

  #playPremove(): void {
    const due = this.hand.due();
    const premove = this.hand.premove;
    if (due === null || !premove) return;
    this.hand.premove = null;
    if (due.length > 0) return void this.#choose(premove.from, premove.to, due, false, true);
    this.#say();
    this.tell("premove-cancelled", { reason: "illegal" });
  }

  cancelPremove(): void {
    if (!this.hand.premove) return;
    this.hand.premove = null;
    this.#say();
    this.#narrator?.premoveGone();
    this.tell("premove-cancelled", { reason: "user" });
  }

  letGo(): void {
    this.cancelPremove();
    this.select(null);
    this.clearDrawings();
  }

  turnAway(): boolean {
    if (!this.#chooser.isOpen) return false;
    this.#chooser.close();
    return true;
  }

  hoverOver(square: number | null): void {
    if (square === null && this.#hovered === null) return;
    const { pieces } = this.hand.situation;
    const worth = square !== null && pieces.has(square) && this.hoverReach;
    this.#hovered = worth && this.hand.selected === null ? square : null;
    // Of a piece that can be moved the moves are known.
    if (this.#hovered !== null && this.hand.grip(this.#hovered) !== "move") this.#wantReach(this.#hovered);
    if (this.#plane) this.#drawMarks(this.#plane);
  }

  dragOver(square: number | null): void {
    if (square === this.#over) return;
    this.#over = square;
    if (this.#plane) this.#drawMarks(this.#plane);
  }

  #wantReach(square: number): void {
    if (this.reach === null) this.tell("reach-wanted", { square });
  }

  pictureOf(square: number): string {
    const piece = this.hand.situation.pieces.get(square);
    const role = this.board?.roles.find((known) => known.id === piece?.role);
    return this.stage.pictures.href(role, piece?.color ?? "white");
  }

  // Drawings.

  #shapes(): Drawn[] {
    return [...this.hints, ...this.drawings, ...(this.#sketch ? [this.#sketch] : [])];
  }

  sketch(shape: Drawn | null): void {
    this.#sketch = shape;
    if (this.#plane) this.stage.arrows.draw(this.#plane, this.#shapes());
  }

  draw(shape: Drawn): void {
    this.drawings = toggled(this.drawings, shape);
    this.tell("drawn", { shapes: this.drawings });
  }

  clearDrawings(): void {
    if (this.drawings.length === 0) return;
    this.drawings = [];
    this.tell("drawn", { shapes: [] });
  }

  // A torus is scrolled.

  rearrange(): void {
    const plane = this.#layPlane();
    if (!plane) return;
    this.stage.pieces.reseat(plane);
    this.#drawMarks(plane);
    this.stage.arrows.draw(plane, this.#shapes());
  }

  offset(rest: Place, moving: boolean): void {
    this.stage.scrolling = moving;
    this.stage.offset(rest);
  }

  settled(origin: Place): void {
    if (this.#plane) this.grid.place(this.#plane, this.stage.page);
    this.tell("scrolled", origin);
  }

  /** Says what the user did; `detail` has the shape that `BoardEvents` gives the event. */
  protected tell<K extends keyof BoardEvents>(name: K, detail: BoardEvents[K]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
