/** The colors of the armies are the same in pictures of the server, on boards and in the style sheets. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { inkOf, signOf } from "./armies.ts";
import { COLORS } from "./colors.ts";
import type { PieceColor } from "./types.ts";

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const server = read("../../../crates/picture/src/theme.rs");
const tokens = read("../../styles/tokens.css");

const SIDES: Partial<Record<PieceColor, string>> = { white: "First", black: "Second", red: "Red", blue: "Blue", yellow: "Yellow", green: "Green", dead: "Dead" };

it.each(Object.entries(SIDES) as [PieceColor, string][])("draws %s as the server does", (color, side) => {
  const ink = new RegExp(`Side::${side} => Ink \\{ fill: "(.*?)", line: "(.*?)" \\}`).exec(server);
  expect(inkOf(color)).toMatchObject({ body: ink?.[1], line: ink?.[2] });
  expect(signOf(color)).toBe(new RegExp(`Side::${side} => Some\\("(.*?)"\\)`).exec(server)?.[1] ?? null);
});

it.each(COLORS)("has the colors of %s as tokens", (color) => {
  const token = (name: string): string | undefined => new RegExp(`--${color}-${name}: (#[0-9a-f]{6});`).exec(tokens)?.[1];
  expect(inkOf(color)).toMatchObject({ body: token("side"), line: token("line") });
});
