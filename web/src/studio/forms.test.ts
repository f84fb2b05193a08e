import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { boardRows, drawingOf, headText, mirrored, placePiece, setHeadText, setPicture, setWrap, startCells, toggleHole, insertBoard, wrapOf } from "./forms.ts";

const LAKE = readFileSync(new URL("../../../testdata/variants/lake.toml", import.meta.url), "utf8");
const lines = (text: string) => text.split("\n");
/** The lines of one text that are not in another. */
const changed = (before: string, after: string) => lines(after).filter((line, at) => line !== lines(before)[at]);

describe("forms of the studio", () => {
  it("find the drawing and the starting position", () => {
    expect(boardRows(LAKE)?.map(({ text }) => text)[4]).toBe("....**....");
    expect(startCells(LAKE)?.[0]?.join("")).toBe("ronbqkbnor");
    expect(boardRows('extends = "chess"\n[roles.K]\nsquares = """\n..\n"""')).toBeNull();
  });

  it("toggle holes on both sides, in drawing and start", () => {
    const painted = toggleHole(LAKE, { column: 0, row: 2 });
    expect(changed(LAKE, painted)).toEqual([
      "*.........",
      "*.........",
      'fen = "ronbqkbnor/pppppppppp/*9/10/4**4/4**4/10/*9/PPPPPPPPPP/RONBQKBNOR w - - 0 1"',
    ]);
    expect(toggleHole(painted, { column: 0, row: 7 })).toBe(LAKE);
    // A piece makes room.
    expect(toggleHole(LAKE, { column: 1, row: 9 })).toContain("/R*NBQKBNOR w");
  });

  it("place pieces for both sides", () => {
    const placed = placePiece(LAKE, { column: 0, row: 7 }, "O", true);
    expect(changed(LAKE, placed)).toEqual([
      'fen = "ronbqkbnor/pppppppppp/o9/10/4**4/4**4/10/O9/PPPPPPPPPP/RONBQKBNOR w - - 0 1"',
    ]);
    expect(placePiece(placed, { column: 0, row: 7 }, "", true)).toBe(LAKE);
    expect(placePiece(LAKE, { column: 4, row: 4 }, "O", true)).toBe(LAKE);
  });

  it("place pieces for all players of a game of three or four", () => {
    const THREE = readFileSync(new URL("../../../variants/examples/threearmies.toml", import.meta.url), "utf8");
    expect(startCells(THREE)?.[0]).toEqual(["*", "*", "*", "yR", "yN", "yK", "yQ", "yB", "yR", "*", "*", "*"]);
    // Blue's and Yellow's squares of Red's d3.
    const placed = placePiece(THREE, { column: 3, row: 9 }, "rN", true);
    expect(startCells(placed)?.map((row) => row.join(".")).filter((row, at) => row !== startCells(THREE)?.[at]?.join("."))).toEqual([
      "*.*.*......yN.*.*.*",
      "bR.bP.bN.........",
      "*.*.*.rN......*.*.*",
    ]);
    expect(placePiece(placed, { column: 2, row: 8 }, "bN", true)).toBe(placed);
    expect(startCells(placePiece(placed, { column: 3, row: 9 }, "", true))).toEqual(startCells(placePiece(THREE, { column: 3, row: 9 }, "", true)));
    const FOUR = readFileSync(new URL("../../../variants/examples/fourplayerchess.toml", import.meta.url), "utf8");
    const painted = toggleHole(FOUR, { column: 3, row: 6 });
    expect(boardRows(painted)?.map(({ text }, row) => [...text].flatMap((mark, column) => (mark !== boardRows(FOUR)?.[row]?.text[column] ? [`${column}.${row}`] : []))).flat().sort()).toEqual(
      ["10.7", "3.6", "6.3", "7.10"],
    );
    expect(startCells(painted)?.[6]?.[3]).toBe("*");
  });

  it("change name and author, and leave comments alone", () => {
    const file = 'id = "x"\nname = "A \\"B\\"" # shown\n[roles.K]\nname = "King"\nauthor = 1\n';
    expect([headText(file, "name"), headText(file, "author")]).toEqual(['A "B"', ""]);
    const named = setHeadText(file, "name", "C\\D");
    expect(named).toBe('id = "x"\nname = "C\\\\D" # shown\n[roles.K]\nname = "King"\nauthor = 1\n');
    expect(headText(named, "name")).toBe("C\\D");
    expect(setHeadText(file, "author", "Ann")).toBe(file.replace("\n", '\nauthor = "Ann"\n'));
    expect(headText('name = """\nlong\n"""\n', "name")).toBeNull();
  });

  it("copy the board of the extended game into the file", () => {
    const drawing = drawingOf(3, 2, new Set(["a1", "c1", "a2", "b2", "c2"]));
    expect(drawing).toBe("...\n.*.");
    const own = insertBoard('extends = "chess" # mine\nid = "own"', drawing, "k2/K*1 w - - 0 1");
    expect(own).toBe('extends = "chess" # mine\nid = "own"\n\n[board]\nsquares = """\n...\n.*.\n"""\n\n[start]\nfen = "k2/K*1 w - - 0 1"\n');
    expect(boardRows(own)?.length).toBe(2);
    expect(startCells(own)?.[1]).toEqual(["K", "*", ""]);
    const wrapped = insertBoard('extends = "chess"\n\n[board] # joined\nwrap = "files"\n\n[start]\nfen = "K2/3"\n', drawing, "k2/3");
    expect(wrapped).toBe('extends = "chess"\n\n[board] # joined\nsquares = """\n...\n.*.\n"""\nwrap = "files"\n\n[start]\nfen = "K2/3"\n');
  });

  it("mirror squares by the file's symmetry", () => {
    const withSymmetry = (word: string) => LAKE.replace("mirror-ranks", word);
    expect(mirrored(withSymmetry("turn"), { column: 1, row: 0 }, 10, 10)).toEqual({ column: 8, row: 9 });
    expect(mirrored(withSymmetry("mirror-rising"), { column: 9, row: 0 }, 10, 10)).toEqual({ column: 9, row: 0 });
    expect(mirrored(withSymmetry("mirror-rising"), { column: 9, row: 9 }, 10, 10)).toEqual({ column: 0, row: 0 });
    expect(mirrored(withSymmetry("mirror-falling"), { column: 0, row: 9 }, 10, 10)).toEqual({ column: 9, row: 0 });
    expect(mirrored(withSymmetry("none"), { column: 0, row: 9 }, 10, 10)).toBeNull();
  });

  it("set pictures and keep everything else", () => {
    const withPicture = setPicture(LAKE, "O", "wolf") ?? "";
    expect(withPicture).toContain('[roles.O]\nname = "Otter"\npicture = "wolf"\nmoves = "D"');
    expect(lines(withPicture).length).toBe(lines(LAKE).length + 1);
    expect(setPicture(withPicture, "O", "fox")).toBe(withPicture.replace('"wolf"', '"fox"'));
    expect(setPicture(withPicture, "O", "")).toBe(LAKE);
    const commented = LAKE.replace('picture = "queen"', "picture = 'queen' # hers");
    expect(setPicture(commented, "Q", "king")).toBe(commented.replace("'queen'", '"king"'));
    expect(setPicture(LAKE, "Z", "fox")).toBeNull();
    expect(setPicture('extends = "chess"\nid = "own"', "Q", "fox")).toBe('extends = "chess"\nid = "own"\n\n[roles.Q]\npicture = "fox"\n');
  });

  it("join edges by adding or changing a key", () => {
    const joined = setWrap(LAKE, "files");
    expect(wrapOf(joined)).toBe("files");
    expect(lines(joined).length).toBe(lines(LAKE).length + 1);
    expect(wrapOf(setWrap(joined, "both"))).toBe("both");
    expect(lines(setWrap(joined, "both")).length).toBe(lines(joined).length);
  });
});
