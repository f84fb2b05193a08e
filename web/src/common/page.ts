/** The page: its embedded data, elements for scripts without Preact, the clipboard. */

/** The JSON in `<script type="application/json" id="…">`. */
export function pageData<T>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`expected data #${id} in the page, found none`);
  return JSON.parse(element.textContent ?? "null") as T;
}

/** Whether the visitor has an account. */
export function hasAccount(): boolean {
  return document.body.dataset.user !== undefined;
}

/** The address at which the visitor signs in (`login`) or gets an account (`register`), and then comes back here. */
export function signInAddress(way: "login" | "register"): string {
  return `/${way}?next=${encodeURIComponent(location.pathname + location.search)}`;
}

type Attributes = Record<string, string | boolean>;

/** Creates an element; attributes that are `false` are omitted. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) created.setAttribute(key, value === true ? "" : value);
  }
  created.append(...children);
  return created;
}

/** An icon of strokes in a box of 24 by 24. */
export function icon(path: string): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(namespace, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  const stroke = document.createElementNS(namespace, "path");
  stroke.setAttribute("d", path);
  drawing.append(stroke);
  return drawing;
}

/** Copies a text to the clipboard; returns whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Without HTTPS there is no clipboard API, so this selects the text in a hidden field and copies it. */
function copyBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.style.cssText = "position:fixed;opacity:0";
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
