/**
 * The pictures of the men: symbols of the sprite, fetched once for all boards of a page, and lettered discs
 * for roles without a drawing. Not here: where a man stands.
 */
import { svg } from "./svg.ts";
import type { Color, Role } from "./types.ts";

/** The id of a man's symbol in the sprite, as the program names it. */
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

/** The symbols of one board: those that its men need, put into its own definitions when first asked for. */
export class Pictures {
  readonly definitions = svg("defs");
  #symbols: Symbols = new Map();
  readonly #placed = new Set<string>();

  /** Takes the sprite's symbols; what was drawn as a letter for want of them is drawn anew. */
  use(symbols: Symbols): void {
    this.#symbols = symbols;
    this.#placed.clear();
    this.definitions.replaceChildren();
  }

  /** The reference to a man's picture. */
  href(role: Role | undefined, color: Color): string {
    const symbol = role?.glyph ? this.#symbols.get(symbolId(role.glyph, color)) : undefined;
    const id = symbol ? symbol.id : `letter-${(role?.letter ?? "?").codePointAt(0)}-${color}`;
    if (!this.#placed.has(id)) {
      this.#placed.add(id);
      this.definitions.append(
        symbol ? document.importNode(symbol, true) : letterSymbol(id, role?.letter ?? "?", color),
      );
    }
    return `#${id}`;
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
    "font-family": "system-ui, sans-serif",
    fill: line,
  });
  text.textContent = letter;
  const disc = svg("circle", { cx: 50, cy: 48, r: 37, fill, stroke: line, "stroke-width": 4 });
  return svg("symbol", { id, viewBox: "0 0 100 100", overflow: "visible" }, [disc, text]);
}
