/**
 * A piece's drawing, written out where it stands. A reference to a symbol would be shorter, but every one of
 * its transforms is a thing of its own to the browser, and a hundred pieces make each frame of a scroll slow.
 * Not here: where a piece stands.
 */
import { svg } from "./svg.ts";

/** What a point of the drawing becomes: first scaled, then moved. */
interface Placing {
  scale: number;
  x: number;
  y: number;
}

interface Segment {
  command: string;
  numbers: readonly number[];
}

interface Part {
  name: "g" | "path" | "circle" | "text";
  fixed: Readonly<Record<string, string>>;
  /** Attributes that depend on where the drawing stands. */
  placed(placing: Placing): Record<string, string | number>;
  /** Of the part within the drawing. */
  within: Placing;
  text: string;
  children: readonly Part[];
}

const NUMBERS: Readonly<Record<string, number>> = { m: 2, l: 2, t: 2, h: 1, v: 1, c: 6, s: 4, q: 4, a: 7, z: 0 };

const KNOWN = new Set([
  "fill",
  "stroke",
  "stroke-linejoin",
  "stroke-linecap",
  "paint-order",
  "fill-rule",
  "text-anchor",
  "dominant-baseline",
  "font-weight",
  "font-family",
]);

/** To hundredths of a unit, as all lengths of the board. */
const short = (value: number): number => Math.round(value * 100) / 100;

/** The commands of a path; null for one that is not understood. */
export function readPath(text: string): Segment[] | null {
  const segments: Segment[] = [];
  const rest = text.replace(/([a-zA-Z])([^a-zA-Z]*)/g, (_, command: string, values: string) => {
    const numbers = (values.match(/[-+]?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    segments.push({ command, numbers });
    return "";
  });
  const whole = segments.every(({ command, numbers }) => {
    const each = NUMBERS[command.toLowerCase()];
    if (each === undefined) return false;
    return each === 0 ? numbers.length === 0 : numbers.length > 0 && numbers.length % each === 0;
  });
  return whole && rest.trim() === "" && segments[0]?.command === "M" ? segments : null;
}

/** A path with every point scaled and moved. */
export function placedPath(segments: readonly Segment[], { scale, x, y }: Placing): string {
  return segments
    .map(({ command, numbers }) => {
      const kind = command.toLowerCase();
      const [dx, dy] = command === kind ? [0, 0] : [x, y];
      const moved = numbers.map((value, index) => {
        if (kind === "h") return value * scale + dx;
        if (kind === "v") return value * scale + dy;
        if (kind !== "a") return value * scale + (index % 2 === 0 ? dx : dy);
        const at = index % 7;
        // Radii, angle, two flags, and the end.
        if (at < 2) return value * scale;
        return at < 5 ? value : value * scale + (at === 5 ? dx : dy);
      });
      return command + moved.map(short).join(" ");
    })
    .join("");
}

/** A transform of the form that the drawings have; null for another. */
function readTransform(text: string | null): Placing | null {
  if (text === null) return { scale: 1, x: 0, y: 0 };
  const parts = /^translate\(([-\d.]+)[ ,]+([-\d.]+)\)\s*scale\(([-\d.]+)\)$/.exec(text.trim());
  return parts ? { x: Number(parts[1]), y: Number(parts[2]), scale: Number(parts[3]) } : null;
}

const joined = (outer: Placing, inner: Placing): Placing => ({
  scale: outer.scale * inner.scale,
  x: outer.x + outer.scale * inner.x,
  y: outer.y + outer.scale * inner.y,
});

/** Lengths and places that an element's attributes hold, as they come out of a placing. */
function geometry(element: Element, left: Set<string>): Part["placed"] | null {
  const take = (name: string): number | null => {
    const text = element.getAttribute(name);
    left.delete(name);
    return text === null || text.trim() === "" ? null : Number(text);
  };
  const [width, size] = [take("stroke-width"), take("font-size")];
  const [x, y] = [take("cx") ?? take("x"), take("cy") ?? take("y")];
  const radius = take("r");
  const segments = element.nodeName === "path" ? readPath(element.getAttribute("d") ?? "") : [];
  left.delete("d");
  if (!segments || [width, size, x, y, radius].some(Number.isNaN)) return null;
  const [across, down] = element.nodeName === "circle" ? ["cx", "cy"] : ["x", "y"];
  return (placing) => {
    const found: Record<string, string | number> = {};
    if (width !== null) found["stroke-width"] = short(width * placing.scale);
    if (size !== null) found["font-size"] = short(size * placing.scale);
    if (radius !== null) found.r = short(radius * placing.scale);
    if (x !== null) found[across] = short(x * placing.scale + placing.x);
    if (y !== null) found[down] = short(y * placing.scale + placing.y);
    if (segments.length > 0) found.d = placedPath(segments, placing);
    return found;
  };
}

function readPart(element: Element, outer: Placing): Part | null {
  const { nodeName: name } = element;
  if (name !== "g" && name !== "path" && name !== "circle" && name !== "text") return null;
  const own = readTransform(element.getAttribute("transform"));
  const left = new Set(element.getAttributeNames());
  left.delete("transform");
  const placed = geometry(element, left);
  if (!own || !placed || [...left].some((attribute) => !KNOWN.has(attribute))) return null;
  const within = joined(outer, own);
  const children = [...element.children].map((child) => readPart(child, within));
  if (children.some((child) => child === null)) return null;
  return {
    name,
    fixed: Object.fromEntries([...left].map((attribute) => [attribute, element.getAttribute(attribute) ?? ""])),
    placed,
    within,
    text: name === "text" ? (element.textContent ?? "") : "",
    children: children as Part[],
  };
}

export class Drawing {
  readonly #parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** Reads a symbol of 100 by 100; null where it holds more than is understood here. */
  static read(symbol: SVGSymbolElement): Drawing | null {
    if (symbol.getAttribute("viewBox") !== "0 0 100 100") return null;
    const parts = [...symbol.children].map((child) => readPart(child, { scale: 1, x: 0, y: 0 }));
    return parts.some((part) => part === null) ? null : new Drawing(parts as Part[]);
  }

  /** The drawing's elements, not placed yet. */
  create(): SVGElement[] {
    return this.#parts.map(build);
  }

  /** Writes the drawing into elements that were created: its corner and size in units. */
  place(elements: Iterable<Element>, x: number, y: number, size: number): void {
    write(this.#parts, elements, { scale: size / 100, x, y });
  }
}

function build(part: Part): SVGElement {
  const element: SVGElement = svg(part.name, part.fixed, part.children.map(build));
  if (part.text) element.textContent = part.text;
  return element;
}

function write(parts: readonly Part[], elements: Iterable<Element>, placing: Placing): void {
  const each = [...elements];
  parts.forEach((part, index) => {
    const element = each[index];
    if (!element) return;
    const attributes = part.placed(joined(placing, part.within));
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    write(part.children, element.children, placing);
  });
}
