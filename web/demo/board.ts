/**
 * A page to try the board on, and for its tests: any fixture in any view, set by the address
 * (`?game=diamondring&view=square&turns=2&theme=dark&movable=white&premove&size=400`). There are no rules
 * here: after a move the piece stands where it was put, and every piece may go where it reaches.
 */
import { type Board, type Castling, type Color, type LozBoard, type Piece, readMove } from "../src/board/index.ts";

interface Fixture {
  board: Board;
  state: { pieces: Piece[]; moves: string[]; castlings: Castling[]; reach: number[][]; turn: Color };
}

const query = new URLSearchParams(location.search);
const element = document.querySelector("#board") as LozBoard;
const log = document.querySelector("#log") as HTMLElement;

const theme = query.get("theme");
if (theme) document.documentElement.dataset.theme = theme;
for (const name of ["view", "movable", "ring", "coordinates", "turns"]) {
  const value = query.get(name);
  if (value !== null) element.setAttribute(name, value);
}
for (const name of ["premove", "static"]) element.toggleAttribute(name, query.has(name));
const colors = query.get("colors");
if (colors) element.setAttribute("theme", colors);
const size = query.get("size");
if (size) element.style.width = `${size}px`;

const events: { name: string; detail: unknown }[] = [];
for (const name of ["move", "premove", "premove-cancelled", "select", "inspect", "reach-wanted", "drawn", "scrolled"]) {
  element.addEventListener(name, (event) => {
    const { detail } = event as CustomEvent;
    events.push({ name, detail });
    log.textContent = `${name} ${JSON.stringify(detail)}\n${log.textContent}`;
  });
}

const answer = await fetch(`/fixtures/${query.get("game") ?? "diamond"}.json`);
const fixture = (await answer.json()) as Fixture;
element.board = fixture.board;
element.inspectable = query.has("inspect");
element.pieces = fixture.state.pieces;
element.destinations = fixture.state.moves;
element.castlings = fixture.state.castlings;
element.reach = fixture.state.reach;

// Without a server the page plays along: it believes the board.
if (!query.has("silent")) {
  element.addEventListener("move", (event) => {
    const { move } = (event as CustomEvent).detail;
    const read = readMove(fixture.board, move);
    if (!read) return;
    const role = fixture.board.roles.find((role) => role.letter.toLowerCase() === read.suffix);
    element.pieces = element.pieces
      .filter((piece) => piece.square !== read.to)
      .map((piece) =>
        piece.square === read.from ? { ...piece, square: read.to, role: role?.id ?? piece.role } : piece,
      );
    element.last = [read.from, read.to];
    const name = (square: number) => fixture.board.squares[square]?.name ?? "";
    element.destinations = element.pieces.flatMap((piece) =>
      (fixture.state.reach[read.from] ?? []).length >= 0
        ? (fixture.state.reach[piece.square] ?? []).map((to) => name(piece.square) + name(to))
        : [],
    );
  });
}

Object.assign(window, { element, fixture, events });
