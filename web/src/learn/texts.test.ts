/** Whether the lessons say everything in German too, with the same placeholders. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { withPrefix } from "../common/texts.ts";
import { ENGLISH } from "./texts.ts";

const file = fileURLToPath(new URL("../../../crates/server/locales/de/script.json", import.meta.url));
const german = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
const english = withPrefix("learn.", ENGLISH);
const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe("messages of the lessons", () => {
  it("have the same keys in German and English", () => {
    const germanKeys = Object.keys(german).filter((key) => key.startsWith("learn."));
    expect(germanKeys.sort()).toEqual(Object.keys(english).sort());
  });

  it("have the same placeholders", () => {
    for (const [key, text] of Object.entries(english)) {
      expect([key, placeholders(german[key] ?? "")]).toEqual([key, placeholders(text)]);
    }
  });
});
