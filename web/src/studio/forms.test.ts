import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { boardRows, drawingOf, mirrored, placePiece, setPicture, setWrap, startCells, toggleHole, withOwnBoard, wrapOf } from "./forms.ts";

const LAKE = readFileSync(new URL("../../../testdata/variants/lake.toml", import.meta.url), "utf8");
const lines = (text: string) => text.split("\n");
/** The lines of one text that are not in another. */
const changed = (before: string, after: string) => lines(after).filter((line, at) => line !== lines(before)[at]);

describe("forms", () => {
  it("find the drawing and the start", () => {
    expect(boardRows(LAKE)?.map(({ text }) => text)[4]).toBe("....**....");
    expect(startCells(LAKE)?.[0]?.join("")).toBe("ronbqkbnor");
    expect(boardRows('extends = "chess"\n[roles.K]\nsquares = """\n..\n"""')).toBeNull();
  });

  it("paint holes on both sides, in the drawing and in the start", () => {
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

  it("place pieces and their opposites", () => {
    const placed = placePiece(LAKE, { column: 0, row: 7 }, "O", true);
    expect(changed(LAKE, placed)).toEqual([
      'fen = "ronbqkbnor/pppppppppp/o9/10/4**4/4**4/10/O9/PPPPPPPPPP/RONBQKBNOR w - - 0 1"',
    ]);
    expect(placePiece(placed, { column: 0, row: 7 }, "", true)).toBe(LAKE);
    expect(placePiece(LAKE, { column: 4, row: 4 }, "O", true)).toBe(LAKE);
  });

  it("write the board of an extended game into the file", () => {
    const drawing = drawingOf(3, 2, new Set(["a1", "c1", "a2", "b2", "c2"]));
    expect(drawing).toBe("...\n.*.");
    const own = withOwnBoard('extends = "chess" # mine\nid = "own"', drawing, "k2/K*1 w - - 0 1");
    expect(own).toBe('extends = "chess" # mine\nid = "own"\n\n[board]\nsquares = """\n...\n.*.\n"""\n\n[start]\nfen = "k2/K*1 w - - 0 1"\n');
    expect(boardRows(own)?.length).toBe(2);
    expect(startCells(own)?.[1]).toEqual(["K", "*", ""]);
    const wrapped = withOwnBoard('extends = "chess"\n\n[board] # joined\nwrap = "files"\n\n[start]\nfen = "K2/3"\n', drawing, "k2/3");
    expect(wrapped).toBe('extends = "chess"\n\n[board] # joined\nsquares = """\n...\n.*.\n"""\nwrap = "files"\n\n[start]\nfen = "K2/3"\n');
  });

  it("mirror as the file says", () => {
    const with_ = (word: string) => LAKE.replace("mirror-ranks", word);
    expect(mirrored(with_("turn"), { column: 1, row: 0 }, 10, 10)).toEqual({ column: 8, row: 9 });
    expect(mirrored(with_("mirror-rising"), { column: 9, row: 0 }, 10, 10)).toEqual({ column: 9, row: 0 });
    expect(mirrored(with_("mirror-rising"), { column: 9, row: 9 }, 10, 10)).toEqual({ column: 0, row: 0 });
    expect(mirrored(with_("mirror-falling"), { column: 0, row: 9 }, 10, 10)).toEqual({ column: 9, row: 0 });
    expect(mirrored(with_("none"), { column: 0, row: 9 }, 10, 10)).toBeNull();
  });

  it("name pictures and keep everything else", () => {
    const drawn = setPicture(LAKE, "O", "wolf") ?? "";
    expect(drawn).toContain('[roles.O]\nname = "Otter"\npicture = "wolf"\nmoves = "D"');
    expect(lines(drawn).length).toBe(lines(LAKE).length + 1);
    expect(setPicture(drawn, "O", "fox")).toBe(drawn.replace('"wolf"', '"fox"'));
    expect(setPicture(drawn, "O", "")).toBe(LAKE);
    const noted = LAKE.replace('picture = "queen"', "picture = 'queen' # hers");
    expect(setPicture(noted, "Q", "king")).toBe(noted.replace("'queen'", '"king"'));
    expect(setPicture(LAKE, "Z", "fox")).toBeNull();
    expect(setPicture('extends = "chess"\nid = "own"', "Q", "fox")).toBe('extends = "chess"\nid = "own"\n\n[roles.Q]\npicture = "fox"\n');
  });

  it("join edges by a new key or a changed one", () => {
    const joined = setWrap(LAKE, "files");
    expect(wrapOf(joined)).toBe("files");
    expect(lines(joined).length).toBe(lines(LAKE).length + 1);
    expect(wrapOf(setWrap(joined, "both"))).toBe("both");
    expect(lines(setWrap(joined, "both")).length).toBe(lines(joined).length);
  });
});
