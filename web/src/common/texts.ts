/**
 * What the pages say: each page brings its English messages, and a page in another language brings its own
 * as `<script type="application/json" id="texts">`. Not here: the messages.
 */

export type Args = Record<string, string | number>;

/** Messages of the page's language; none for English. */
function translated(): Record<string, string> {
  const element = typeof document === "undefined" ? null : document.getElementById("texts");
  if (!element) return {};
  return JSON.parse(element.textContent ?? "{}") as Record<string, string>;
}

const known: Record<string, string> = {};

/** Takes a page's English messages; those of the page's language go before them. */
export function learn(english: Readonly<Record<string, string>>): void {
  Object.assign(known, english, translated());
}

/** The messages under the names that other languages know them by. */
export function named(prefix: string, texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [prefix + key, text]));
}

/** A message by its key, with values in its places: `{name}`. A key that nobody knows stands for itself. */
export function t(key: string, args: Args = {}): string {
  const text = known[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(args[name] ?? place));
}
