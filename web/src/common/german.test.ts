/** Whether the German messages of the scripts are whole: each key once, with the same places for values. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const sources = fileURLToPath(new URL("..", import.meta.url));
const file = fileURLToPath(new URL("../../../crates/server/locales/de/script.json", import.meta.url));

/** The English messages of all pages that name them in full (`"page.key": "text",`). */
function english(): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name) || name.includes(".test.")) continue;
    const text = readFileSync(join(sources, name), "utf8");
    for (const [, key, said] of text.matchAll(/^ {2}"([a-z]+\.[a-z_.]+)":\s*"(.*)",$/gm)) {
      found.set(key ?? "", said ?? "");
    }
  }
  return found;
}

const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe("German messages", () => {
  const german = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;

  it("say everything that the English ones say", () => {
    const known = english();
    expect(known.size).toBeGreaterThan(100);
    expect([...known.keys()].filter((key) => !(key in german))).toEqual([]);
  });

  it("have the same places", () => {
    for (const [key, text] of english()) expect([key, places(german[key] ?? "")]).toEqual([key, places(text)]);
  });
});
