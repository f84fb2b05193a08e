/**
 * Edits of a chapter's tree as the server applies them: to a copy of the confirmed tree. The page shows that copy with the
 * edits that wait for their answer. Pure data.
 */
import type { Schemas } from "../common/api.ts";
import { add, depthFirst, follow, pathOf, promote, remove, type Step, type TreeNode } from "../analysis/tree.ts";

export type TreeEdit = Schemas["TreeEdit"];
export type Tag = Schemas["Tag"];

/** An edit, with facts that only the server or the page that made it knows. */
export interface Applied {
  edit: TreeEdit;
  /** The moves at the end of its path that may be missing. */
  steps: readonly Step[];
  /** The paths that a removal has removed; by default the node itself. */
  removed?: readonly (readonly string[])[];
}

/** A tree that several people edit. */
export interface Shared {
  root: TreeNode;
  tags: Tag[];
}

const MAX_SHAPES = 32;

/** The node that moves lead to; null if it is not there. */
function find(root: TreeNode, path: readonly string[]): TreeNode | null {
  const at = follow(root, path);
  return pathOf(at).length === path.length ? at : null;
}

/** The same, with missing nodes made of the edit's steps; null if a step is missing, too. */
function reach(root: TreeNode, path: readonly string[], steps: readonly Step[]): TreeNode | null {
  let at = root;
  for (const [ply, uci] of path.entries()) {
    const known = at.children.find((child) => child.uci === uci);
    const step = steps[steps.length - (path.length - ply)];
    if (known) at = known;
    else if (step?.uci === uci) at = add(at, step);
    else return null;
  }
  return at;
}

/** Applies an edit; an edit whose node neither exists nor can be made changes nothing. */
export function apply(shared: Shared, { edit, steps, removed }: Applied): void {
  const { root } = shared;
  switch (edit.type) {
    case "add":
      reach(root, edit.path, steps);
      return;
    case "remove":
      for (const path of removed ?? [edit.path]) {
        const node = find(root, path);
        if (node) remove(node);
      }
      return;
    case "promote": {
      const node = find(root, edit.path);
      if (node) promote(node, edit.to_main);
      return;
    }
    case "set_tag":
      shared.tags = withTag(shared.tags, edit.name, edit.value);
      return;
    case "set_comment": {
      const node = edit.text === "" ? find(root, edit.path) : reach(root, edit.path, steps);
      if (node) node.comments = withComment(node.comments, edit.was, edit.text);
      return;
    }
    case "add_shape": {
      const node = reach(root, edit.path, steps);
      const { shape } = edit;
      const others = node?.shapes.filter(({ from, to }) => from !== shape.from || to !== shape.to) ?? [];
      if (node) node.shapes = [...others.slice(0, MAX_SHAPES - 1), shape];
      return;
    }
    case "remove_shape": {
      const node = find(root, edit.path);
      const { from, to, brush } = edit.shape;
      if (node) node.shapes = node.shapes.filter((known) => known.from !== from || known.to !== to || known.brush !== brush);
      return;
    }
    case "set_nag":
    case "unset_nag": {
      const node = edit.type === "set_nag" ? reach(root, edit.path, steps) : find(root, edit.path);
      const others = node?.nags.filter((nag) => nag !== edit.nag) ?? [];
      if (node) node.nags = edit.type === "set_nag" ? [...others, edit.nag] : others;
      return;
    }
  }
}

function withComment(comments: readonly string[], was: string, text: string): string[] {
  const place = was === "" ? -1 : comments.indexOf(was);
  if (text === "") return comments.filter((_, index) => index !== place);
  if (place >= 0) return comments.map((comment, index) => (index === place ? text : comment));
  return comments.includes(text) ? [...comments] : [...comments, text];
}

function withTag(tags: readonly Tag[], name: string, value: string): Tag[] {
  const isIt = (tag: Tag): boolean => tag.name.toLowerCase() === name.toLowerCase();
  if (value === "") return tags.filter((tag) => !isIt(tag));
  if (tags.some(isIt)) return tags.map((tag) => (isIt(tag) ? { ...tag, value } : tag));
  return [...tags, { name, value }];
}

const stepOf = ({ uci, san, fen, last, check }: TreeNode): Step => ({ uci, san, fen, last: [...last], check });

function takeNotes(into: TreeNode, from: TreeNode): void {
  into.before = from.before;
  into.comments = from.comments;
  into.nags = from.nags;
  into.clockMs = from.clockMs;
  // The board draws shapes again whenever they are another list.
  if (JSON.stringify(into.shapes) !== JSON.stringify(from.shapes)) into.shapes = from.shapes;
}

/** Copies of nodes, which can be changed without changing those. */
export function copy({ root, tags }: Shared): Shared {
  const made: TreeNode = { ...root, children: [] };
  const copies = new Map([[root, made]]);
  for (const node of depthFirst(root)) {
    const parent = node.parent && copies.get(node.parent);
    if (!parent) continue;
    const next = add(parent, stepOf(node));
    takeNotes(next, node);
    copies.set(node, next);
  }
  return { root: made, tags };
}

/**
 * Makes a tree that is shown like another. Its nodes stay the same objects. Those that the other has not go, except for
 * `keep` and the way to them.
 */
export function sync(shown: TreeNode, like: TreeNode, keep: (node: TreeNode) => boolean): void {
  const pairs: [TreeNode, TreeNode][] = [[shown, like]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [here, there] = pair;
    takeNotes(here, there);
    const before = here.children;
    here.children = [];
    for (const child of there.children) {
      const known = before.find(({ uci }) => uci === child.uci);
      if (known) here.children.push(known);
      pairs.push([known ?? add(here, stepOf(child)), child]);
    }
    const extra = before.filter((child) => !here.children.includes(child));
    here.children.push(...extra.filter((child) => keep(child) || depthFirst(child).some(keep)));
  }
}
