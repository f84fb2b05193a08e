/** Whether the game's page and its board say everything in German too, with the same places for values. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ENGLISH as BOARD } from "../board/texts.ts";
import { boardTexts } from "../common/board_texts.ts";
import { withPrefix } from "../common/texts.ts";
import { ENGLISH, t } from "./texts.ts";

const file = fileURLToPath(new URL("../../../crates/server/locales/de/script.json", import.meta.url));
const german = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
const english = { ...withPrefix("game.", ENGLISH), ...withPrefix("board.", BOARD) };
const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe("messages of the game's page", () => {
  it("are all there in German, and no others", () => {
    const known = Object.keys(german).filter((key) => key.startsWith("game.") || key.startsWith("board."));
    expect(known.sort()).toEqual(Object.keys(english).sort());
  });

  it("have the same places", () => {
    for (const [key, text] of Object.entries(english)) {
      expect([key, places(german[key] ?? "")]).toEqual([key, places(text)]);
    }
  });

  it("are filled on the page, and left to the board to fill on the board", () => {
    expect(t("offers_draw", { name: "Ada" })).toBe("Ada offers a draw.");
    expect(boardTexts().piece).toBe(BOARD.piece);
  });
});
