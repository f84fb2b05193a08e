/**
 * The pictures of pieces: symbols of a sprite, fetched once for all boards of a page, and lettered discs for roles
 * without a drawing. Not here: where a piece stands.
 */
import { PieceDrawing } from "./drawing.ts";
import { drawnColor, inkOf, paint } from "./armies.ts";
import { svg } from "./svg.ts";
import type { PieceColor, Role } from "./types.ts";

/** The id of a piece's symbol, as the program names it in the sprite, which has white and black ones. */
export function symbolId(glyph: string, color: PieceColor): string {
  return `${glyph.replace("+", "-")}-${color}`;
}

/** Whether the picture of a role is one that a user has drawn, named by its digest. */
export const isUserPicture = (glyph: string): boolean => /^[0-9a-f]{64}$/.test(glyph);

/** The address of the sprite with a picture that a user has drawn. */
const userSprite = (digest: string): string => `/api/pictures/${digest}`;

/** The address of a piece's symbol, where a board's pictures come from a sprite. */
export function symbolAddress(glyph: string, color: PieceColor, sprite: string): string {
  return `${isUserPicture(glyph) ? userSprite(glyph) : sprite}#${symbolId(glyph, drawnColor(color))}`;
}

type Symbols = Map<string, SVGSymbolElement>;

const sprites = new Map<string, Promise<Symbols>>();

/** The symbols at an address, fetched once; empty if the request fails. */
export function loadSprite(url: string): Promise<Symbols> {
  const cached = sprites.get(url);
  if (cached) return cached;
  const loading = fetchSymbols(url).catch(() => {
    // Retry with the next board.
    sprites.delete(url);
    return new Map();
  });
  sprites.set(url, loading);
  return loading;
}

/** The symbols at an address, and those of the pictures that users have drawn for a game. */
export async function loadPictures(url: string, userPictures: readonly string[]): Promise<Symbols> {
  const all = await Promise.all([url, ...userPictures.map(userSprite)].map(loadSprite));
  return new Map(all.flatMap((symbols) => [...symbols]));
}

async function fetchSymbols(url: string): Promise<Symbols> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`expected the pictures at ${url}, found status ${response.status}`);
  const text = await response.text();
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return new Map([...parsed.querySelectorAll("symbol")].map((symbol) => [symbol.id, symbol]));
}

/** The symbol of a piece in the colors of its army; an empty one without its picture. */
export async function paintedSymbol(glyph: string, color: PieceColor, sprite: string): Promise<SVGSymbolElement> {
  const symbols = await loadSprite(isUserPicture(glyph) ? userSprite(glyph) : sprite);
  const symbol = symbols.get(symbolId(glyph, drawnColor(color)));
  return symbol ? paint(document.importNode(symbol, true), symbolId(glyph, color), color) : svg("symbol", {});
}

/** A picture as elements that can be placed anywhere, given corner and size in units. */
export type Picture = Pick<PieceDrawing, "create" | "place">;

/** A picture by reference, for drawings that `PieceDrawing` does not support. */
class SymbolReference implements Picture {
  readonly #href: string;

  constructor(href: string) {
    this.#href = href;
  }

  create(): SVGElement[] {
    return [svg("use", { href: this.#href })];
  }

  place(elements: Iterable<Element>, x: number, y: number, size: number): void {
    for (const element of elements) {
      for (const [name, value] of Object.entries({ x, y, width: size, height: size })) {
        element.setAttribute(name, String(value));
      }
    }
  }
}

/** The symbols of one board, added to its definitions when they are first needed. */
export class Pictures {
  readonly definitions = svg("defs");
  #symbols: Symbols = new Map();
  readonly #added = new Map<string, Picture>();

  /** Sets the sprite's symbols. References obtained before are invalid. */
  setSymbols(symbols: Symbols): void {
    this.#symbols = symbols;
    this.#added.clear();
    this.definitions.replaceChildren();
  }

  /** The reference to a piece's picture. */
  href(role: Role | undefined, color: PieceColor): string {
    return `#${this.#addSymbol(role, color)}`;
  }

  /** The picture of a piece, which can be drawn many times. */
  picture(role: Role | undefined, color: PieceColor): Picture {
    const id = this.#addSymbol(role, color);
    return this.#added.get(id) ?? new SymbolReference(`#${id}`);
  }

  /** Adds a symbol to the definitions, if needed; returns its id. */
  #addSymbol(role: Role | undefined, color: PieceColor): string {
    const glyph = role?.glyph ?? "";
    const drawnSymbol = this.#symbols.get(symbolId(glyph, drawnColor(color)));
    const id = drawnSymbol ? symbolId(glyph, color) : `letter-${(role?.letter ?? "?").codePointAt(0)}-${color}`;
    if (!this.#added.has(id)) {
      const unpainted = drawnSymbol ? document.importNode(drawnSymbol, true) : letterSymbol(id, role?.letter ?? "?", color);
      const symbol = paint(unpainted, id, color);
      this.#added.set(id, PieceDrawing.read(symbol) ?? new SymbolReference(`#${id}`));
      this.definitions.append(symbol);
    }
    return id;
  }
}

function letterSymbol(id: string, letter: string, color: PieceColor): SVGSymbolElement {
  const { body: fill, line } = inkOf(drawnColor(color));
  const text = svg("text", {
    x: 50,
    y: 50,
    "text-anchor": "middle",
    "dominant-baseline": "central",
    "font-size": 50,
    "font-weight": 700,
    "font-family": '"Hanken Grotesk", system-ui, sans-serif',
    fill: line,
  });
  text.textContent = letter;
  const disc = svg("circle", { cx: 50, cy: 48, r: 37, fill, stroke: line, "stroke-width": 4 });
  return svg("symbol", { id, viewBox: "0 0 100 100", overflow: "visible" }, [disc, text]);
}
