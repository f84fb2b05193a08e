import { describe, expect, it } from "vitest";
import { choices } from "./chooser.ts";
import { fixture, named } from "./fixtures.ts";
import { Speech } from "./speech.ts";
import { ENGLISH } from "./texts.ts";
import type { Man } from "./types.ts";

const { board } = fixture("diamondback");
const speech = new Speech(board, ENGLISH);
const at = (name: string): number => named(board, name);
const man = (name: string, role: string, color: Man["color"] = "white"): Man => ({
  square: at(name),
  role,
  color,
});

describe("what is said of a change", () => {
  const cases: [string, Man[], Man[], string[], number | null, string][] = [
    ["a move", [man("d4", "P")], [man("d5", "P")], ["d4", "d5"], null, "white pawn, d4 to d5"],
    [
      "a capture with check",
      [man("d4", "B"), man("g7", "N", "black")],
      [man("g7", "B")],
      ["d4", "g7"],
      at("h8"),
      "white bishop, d4 to g7, takes black knight, check",
    ],
    [
      "a promotion",
      [man("e7", "P")],
      [man("e8", "Q")],
      ["e7", "e8"],
      null,
      "white pawn, e7 to e8, becomes queen",
    ],
    [
      "a promotion that the page confirms",
      [man("e8", "P")],
      [man("e8", "Q")],
      ["e7", "e8"],
      null,
      "white pawn on e8, becomes queen",
    ],
    [
      "castling",
      [man("a1", "K"), man("d1", "R")],
      [man("c1", "K"), man("b1", "R")],
      ["a1", "c1"],
      null,
      "white king, a1 to c1, white rook, d1 to b1",
    ],
    ["nothing", [man("a1", "K")], [man("a1", "K")], [], null, ""],
    ["a jump in the game", [], [man("a1", "K"), man("b1", "Q"), man("c1", "N")], [], null, ""],
  ];
  it.each(cases)("%s", (_, before, after, last, check, text) => {
    expect(speech.change(before, after, last.map(at), check)).toBe(text);
  });
});

describe("the order of a choice", () => {
  it("has the most valuable first when values are known, and the whole man before its parts", () => {
    const values: Record<string, number> = { Q: 9, R: 5, B: 3, N: 3 };
    const valued = { ...board, roles: board.roles.map((role) => ({ ...role, value: values[role.id] ?? 0 })) };
    const letters = (suffixes: string[]) =>
      choices(valued, man("e7", "P"), suffixes).map((choice) => choice.suffix);
    expect(letters(["b", "n", "q", "r"])).toEqual(["q", "r", "b", "n"]);
    expect(letters(["q", ""])).toEqual(["", "q"]);
  });
});
