import { describe, expect, it } from "vitest";
import "./texts.ts";
import { completionsAt, tableAt } from "./complete.ts";

const names = { pictures: ["king", "rook"], games: [{ id: "chess", name: "Chess" }] };
const FILE = 'id = "x"\nabout = """\n[board]\n"""\n[roles.K]\nname = "King"\n';

/** The labels at `|`. */
function at(text: string): string[] {
  const place = text.indexOf("|");
  return completionsAt(text.replace("|", ""), place, names)?.options.map(({ label }) => label) ?? [];
}

describe("completion", () => {
  it("finds the current table and skips multi-line strings", () => {
    expect(tableAt(FILE, FILE.length)).toBe("roles");
    expect(tableAt(FILE, FILE.indexOf('"""\n[roles'))).toBe("");
  });

  it("offers the keys of the current table", () => {
    expect(at("|")).toContain("extends");
    expect(at("[board]\nwr|")).toContain("wrap");
    expect(at("[board]\nwr|")).not.toContain("royal");
    expect(at("[roles.K]\n|")).toContain("royal");
    expect(at('about = """\nn|\n"""')).toEqual([]);
  });

  it("offers the keys of a move group and all tables", () => {
    expect(at("[[roles.P.moves]]\n|")).toEqual(expect.arrayContaining(["betza", "on", "edge", "gain", "free"]));
    expect(at("[[roles.P.moves]]\n|")).not.toContain("royal");
    expect(at("[roles.P]\n|")).toContain("[[roles.X.moves]]");
    expect(at("|")).toEqual(expect.arrayContaining(["[distance]", "[fusion]"]));
    expect(at("[shuffle]\n|")).toEqual(expect.arrayContaining(["on", "place", "king", "rook"]));
    expect(at("|")).toEqual(expect.arrayContaining(["players", "teams", "[seats]"]));
    expect(at("[seats]\n|")).toEqual(expect.arrayContaining(["blue", "yellow", "green"]));
    expect(at('[seats]\nblue = "|"')).toContain("mirror-rising");
  });

  it("explains every completion except names", () => {
    for (const text of ["|", "[board]\n|", "[roles.K]\n|", "[seats]\n|", "[[roles.P.moves]]\n|", '[board]\nsymmetry = "|"', '[roles.K]\nmoves = "|"']) {
      const place = text.indexOf("|");
      for (const { label, detail } of completionsAt(text.replace("|", ""), place, names)?.options ?? []) {
        expect(detail, label).toMatch(/.+ .+|[a-z]+/i);
        expect(detail, label).not.toMatch(/^(key|word|betza|studio)\./);
      }
    }
  });

  it("offers the possible values", () => {
    expect(at('[board]\nwrap = "|"')).toEqual(["none", "files", "ranks", "both"]);
    expect(at('[roles.K]\npicture = "king+|"')).toEqual(["king", "rook"]);
    expect(at('extends = "|"')).toEqual(["chess"]);
    expect(at('[roles.K]\nmoves = "mR|"')).toContain("Q");
    expect(at("[draws]\nrepetition = |")).toEqual([]);
  });
});
