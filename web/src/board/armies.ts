/**
 * The pictures of armies other than white and black: the same drawings in the army's two colors, with its sign at the
 * foot. The colors differ in lightness too, and the signs in shape, so that no army is known by its hue alone. Dead pieces
 * are gray and without a sign. Not here: the drawings (`sprite`).
 */
import { svg } from "./svg.ts";
import type { ByColor, PieceColor, WhiteOrBlack } from "./types.ts";

interface Army {
  /** The drawing that is painted: lines darker than the body, or lighter. */
  drawing: WhiteOrBlack;
  body: string;
  line: string;
  /** The shape of its sign in a box of 20 by 20. */
  sign: string | null;
}

/** The two colors of the drawings, as the program draws them. */
const DRAWN: ByColor<{ body: string; line: string }> = {
  white: { body: "#fffdf8", line: "#2a2033" },
  black: { body: "#33283e", line: "#f4ecf0" },
};

const ARMIES: Partial<Record<PieceColor, Army>> = {
  red: { drawing: "black", body: "#c22a3d", line: "#fff1ee", sign: "M2 10A8 8 0 1 0 18 10A8 8 0 1 0 2 10Z" },
  blue: { drawing: "black", body: "#1f3f94", line: "#eaf0ff", sign: "M3 3H17V17H3Z" },
  yellow: { drawing: "white", body: "#ffd64a", line: "#3b2a05", sign: "M10 1.500L19 18H1Z" },
  green: { drawing: "white", body: "#55b36b", line: "#0b2b17", sign: "M7 1.500H13V7H18.500V13H13V18.500H7V13H1.500V7H7Z" },
  dead: { drawing: "white", body: "#b3afb6", line: "#77727c", sign: null },
};

/** The drawing that shows a color: white, black, or the one that is painted. */
export const drawnColor = (color: PieceColor): WhiteOrBlack =>
  ARMIES[color]?.drawing ?? (color === "black" ? "black" : "white");

/** Whether the drawings are painted for a color: those of White and Black are as the program draws them. */
export const hasOwnInk = (color: PieceColor): boolean => ARMIES[color] !== undefined;

/** The two colors of an army. */
export function inkOf(color: PieceColor): { body: string; line: string } {
  return ARMIES[color] ?? DRAWN[drawnColor(color)];
}

/** The sign of an army in a box of 20 by 20; null for white, black and the dead. */
export const signOf = (color: PieceColor): string | null => ARMIES[color]?.sign ?? null;

type Rgb = readonly [number, number, number];

function readHex(text: string): Rgb | null {
  const digits = /^#([0-9a-f]{6})$/i.exec(text)?.[1];
  if (digits === undefined) return null;
  const number = Number.parseInt(digits, 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

const lightness = ([red, green, blue]: Rgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

const mix = (from: Rgb, to: Rgb, part: number): string =>
  `#${from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * part).toString(16).padStart(2, "0")).join("")}`;

/** A color of a drawing in those of an army: what lies between body and line stays between them. */
function repaint(text: string, army: Army): string {
  const { body, line } = DRAWN[army.drawing];
  const [color, from, to, newFrom, newTo] = [text, body, line, army.body, army.line].map(readHex);
  if (!color || !from || !to || !newFrom || !newTo) return text;
  const part = (lightness(color) - lightness(from)) / (lightness(to) - lightness(from));
  return mix(newFrom, newTo, Math.max(0, Math.min(1, part)));
}

/** The place of the sign in the box of a piece: its foot. */
const SIGN = { x: 39.5, y: 70, scale: 1.05 };

/** Paints the drawing of a piece for an army: another symbol with this id. White and black stay as they are. */
export function paint(symbol: SVGSymbolElement, id: string, color: PieceColor): SVGSymbolElement {
  const army = ARMIES[color];
  if (!army) return symbol;
  symbol.id = id;
  for (const element of symbol.querySelectorAll("[fill], [stroke]")) {
    for (const name of ["fill", "stroke"]) {
      const value = element.getAttribute(name);
      if (value !== null) element.setAttribute(name, repaint(value, army));
    }
  }
  if (army.sign !== null) {
    const { x, y, scale } = SIGN;
    const shape = { d: army.sign, fill: army.line, stroke: army.body, "stroke-width": 4, "paint-order": "stroke", "stroke-linejoin": "round" };
    symbol.append(svg("path", { ...shape, transform: `translate(${x} ${y})scale(${scale})` }));
  }
  return symbol;
}
