/** Helpers to build SVG and HTML: elements, paths, numbers. Lengths are in hundredths of a cell. */
import type { Point } from "./types.ts";

const SPACE = "http://www.w3.org/2000/svg";

/** Units of a drawing for one cell side; large, because browsers round the sizes of text and lines. */
export const UNIT = 100;

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Record<string, string | number> = {},
  children: readonly Element[] = [],
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  children: readonly (Element | string)[] = [],
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A length in units of the drawing, to hundredths. */
export const units = (value: number): number => Math.round(value * UNIT * 100) / 100;

export const pair = (point: Point): string => `${units(point[0])} ${units(point[1])}`;

/** A closed outline. */
export function polygon(points: readonly Point[]): string {
  return points.length === 0 ? "" : `M${points.map(pair).join("L")}Z`;
}

/** A circle as a path, so that one element can hold many. */
export function disc(center: Point, radius: number): string {
  const [left, width, r] = [units(center[0] - radius), units(2 * radius), units(radius)];
  return `M${left} ${units(center[1])}a${r} ${r} 0 1 0 ${width} 0a${r} ${r} 0 1 0 ${-width} 0Z`;
}

/** Sets an attribute only if it changes, to avoid repainting. */
export function setIfChanged(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
