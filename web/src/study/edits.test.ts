/** Edits of a shared tree: the same result in any order, and nothing lost while an answer is on its way. */
import { describe, expect, it } from "vitest";
import { depthFirst, follow, pathOf, type Step, type TreeNode } from "../analysis/tree.ts";
import { apply, copy, type SharedTree, sync, type TreeEdit } from "./edits.ts";

const step = (uci: string): Step => ({ uci, san: uci, fen: `after ${uci}`, last: [], check: null });

function createTree(): SharedTree {
  const root: TreeNode = {
    parent: null, uci: "", san: "", fen: "start", last: [], check: null,
    children: [], before: [], comments: [], nags: [], shapes: [], clockMs: null,
  };
  return { root, tags: [] };
}

const add = (...path: string[]): { edit: TreeEdit; steps: Step[] } => ({ edit: { type: "add", path }, steps: path.map(step) });
const edit = (edit: TreeEdit): { edit: TreeEdit; steps: Step[] } => ({ edit, steps: [] });
const lines = ({ root }: SharedTree): string[] => depthFirst(root).map((node) => pathOf(node).join(" "));

describe("shared tree", () => {
  it("adds missing moves from the steps of an edit", () => {
    const shared = createTree();
    apply(shared, add("a", "b"));
    apply(shared, { edit: { type: "add", path: ["a", "b", "c"] }, steps: [step("c")] });
    apply(shared, { edit: { type: "add", path: ["x", "y"] }, steps: [step("y")] });
    expect(lines(shared)).toEqual(["a", "a b", "a b c"]);
  });

  it("removes the paths that the server names, or the node itself", () => {
    const shared = createTree();
    for (const line of [add("a", "b"), add("a", "c"), add("d")]) apply(shared, line);
    apply(shared, { ...edit({ type: "remove", path: ["a"], base: 1 }), removed: [["a", "b"]] });
    expect(lines(shared)).toEqual(["a", "a c", "d"]);
    apply(shared, edit({ type: "remove", path: ["a"], base: 1 }));
    apply(shared, edit({ type: "remove", path: ["q"], base: 1 }));
    expect(lines(shared)).toEqual(["d"]);
  });

  it("keeps both comments of simultaneous edits", () => {
    const shared = createTree();
    const setComment = (was: string, text: string) => apply(shared, edit({ type: "set_comment", path: [], was, text }));
    setComment("", "mine");
    setComment("", "yours");
    setComment("mine", "mine, longer");
    setComment("gone", "");
    expect(shared.root.comments).toEqual(["mine, longer", "yours"]);
  });

  it("sets tags, shapes and glyphs", () => {
    const shared = createTree();
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

  it("shows confirmed and unconfirmed edits in the same nodes", () => {
    const confirmed = createTree();
    apply(confirmed, add("a", "b"));
    const displayed = copy(confirmed);
    const node = follow(displayed.root, ["a", "b"]);
    apply(displayed, add("a", "c"));
    const ownMove = follow(displayed.root, ["a", "c"]);
    // Another member's edit comes first.
    apply(confirmed, add("d"));
    apply(confirmed, edit({ type: "promote", path: ["d"], to_main: true }));
    const target = copy(confirmed);
    apply(target, add("a", "c"));
    sync(displayed.root, target.root, () => false);
    expect(lines(displayed)).toEqual(["d", "a", "a b", "a c"]);
    expect(follow(displayed.root, ["a", "b"])).toBe(node);
    expect(follow(displayed.root, ["a", "c"])).toBe(ownMove);
    // A refused edit is removed; the visitor's own moves stay.
    sync(displayed.root, confirmed.root, () => false);
    expect(lines(displayed)).toEqual(["d", "a", "a b"]);
    apply(displayed, add("a", "b", "z"));
    sync(displayed.root, confirmed.root, (node) => node.uci === "z");
    expect(lines(displayed)).toEqual(["d", "a", "a b", "a b z"]);
  });
});
