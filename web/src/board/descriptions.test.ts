import { describe, expect, it } from "vitest";
import { choices } from "./chooser.ts";
import { fixture, squareNamed } from "./fixtures.ts";
import { Descriptions } from "./descriptions.ts";
import { ENGLISH } from "./texts.ts";
import type { Piece } from "./types.ts";

const { board } = fixture("diamondback");
const descriptions = new Descriptions(board, ENGLISH);
const at = (name: string): number => squareNamed(board, name);
const piece = (name: string, role: string, color: Piece["color"] = "white"): Piece => ({
  square: at(name),
  role,
  color,
});

describe("the description of a change", () => {
  const cases: [string, Piece[], Piece[], string[], number | null, string][] = [
    ["a move", [piece("d4", "pawn")], [piece("d5", "pawn")], ["d4", "d5"], null, "white pawn, d4 to d5"],
    [
      "a capture with check",
      [piece("d4", "bishop"), piece("g7", "knight", "black")],
      [piece("g7", "bishop")],
      ["d4", "g7"],
      at("h8"),
      "white bishop, d4 to g7, takes black knight, check",
    ],
    [
      "a promotion",
      [piece("e7", "pawn")],
      [piece("e8", "queen")],
      ["e7", "e8"],
      null,
      "white pawn, e7 to e8, becomes queen",
    ],
    [
      "a promotion that the page confirms",
      [piece("e8", "pawn")],
      [piece("e8", "queen")],
      ["e7", "e8"],
      null,
      "white pawn on e8, becomes queen",
    ],
    [
      "castling",
      [piece("a1", "king"), piece("d1", "rook")],
      [piece("c1", "king"), piece("b1", "rook")],
      ["a1", "c1"],
      null,
      "white king, a1 to c1, white rook, d1 to b1",
    ],
    [
      "a fusion",
      [piece("d4", "bishop"), piece("e5", "rook")],
      [piece("e5", "queen")],
      ["d4", "e5"],
      null,
      "white bishop, d4 to e5, becomes queen, fuses with white rook",
    ],
    ["nothing", [piece("a1", "king")], [piece("a1", "king")], [], null, ""],
    ["a jump in the game", [], [piece("a1", "king"), piece("b1", "queen"), piece("c1", "knight")], [], null, ""],
  ];
  it.each(cases)("%s", (_, before, after, last, check, text) => {
    expect(descriptions.change(before, after, { last: last.map(at), check })).toBe(text);
  });
});

describe("games of four", () => {
  const { board } = fixture("diamondring-four");
  const descriptions = new Descriptions(board, ENGLISH);
  const at = (name: string): number => squareNamed(board, name);
  const piece = (name: string, role: string, color: Piece["color"]): Piece => ({ square: at(name), role, color });

  it("say who is out, whether by a mate or by resignation", () => {
    const before = [piece("e2", "knight", "red"), piece("a7", "king", "blue"), piece("a9", "rook", "blue")];
    const after = [piece("c3", "knight", "red"), piece("a9", "rook", "dead")];
    expect(descriptions.change(before, after, { last: [at("e2"), at("c3")], check: null })).toBe(
      "red knight, e2 to c3, blue is out",
    );
    const resigned = [piece("e2", "knight", "red"), piece("a9", "rook", "dead")];
    expect(descriptions.change(before, resigned, { last: [], check: null })).toBe("blue is out");
  });

  it("name dead pieces", () => {
    expect(descriptions.piece(piece("a9", "rook", "dead"))).toBe("dead rook");
  });
});

describe("the order of promotion choices", () => {
  it("is by value, with the whole piece before its parts", () => {
    const values: Record<string, number> = { queen: 9, rook: 5, bishop: 3, knight: 3 };
    const valued = { ...board, roles: board.roles.map((role) => ({ ...role, value: values[role.id] ?? 0 })) };
    const letters = (suffixes: string[]) =>
      choices(valued, piece("e7", "pawn"), suffixes).map((choice) => choice.suffix);
    expect(letters(["b", "n", "q", "r"])).toEqual(["q", "r", "b", "n"]);
    expect(letters(["q", ""])).toEqual(["", "q"]);
  });
});

describe("a language with capitalized nouns", () => {
  it("keeps the capitals in names of pieces", () => {
    const texts = { ...ENGLISH, piece: "{role} {color}", white: "weiß", nouns: "capital" };
    expect(new Descriptions(board, texts).piece(piece("d4", "pawn"))).toBe("Pawn weiß");
  });
});
