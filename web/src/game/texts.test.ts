/** Whether the game's page and its board say everything in German too, with the same placeholders. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ENGLISH as BOARD } from "../board/texts.ts";
import { boardTexts } from "../common/board_texts.ts";
import { withPrefix } from "../common/texts.ts";
import { HELP_ENGLISH } from "./help_texts.ts";
import { ENGLISH, t } from "./texts.ts";

const file = fileURLToPath(new URL("../../../crates/server/locales/de/script.json", import.meta.url));
const german = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
const english = { ...withPrefix("game.", ENGLISH), ...withPrefix("game.", HELP_ENGLISH), ...withPrefix("board.", BOARD) };
const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe("messages of the game page", () => {
  it("have the same keys in German and English", () => {
    const germanKeys = Object.keys(german).filter((key) => key.startsWith("game.") || key.startsWith("board."));
    expect(germanKeys.sort()).toEqual(Object.keys(english).sort());
  });

  it("have the same placeholders", () => {
    for (const [key, text] of Object.entries(english)) {
      expect([key, placeholders(german[key] ?? "")]).toEqual([key, placeholders(text)]);
    }
  });

  it("are filled by the page, and the board's by the board", () => {
    expect(t("offers_draw", { name: "Ada" })).toBe("Ada offers a draw.");
    expect(boardTexts().piece).toBe(BOARD.piece);
  });
});
