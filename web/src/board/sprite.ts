/**
 * The pictures of the pieces: symbols of the sprite, fetched once for all boards of a page, and lettered discs
 * for roles without a drawing. Not here: where a piece stands.
 */
import { Drawing } from "./drawing.ts";
import { svg } from "./svg.ts";
import type { Color, Role } from "./types.ts";

/** The id of a piece's symbol in the sprite, as the program names it. */
export function symbolId(glyph: string, color: Color): string {
  return `${glyph.replace("+", "-")}-${color}`;
}

type Symbols = Map<string, SVGSymbolElement>;

const sprites = new Map<string, Promise<Symbols>>();

/** The symbols at an address, fetched once; none when there are none to be had. */
export function loadSprite(url: string): Promise<Symbols> {
  const known = sprites.get(url);
  if (known) return known;
  const loading = fetchSymbols(url).catch(() => {
    // Ask again with the next board: the connection may be back by then.
    sprites.delete(url);
    return new Map();
  });
  sprites.set(url, loading);
  return loading;
}

async function fetchSymbols(url: string): Promise<Symbols> {
  const response = await fetch(url);
  if (!response.ok) return new Map();
  const text = await response.text();
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return new Map([...parsed.querySelectorAll("symbol")].map((symbol) => [symbol.id, symbol]));
}

/** A piece's picture as elements that can be put anywhere: corner and size in units of the board. */
export type Picture = Pick<Drawing, "create" | "place">;

/** The picture by reference, for drawings that cannot be written out. */
class Reference implements Picture {
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

/** The symbols of one board: those that its pieces need, put into its own definitions when first asked for. */
export class Pictures {
  readonly definitions = svg("defs");
  #symbols: Symbols = new Map();
  readonly #placed = new Map<string, Picture>();

  /** Takes the sprite's symbols; what was drawn as a letter for want of them is drawn anew. */
  use(symbols: Symbols): void {
    this.#symbols = symbols;
    this.#placed.clear();
    this.definitions.replaceChildren();
  }

  /** The reference to a piece's picture. */
  href(role: Role | undefined, color: Color): string {
    return `#${this.#place(role, color)}`;
  }

  /** A piece's picture, to be drawn many times. */
  picture(role: Role | undefined, color: Color): Picture {
    const id = this.#place(role, color);
    return this.#placed.get(id) ?? new Reference(`#${id}`);
  }

  /** The id of a piece's symbol, which is among the definitions from now on. */
  #place(role: Role | undefined, color: Color): string {
    const known = role?.glyph ? this.#symbols.get(symbolId(role.glyph, color)) : undefined;
    const id = known ? known.id : `letter-${(role?.letter ?? "?").codePointAt(0)}-${color}`;
    if (!this.#placed.has(id)) {
      const symbol = known ? document.importNode(known, true) : letterSymbol(id, role?.letter ?? "?", color);
      this.#placed.set(id, Drawing.read(symbol) ?? new Reference(`#${id}`));
      this.definitions.append(symbol);
    }
    return id;
  }
}

function letterSymbol(id: string, letter: string, color: Color): SVGSymbolElement {
  const [fill, line] = color === "white" ? ["#fffdf8", "#2a2033"] : ["#33283e", "#f4ecf0"];
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
