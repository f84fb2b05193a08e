/** Data that the server embeds in the page. */

/** The JSON in `<script type="application/json" id="…">`. */
export function data<T>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`expected data #${id} in the page, found none`);
  return JSON.parse(element.textContent ?? "null") as T;
}
