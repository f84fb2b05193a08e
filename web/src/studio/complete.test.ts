import { describe, expect, it } from "vitest";
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

  it("offers what values can be", () => {
    expect(at('[board]\nwrap = "|"')).toEqual(["none", "files", "ranks", "both"]);
    expect(at('[roles.K]\npicture = "king+|"')).toEqual(["king", "rook"]);
    expect(at('extends = "|"')).toEqual(["chess"]);
    expect(at('[roles.K]\nmoves = "mR|"')).toContain("Q");
    expect(at("[draws]\nrepetition = |")).toEqual([]);
  });
});
