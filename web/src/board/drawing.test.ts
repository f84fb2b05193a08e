/** Drawings written out at a place: the arithmetic of their paths. Elements are tested in a browser. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { placedPath, readPath } from "./drawing.ts";

const placed = (text: string, scale: number, x: number, y: number): string => {
  const path = readPath(text);
  if (!path) throw new Error(`expected a path, found ${text}`);
  return placedPath(path, { scale, x, y });
};

describe("an SVG path", () => {
  it.each([
    ["M1 2L3-4Z", "M12 24L16 12Z"],
    ["M1,2H5V.5", "M12 24H20V21"],
    ["M0 0C1 1 2 2 3 3Q4 4 5 5", "M10 20C12 22 14 24 16 26Q18 28 20 30"],
    ["M0 0A10.5 10.5 0 1 0 27 58", "M10 20A21 21 0 1 0 64 136"],
    ["M1 1l2 3h4v-1z", "M12 22l4 6h8v-2z"],
    ["M0 0L1 1 2 2", "M10 20L12 22 14 24"],
  ])("is scaled and moved: %s", (text, expected) => {
    expect(placed(text, 2, 10, 20)).toBe(expected);
  });

  it.each(["", "L1 1", "m1 1", "M1", "M1 1C1 1", "M1 1B2 2", "M1 1A1 1 0 0110 10", "M1 1Z2"])(
    "is rejected if it is unsupported: %s",
    (text) => {
      expect(readPath(text)).toBeNull();
    },
  );

  it("can be parsed in all our piece drawings", () => {
    const file = fileURLToPath(new URL("../../fixtures/pieces.svg", import.meta.url));
    const paths = [...readFileSync(file, "utf8").matchAll(/\bd="([^"]+)"/g)].map(([, text]) => text ?? "");
    expect(paths.length).toBeGreaterThan(100);
    for (const text of paths) expect([text, readPath(text) !== null]).toEqual([text, true]);
    // A piece on its old square keeps its element.
    for (const text of paths) expect(placed(text, 1, 0, 0).replace(/[ ,]+/g, " ")).toBe(text);
  });
});
