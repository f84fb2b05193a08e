/**
 * Translation: scripts register their English texts; a page in another language contains translations as
 * `<script type="application/json" id="texts">`. Not here: the texts.
 */

export type Args = Record<string, string | number>;

/** The translations in the page; none for English. */
function translated(): Record<string, string> {
  const element = typeof document === "undefined" ? null : document.getElementById("texts");
  if (!element) return {};
  return JSON.parse(element.textContent ?? "{}") as Record<string, string>;
}

const texts: Record<string, string> = {};

/** Registers English texts; translations take precedence. */
export function addTexts(english: Readonly<Record<string, string>>): void {
  Object.assign(texts, english, translated());
}

/** The texts with prefixed keys, as the translations have them. */
export function withPrefix(prefix: string, english: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [prefix + key, text]));
}

/** A text by its key, with its placeholders (`{name}`) filled. An unknown key is its own text. */
export function t(key: string, args: Args = {}): string {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(args[name] ?? placeholder));
}
