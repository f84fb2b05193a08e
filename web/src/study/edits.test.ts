/** Edits of a shared tree: the same result in any order, and nothing lost while an answer is on its way. */
import { describe, expect, it } from "vitest";
import { depthFirst, follow, pathOf, type Step, type TreeNode } from "../analysis/tree.ts";
import { apply, copy, type Shared, sync, type TreeEdit } from "./edits.ts";

const step = (uci: string): Step => ({ uci, san: uci, fen: `after ${uci}`, last: [], check: null });

function fresh(): Shared {
  const root: TreeNode = {
    parent: null, uci: "", san: "", fen: "start", last: [], check: null,
    children: [], before: [], comments: [], nags: [], shapes: [], clockMs: null,
  };
  return { root, tags: [] };
}

const add = (...path: string[]): { edit: TreeEdit; steps: Step[] } => ({ edit: { type: "add", path }, steps: path.map(step) });
const edit = (edit: TreeEdit): { edit: TreeEdit; steps: Step[] } => ({ edit, steps: [] });
const lines = ({ root }: Shared): string[] => depthFirst(root).map((node) => pathOf(node).join(" "));

describe("shared tree", () => {
  it("adds what is missing, from the end of the steps", () => {
    const shared = fresh();
    apply(shared, add("a", "b"));
    apply(shared, { edit: { type: "add", path: ["a", "b", "c"] }, steps: [step("c")] });
    apply(shared, { edit: { type: "add", path: ["x", "y"] }, steps: [step("y")] });
    expect(lines(shared)).toEqual(["a", "a b", "a b c"]);
  });

  it("removes what the server says, or the node itself", () => {
    const shared = fresh();
    for (const line of [add("a", "b"), add("a", "c"), add("d")]) apply(shared, line);
    apply(shared, { ...edit({ type: "remove", path: ["a"], base: 1 }), removed: [["a", "b"]] });
    expect(lines(shared)).toEqual(["a", "a c", "d"]);
    apply(shared, edit({ type: "remove", path: ["a"], base: 1 }));
    apply(shared, edit({ type: "remove", path: ["q"], base: 1 }));
    expect(lines(shared)).toEqual(["d"]);
  });

  it("keeps both comments of two who write at once", () => {
    const shared = fresh();
    const say = (was: string, text: string) => apply(shared, edit({ type: "set_comment", path: [], was, text }));
    say("", "mine");
    say("", "yours");
    say("mine", "mine, longer");
    say("gone", "");
    expect(shared.root.comments).toEqual(["mine, longer", "yours"]);
  });

  it("sets tags, shapes and glyphs", () => {
    const shared = fresh();
    apply(shared, edit({ type: "set_tag", name: "White", value: "Ann" }));
    apply(shared, edit({ type: "set_tag", name: "white", value: "Bob" }));
    expect(shared.tags).toEqual([{ name: "White", value: "Bob" }]);
    const shape = { from: 1, to: 2, brush: "green" } as const;
    apply(shared, edit({ type: "add_shape", path: [], shape }));
    apply(shared, edit({ type: "add_shape", path: [], shape: { ...shape, brush: "red" } }));
    expect(shared.root.shapes).toEqual([{ ...shape, brush: "red" }]);
    apply(shared, edit({ type: "set_nag", path: [], nag: 3 }));
    apply(shared, edit({ type: "unset_nag", path: [], nag: 3 }));
    expect(shared.root.nags).toEqual([]);
  });

  it("shows what is confirmed with what waits, by the same nodes", () => {
    const confirmed = fresh();
    apply(confirmed, add("a", "b"));
    const shown = copy(confirmed);
    const node = follow(shown.root, ["a", "b"]);
    apply(shown, add("a", "c"));
    const mine = follow(shown.root, ["a", "c"]);
    // Somebody else's edit comes first.
    apply(confirmed, add("d"));
    apply(confirmed, edit({ type: "promote", path: ["d"], to_main: true }));
    const target = copy(confirmed);
    apply(target, add("a", "c"));
    sync(shown.root, target.root, () => false);
    expect(lines(shown)).toEqual(["d", "a", "a b", "a c"]);
    expect(follow(shown.root, ["a", "b"])).toBe(node);
    expect(follow(shown.root, ["a", "c"])).toBe(mine);
    // A refused edit is removed; the visitor's own moves stay.
    sync(shown.root, confirmed.root, () => false);
    expect(lines(shown)).toEqual(["d", "a", "a b"]);
    apply(shown, add("a", "b", "z"));
    sync(shown.root, confirmed.root, (kept) => kept.uci === "z");
    expect(lines(shown)).toEqual(["d", "a", "a b", "a b z"]);
  });
});
