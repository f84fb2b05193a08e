import { describe, expect, it } from "vitest";
import "./texts.ts";
import { choicesAt, tableAt } from "./complete.ts";

const names = { pictures: ["king", "rook"], games: [["chess", "Chess"]] as const };
const FILE = 'id = "x"\nabout = """\n[board]\n"""\n[roles.K]\nname = "King"\n';

/** The labels at `|`. */
function at(text: string): string[] {
  const place = text.indexOf("|");
  return choicesAt(text.replace("|", ""), place, names)?.options.map(({ label }) => label) ?? [];
}

describe("completion", () => {
  it("knows the table, and texts of several lines", () => {
    expect(tableAt(FILE, FILE.length)).toBe("roles");
    expect(tableAt(FILE, FILE.indexOf('"""\n[roles'))).toBe("");
  });

  it("offers keys of the table", () => {
    expect(at("|")).toContain("extends");
    expect(at("[board]\nwr|")).toContain("wrap");
    expect(at("[board]\nwr|")).not.toContain("royal");
    expect(at("[roles.K]\n|")).toContain("royal");
    expect(at('about = """\nn|\n"""')).toEqual([]);
  });

  it("offers the keys of a group of moves, and every table", () => {
    expect(at("[[roles.P.moves]]\n|")).toEqual(expect.arrayContaining(["betza", "on", "edge", "gain", "free"]));
    expect(at("[[roles.P.moves]]\n|")).not.toContain("royal");
    expect(at("[roles.P]\n|")).toContain("[[roles.X.moves]]");
    expect(at("|")).toEqual(expect.arrayContaining(["[distance]", "[fusion]"]));
  });

  it("says of everything but names what it is", () => {
    for (const text of ["|", "[board]\n|", "[roles.K]\n|", "[[roles.P.moves]]\n|", '[board]\nsymmetry = "|"', '[roles.K]\nmoves = "|"']) {
      const place = text.indexOf("|");
      for (const { label, detail } of choicesAt(text.replace("|", ""), place, names)?.options ?? []) {
        expect(detail, label).toMatch(/.+ .+|[a-z]+/i);
        expect(detail, label).not.toMatch(/^(key|word|betza|studio)\./);
      }
    }
  });

  it("offers what values can be", () => {
    expect(at('[board]\nwrap = "|"')).toEqual(["none", "files", "ranks", "both"]);
    expect(at('[roles.K]\npicture = "king+|"')).toEqual(["king", "rook"]);
    expect(at('extends = "|"')).toEqual(["chess"]);
    expect(at('[roles.K]\nmoves = "mR|"')).toContain("Q");
    expect(at("[draws]\nrepetition = |")).toEqual([]);
  });
});
