/**
 * A piece's drawing with its place and size computed into the paths. References to symbols would be shorter, but the
 * browser handles each of their transforms separately, and a hundred pieces make scrolling slow. Not here: where a
 * piece stands.
 */
import { svg } from "./svg.ts";

/** First scales, then moves. */
interface Transform {
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
  /** The attributes that depend on the transform. */
  attributesFor(transform: Transform): Record<string, string | number>;
  /** Of the part relative to the drawing. */
  inner: Transform;
  text: string;
  children: readonly Part[];
}

const NUMBERS: Readonly<Record<string, number>> = { m: 2, l: 2, t: 2, h: 1, v: 1, c: 6, s: 4, q: 4, a: 7, z: 0 };

/** Attributes that do not depend on the transform. */
const FIXED = new Set([
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-linejoin",
  "stroke-linecap",
  "paint-order",
  "fill-rule",
  "text-anchor",
  "dominant-baseline",
  "font-weight",
  "font-family",
]);

/** Rounds to hundredths, like all lengths of the board. */
const round = (value: number): number => Math.round(value * 100) / 100;

/** Parses a path; null if it is invalid or unsupported. */
export function readPath(text: string): Segment[] | null {
  const segments: Segment[] = [];
  const rest = text.replace(/([a-zA-Z])([^a-zA-Z]*)/g, (_, command: string, values: string) => {
    const numbers = (values.match(/[-+]?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    segments.push({ command, numbers });
    return "";
  });
  const isValid = segments.every(({ command, numbers }) => {
    const count = NUMBERS[command.toLowerCase()];
    if (count === undefined) return false;
    return count === 0 ? numbers.length === 0 : numbers.length > 0 && numbers.length % count === 0;
  });
  return isValid && rest.trim() === "" && segments[0]?.command === "M" ? segments : null;
}

/** A path with every point scaled and moved. */
export function placedPath(segments: readonly Segment[], { scale, x, y }: Transform): string {
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
      return command + moved.map(round).join(" ");
    })
    .join("");
}

/** Parses a transform of the form that our drawings use; null for others. */
function readTransform(text: string | null): Transform | null {
  if (text === null) return { scale: 1, x: 0, y: 0 };
  const parts = /^translate\(([-\d.]+)[ ,]+([-\d.]+)\)\s*scale\(([-\d.]+)\)$/.exec(text.trim());
  return parts ? { x: Number(parts[1]), y: Number(parts[2]), scale: Number(parts[3]) } : null;
}

const compose = (outer: Transform, inner: Transform): Transform => ({
  scale: outer.scale * inner.scale,
  x: outer.x + outer.scale * inner.x,
  y: outer.y + outer.scale * inner.y,
});

/** Removes the attributes with lengths and coordinates from `remaining`; returns a function that computes them for a transform. */
function geometry(element: Element, remaining: Set<string>): Part["attributesFor"] | null {
  const takeNumber = (name: string): number | null => {
    const text = element.getAttribute(name);
    remaining.delete(name);
    return text === null || text.trim() === "" ? null : Number(text);
  };
  const [width, size] = [takeNumber("stroke-width"), takeNumber("font-size")];
  const [x, y] = [takeNumber("cx") ?? takeNumber("x"), takeNumber("cy") ?? takeNumber("y")];
  const radius = takeNumber("r");
  const segments = element.nodeName === "path" ? readPath(element.getAttribute("d") ?? "") : [];
  remaining.delete("d");
  if (!segments || [width, size, x, y, radius].some(Number.isNaN)) return null;
  const [xName, yName] = element.nodeName === "circle" ? ["cx", "cy"] : ["x", "y"];
  return (transform) => {
    const attributes: Record<string, string | number> = {};
    if (width !== null) attributes["stroke-width"] = round(width * transform.scale);
    if (size !== null) attributes["font-size"] = round(size * transform.scale);
    if (radius !== null) attributes.r = round(radius * transform.scale);
    if (x !== null) attributes[xName] = round(x * transform.scale + transform.x);
    if (y !== null) attributes[yName] = round(y * transform.scale + transform.y);
    if (segments.length > 0) attributes.d = placedPath(segments, transform);
    return attributes;
  };
}

function readPart(element: Element, outer: Transform): Part | null {
  const { nodeName: name } = element;
  if (name !== "g" && name !== "path" && name !== "circle" && name !== "text") return null;
  const own = readTransform(element.getAttribute("transform"));
  const remaining = new Set(element.getAttributeNames());
  remaining.delete("transform");
  const attributesFor = geometry(element, remaining);
  if (!own || !attributesFor || [...remaining].some((attribute) => !FIXED.has(attribute))) return null;
  const inner = compose(outer, own);
  const children = [...element.children].map((child) => readPart(child, inner));
  if (children.some((child) => child === null)) return null;
  return {
    name,
    fixed: Object.fromEntries([...remaining].map((attribute) => [attribute, element.getAttribute(attribute) ?? ""])),
    attributesFor,
    inner,
    text: name === "text" ? (element.textContent ?? "") : "",
    children: children as Part[],
  };
}

export class PieceDrawing {
  readonly #parts: readonly Part[];

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** Parses a symbol of 100 by 100; null if it has anything unsupported. */
  static read(symbol: SVGSymbolElement): PieceDrawing | null {
    if (symbol.getAttribute("viewBox") !== "0 0 100 100") return null;
    const parts = [...symbol.children].map((child) => readPart(child, { scale: 1, x: 0, y: 0 }));
    return parts.some((part) => part === null) ? null : new PieceDrawing(parts as Part[]);
  }

  /** Creates the elements without coordinates. */
  create(): SVGElement[] {
    return this.#parts.map(build);
  }

  /** Sets the coordinates of created elements, given the corner and size of the drawing in units. */
  place(elements: Iterable<Element>, x: number, y: number, size: number): void {
    write(this.#parts, elements, { scale: size / 100, x, y });
  }
}

function build(part: Part): SVGElement {
  const element: SVGElement = svg(part.name, part.fixed, part.children.map(build));
  if (part.text) element.textContent = part.text;
  return element;
}

function write(parts: readonly Part[], elements: Iterable<Element>, transform: Transform): void {
  const nodes = [...elements];
  parts.forEach((part, index) => {
    const element = nodes[index];
    if (!element) return;
    const attributes = part.attributesFor(compose(transform, part.inner));
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    write(part.children, element.children, transform);
  });
}
