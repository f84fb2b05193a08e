/** Whether the German messages of the scripts are whole: each key once, with the same placeholders. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const sources = fileURLToPath(new URL("..", import.meta.url));
const file = fileURLToPath(new URL("../../../crates/server/locales/de/script.json", import.meta.url));

/** The English messages of all pages that name them in full (`"page.key": "text",`). */
function english(): Map<string, string> {
  const messages = new Map<string, string>();
  for (const name of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name) || name.includes(".test.")) continue;
    const text = readFileSync(join(sources, name), "utf8");
    for (const [, key, message] of text.matchAll(/^ {2}"([a-z]+\.[a-z_.]+)":\s*"(.*)",$/gm)) {
      messages.set(key ?? "", message ?? "");
    }
  }
  return messages;
}

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe("German messages", () => {
  const german = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;

  it("exist for all English messages", () => {
    const messages = english();
    expect(messages.size).toBeGreaterThan(100);
    expect([...messages.keys()].filter((key) => !(key in german))).toEqual([]);
  });

  it("have the same placeholders", () => {
    for (const [key, text] of english()) expect([key, placeholders(german[key] ?? "")]).toEqual([key, placeholders(text)]);
  });
});
