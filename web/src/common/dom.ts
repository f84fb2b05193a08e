/** DOM elements for scripts without Preact. */

type Attributes = Record<string, string | boolean>;

/** Creates an element; attributes that are `false` are omitted. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** An icon of strokes in a box of 24 by 24. */
export function icon(path: string): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  const stroke = document.createElementNS(space, "path");
  stroke.setAttribute("d", path);
  drawing.append(stroke);
  return drawing;
}
