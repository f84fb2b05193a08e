/**
 * `<loz-board>`: takes what a page knows (geometry, men, moves), keeps the parts of the board in step with
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
import { NO_TARGETS } from "./marks.ts";
import { Properties } from "./properties.ts";
import { type Scrolled, Scroller } from "./scroller.ts";
import { play } from "./sounds.ts";
import { Speech } from "./speech.ts";
import { loadSprite } from "./sprite.ts";
import { Stage } from "./stage.ts";
import { styleSheet } from "./style.ts";
import { fill } from "./texts.ts";
import { Tools } from "./tools.ts";
import type { BoardEvents, Color, Drawn, Man } from "./types.ts";
import { type Table, Wiring } from "./wiring.ts";

const NOWHERE: Place = { file: 0, rank: 0 };
/** Names of cells without the focus may wait until men have moved. */
const NAMING_MS = 260;
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
  /** The men on the screen, which run ahead of the page's after a move of the user. */
  #shown: readonly Man[] = [];
  #last: readonly number[] = [];
  /** The user has moved and the page has not answered yet. */
  #spent = false;
  #hovered: number | null = null;
  #over: number | null = null;
  #sketch: Drawn | null = null;
  #pictured: string | null = null;
  #names: (square: number) => string = () => "";
  #naming = false;

  constructor() {
    super();
    this.hand = new Hand(this.#situation());
    this.#root = this.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = [styleSheet()];
    this.stage.frame.append(this.grid.element, this.#chooser.element, this.#tools.hint, this.ghost.element);
    this.#root.append(this.stage.frame, this.#tools.element, this.grid.live);
    this.grid.element.addEventListener("keydown", (event) => this.#wiring.key(event));
    this.grid.element.addEventListener("focusin", (event) => {
      const square = this.grid.squareOf(event.composedPath()[0] ?? null);
      if (square === null) return;
      this.grid.focusable(square);
      this.grid.nameOne(square, this.#names);
    });
    // Screen readers click on cells themselves; pointers never reach them.
    this.grid.element.addEventListener("click", (event) => {
      const square = this.grid.squareOf(event.composedPath()[0] ?? null);
      if (square !== null && this.isLive) this.carryOut(this.hand.point(square), false);
    });
  }

  connectedCallback(): void {
    if (!this.static) {
      this.#input ??= new Input(this.stage.frame, (client) => this.stage.toBoard(client), this.#wiring);
    }
    this.stage.watch(!this.static);
    this.invalidate("plane");
  }

  disconnectedCallback(): void {
    this.#input?.disconnect();
    this.#input = null;
    this.stage.watch(false);
    this.scroller?.stop();
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
    if (this.sprite !== this.#pictured) this.#loadPictures();
    if (tasks.has("board")) this.#newBoard();
    if (tasks.has("board") || tasks.has("texts"))
      this.#tools.build(this.texts, (way) => this.scroller?.go(way));
    if (tasks.has("men") || tasks.has("destinations")) this.#spent = false;
    const men = this.#spent ? this.#shown : this.men;
    const last = this.#spent ? this.#last : this.last;
    if (tasks.has("plane") || tasks.has("board") || !this.#plane) this.#newPlane(men);
    else if (tasks.has("men")) this.#changeMen(men, last);
    this.#shown = men;
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

  #newPlane(men: readonly Man[]): void {
    const fresh = this.#plane === null;
    const plane = this.#layPlane();
    if (!plane) return;
    if (this.#pictured !== null) this.stage.men.place(plane, men);
    const interactive = !this.static;
    this.#tools.show(interactive && plane.wrapped, plane.sight.view === "diamond");
    this.grid.element.hidden = !interactive;
    if (!interactive) return;
    if (fresh) this.grid.build(plane, this.#firstFocus(men));
    this.grid.place(plane, this.stage.page);
    const text = plane.wrapped ? this.texts.board_torus : this.texts.board;
    this.grid.element.setAttribute("aria-label", fill(text, { name: plane.board.name }));
  }

  #layPlane(): Plane | null {
    const board = this.board;
    if (!board) return null;
    this.#plane = new Plane(
      board,
      {
        view: this.view ?? board.view,
        flipped: this.flipped,
        ring: this.ring,
        origin: this.scroller?.origin ?? NOWHERE,
      },
      this.#plane,
    );
    this.stage.lay(this.#plane, this.coordinates && !this.static);
    this.style.setProperty("--loz-aspect", String(this.stage.aspect));
    return this.#plane;
  }

  /** The focus begins at the user's own King, or any man. */
  #firstFocus(men: readonly Man[]): number {
    const royal = new Set(this.board?.roles.filter((role) => role.royal).map((role) => role.id));
    const own = this.movable === "black" ? "black" : "white";
    const king = men.find((man) => royal.has(man.role) && man.color === own);
    return king?.square ?? men[0]?.square ?? 0;
  }

  #loadPictures(): void {
    const url = this.sprite;
    this.#pictured = null;
    void loadSprite(url).then((symbols) => {
      if (url !== this.sprite) return;
      this.#pictured = url;
      this.stage.pictures.use(symbols);
      if (this.#plane) this.stage.men.place(this.#plane, this.#shown);
    });
  }

  #changeMen(men: readonly Man[], last: readonly number[]): void {
    const plane = this.#planeNow();
    const before = this.#shown;
    if (this.#pictured !== null) {
      this.stage.men.change(plane, men, last, this.static ? 0 : this.animation);
    }
    if (this.static) return;
    const told = this.#speech().change(before, men, last, this.check);
    this.grid.announce(told);
    if (told && this.sound)
      play(this.check !== null ? "check" : men.length < before.length ? "capture" : "move");
  }

  #situation(): Situation {
    return {
      men: new Map((this.#spent ? this.#shown : this.men).map((man) => [man.square, man])),
      destinations:
        this.board && !this.#spent
          ? new Destinations(this.board, this.destinations, this.castlings)
          : NO_MOVES,
      reach: this.reach,
      movable: this.movable,
      turn: this.#spent ? this.#otherTurn() : this.turn,
      premove: this.premove,
    };
  }

  #otherTurn(): Color {
    return this.movable === "white" ? "black" : "white";
  }

  #speech(): Speech {
    if (!this.board) throw new Error("expected a board, found none");
    return new Speech(this.board, this.texts);
  }

  /** Draws the marks and names the cells: the one with the focus now, the others when there is time. */
  #say(): void {
    if (!this.#plane) return;
    this.#drawMarks(this.#plane);
    if (this.static) return;
    this.#names = this.#cellNames();
    if (!this.grid.isNamed) this.grid.name(this.#names, this.hand.selected);
    this.grid.nameOne(this.grid.at, this.#names);
    if (this.#naming) return;
    this.#naming = true;
    setTimeout(() => {
      this.#naming = false;
      this.grid.name(this.#names, this.hand.selected);
    }, NAMING_MS);
  }

  #cellNames(): (square: number) => string {
    const speech = this.#speech();
    const said = { last: this.#last, check: this.#spent ? null : this.check };
    return (square) => speech.cell(square, this.hand, said);
  }

  #drawMarks(plane: Plane): void {
    const { selected, premove } = this.hand;
    const grip = selected === null ? "none" : this.hand.grip(selected);
    const targets = selected === null ? NO_TARGETS : this.hand.targets(selected);
    const looked = selected !== null ? (grip === "none" ? selected : null) : this.#hovered;
    const showing = this.showDestinations;
    const last = [...this.#last];
    const check = this.#spent ? null : this.check;
    this.stage.marks.draw(plane, {
      last,
      check,
      selected,
      targets: showing && grip === "move" ? targets : NO_TARGETS,
      premoveTargets: showing && grip === "premove" ? targets : NO_TARGETS,
      reach: looked === null ? NO_TARGETS : this.hand.reach(looked),
      premove: premove ? [premove.from, premove.to] : [],
      over: this.#over,
      marks: this.marks,
    });
  }

  /** Takes back on the screen what the user did and the page refused. */
  reset(): void {
    this.#spent = false;
    this.invalidate("men");
  }

  // What the user does.

  select(square: number | null): void {
    if (square === this.hand.selected) return;
    this.hand.selected = square;
    if (square !== null) this.#wantReach(square);
    this.#say();
    this.tell("select", { square });
    const man = square === null ? undefined : this.hand.situation.men.get(square);
    if (square === null || !man) return this.grid.announce(this.texts.let_go);
    const { quiet, captures, own } = this.hand.targets(square);
    const count = quiet.length + captures.length + own.length;
    const values = { man: this.#speech().man(man), square: this.#speech().square(square), count };
    this.grid.announce(fill(count > 0 ? this.texts.choice : this.texts.no_moves, values));
  }

  carryOut(intent: Intent, dragged: boolean): void {
    if (intent.kind === "select") return this.select(intent.square);
    if (intent.kind === "premove") return void this.#setPremove(intent.from, intent.to);
    void this.#choose(intent.from, intent.to, intent.options, dragged);
  }

  async #choose(from: number, to: number, options: Option[], dragged: boolean, early = false): Promise<void> {
    const [only] = options;
    if (!only) return;
    if (options.length === 1) return this.#move(from, only, dragged, early);
    const man = this.hand.situation.men.get(from);
    if (!man || !this.board) return;
    // The man waits on its target while the user chooses.
    const plane = this.#planeNow();
    const before = this.#shown;
    this.stage.men.change(plane, put(before, from, to), [from, to], dragged ? 0 : this.animation);
    const suffix = await this.#ask(man, to, suffixesOf(options));
    const option = options.find((known) => known.suffix === suffix);
    const now = this.hand.situation.men.get(from);
    const still = now?.role === man.role && now.color === man.color;
    if (option && still) return this.#move(from, option, true, early);
    if (this.#shown === before) this.stage.men.change(plane, before, [to, from], this.animation);
    this.select(null);
  }

  async #ask(man: Man, at: number, suffixes: readonly string[]): Promise<string | null> {
    const board = this.board;
    if (!board) return null;
    const href = (role: { id: string }) =>
      this.stage.pictures.href(
        board.roles.find((r) => r.id === role.id),
        man.color,
      );
    const texts = { choose: this.texts.choose, whole: this.texts.whole, cancel: this.texts.hint_ok };
    const focused = this.grid.squareOf(this.#root.activeElement);
    const answer = this.#chooser.ask(choices(board, man, suffixes), href, this.stage.manSize(), texts);
    const frame = this.stage.frame.getBoundingClientRect();
    const plane = this.#planeNow();
    this.#chooser.stand(this.stage.toFrame(plane.center(plane.placeOf(at))), frame);
    const suffix = await answer;
    if (focused !== null) this.grid.focus(at);
    return suffix;
  }

  #move(from: number, option: Option, dragged: boolean, early: boolean): void {
    const man = this.hand.situation.men.get(from);
    const mover = man?.color ?? "white";
    const men = put(this.#shown, from, option.to);
    const last = [from, option.to];
    this.stage.men.change(this.#planeNow(), men, last, dragged ? 0 : this.animation);
    const captured = men.length < this.#shown.length;
    if (this.sound) play(captured ? "capture" : "move");
    if (man) {
      const [speech, to] = [this.#speech(), option.to];
      this.grid.announce(
        fill(this.texts.moved, { man: speech.man(man), from: speech.square(from), to: speech.square(to) }),
      );
    }
    this.#shown = men;
    this.#last = last;
    this.#spent = true;
    this.hand.selected = null;
    this.hand.renew({ ...this.#situation(), turn: mover === "white" ? "black" : "white", reach: null });
    this.#say();
    this.tell("move", { move: option.move, from, to: option.to, premove: early });
  }

  async #setPremove(from: number, to: number): Promise<void> {
    const man = this.hand.situation.men.get(from);
    if (!man) return;
    const hint = this.promotions.find(
      (known) => known.role === man.role && known.color === man.color && known.squares.includes(to),
    );
    const suffix = hint && hint.letters.length > 0 ? await this.#ask(man, to, hint.letters) : null;
    if (hint && hint.letters.length > 0 && suffix === null) return this.select(null);
    this.hand.premove = { from, to, suffix };
    this.hand.selected = null;
    this.#say();
    this.tell("premove", { from, to, suffix });
    const speech = this.#speech();
    this.grid.announce(fill(this.texts.premove_set, { from: speech.square(from), to: speech.square(to) }));
    // The turn may have come while the user was choosing.
    this.#playPremove();
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
    this.grid.announce(this.texts.premove_gone);
    this.tell("premove-cancelled", { reason: "user" });
  }

  turnAway(): boolean {
    if (!this.#chooser.isOpen) return false;
    this.#chooser.close();
    return true;
  }

  hoverOver(square: number | null): void {
    if (square === null && this.#hovered === null) return;
    const { men } = this.hand.situation;
    const worth = square !== null && men.has(square) && this.hand.grip(square) === "none" && this.hoverReach;
    this.#hovered = worth && this.hand.selected === null ? square : null;
    if (this.#hovered !== null) this.#wantReach(this.#hovered);
    this.#say();
  }

  dragOver(square: number | null): void {
    if (square === this.#over) return;
    this.#over = square;
    this.#say();
  }

  #wantReach(square: number): void {
    if (this.reach === null) this.tell("reach-wanted", { square });
  }

  pictureOf(square: number): string {
    const man = this.hand.situation.men.get(square);
    const role = this.board?.roles.find((known) => known.id === man?.role);
    return this.stage.pictures.href(role, man?.color ?? "white");
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
    this.stage.men.reseat(plane);
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

/** The men after one of them was put somewhere; what stood there is gone. */
function put(men: readonly Man[], from: number, to: number): Man[] {
  return men
    .filter((man) => man.square !== to)
    .map((man) => (man.square === from ? { ...man, square: to } : man));
}
