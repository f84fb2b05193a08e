/**
 * Edits of a chapter's tree as the server applies them: to a copy of the confirmed tree. The page shows that copy with the
 * edits that wait for their answer. Pure data.
 */
import type { Schemas } from "../common/api.ts";
import { add, depthFirst, follow, pathOf, promote, remove, type Step, type TreeNode } from "../analysis/tree.ts";

export type TreeEdit = Schemas["TreeEdit"];
export type Tag = Schemas["Tag"];

/** An edit, with data that only the server or the page that made it knows. */
export interface AppliedEdit {
  edit: TreeEdit;
  /** The moves at the end of its path that may be missing. */
  steps: readonly Step[];
  /** The paths that a removal has removed; by default the node itself. */
  removed?: readonly (readonly string[])[];
}

/** A tree that several people edit. */
export interface SharedTree {
  root: TreeNode;
  tags: Tag[];
}

const MAX_SHAPES = 32;

/** The node that moves lead to; null if it is not there. */
function findNode(root: TreeNode, path: readonly string[]): TreeNode | null {
  const at = follow(root, path);
  return pathOf(at).length === path.length ? at : null;
}

/** The same, with missing nodes made of the edit's steps; null if a step is missing, too. */
function findOrAddNode(root: TreeNode, path: readonly string[], steps: readonly Step[]): TreeNode | null {
  let at = root;
  for (const [ply, uci] of path.entries()) {
    const existing = at.children.find((child) => child.uci === uci);
    const step = steps[steps.length - (path.length - ply)];
    if (existing) at = existing;
    else if (step?.uci === uci) at = add(at, step);
    else return null;
  }
  return at;
}

/** Applies an edit; an edit whose node neither exists nor can be made changes nothing. */
export function apply(shared: SharedTree, { edit, steps, removed }: AppliedEdit): void {
  const { root } = shared;
  switch (edit.type) {
    case "add":
      findOrAddNode(root, edit.path, steps);
      return;
    case "remove":
      for (const path of removed ?? [edit.path]) {
        const node = findNode(root, path);
        if (node) remove(node);
      }
      return;
    case "promote": {
      const node = findNode(root, edit.path);
      if (node) promote(node, edit.to_main);
      return;
    }
    case "set_tag":
      shared.tags = withTag(shared.tags, edit.name, edit.value);
      return;
    case "set_comment": {
      const node = edit.text === "" ? findNode(root, edit.path) : findOrAddNode(root, edit.path, steps);
      if (node) node.comments = withComment(node.comments, edit.was, edit.text);
      return;
    }
    case "add_shape": {
      const node = findOrAddNode(root, edit.path, steps);
      const { shape } = edit;
      const others = node?.shapes.filter(({ from, to }) => from !== shape.from || to !== shape.to) ?? [];
      if (node) node.shapes = [...others.slice(0, MAX_SHAPES - 1), shape];
      return;
    }
    case "remove_shape": {
      const node = findNode(root, edit.path);
      const { from, to, brush } = edit.shape;
      if (node) node.shapes = node.shapes.filter((other) => other.from !== from || other.to !== to || other.brush !== brush);
      return;
    }
    case "set_nag":
    case "unset_nag": {
      const node = edit.type === "set_nag" ? findOrAddNode(root, edit.path, steps) : findNode(root, edit.path);
      const others = node?.nags.filter((nag) => nag !== edit.nag) ?? [];
      if (node) node.nags = edit.type === "set_nag" ? [...others, edit.nag] : others;
      return;
    }
  }
}

function withComment(comments: readonly string[], old: string, text: string): string[] {
  const commentIndex = old === "" ? -1 : comments.indexOf(old);
  if (text === "") return comments.filter((_, index) => index !== commentIndex);
  if (commentIndex >= 0) return comments.map((comment, index) => (index === commentIndex ? text : comment));
  return comments.includes(text) ? [...comments] : [...comments, text];
}

function withTag(tags: readonly Tag[], name: string, value: string): Tag[] {
  const hasName = (tag: Tag): boolean => tag.name.toLowerCase() === name.toLowerCase();
  if (value === "") return tags.filter((tag) => !hasName(tag));
  if (tags.some(hasName)) return tags.map((tag) => (hasName(tag) ? { ...tag, value } : tag));
  return [...tags, { name, value }];
}

const stepOf = ({ uci, san, fen, last, check }: TreeNode): Step => ({ uci, san, fen, last: [...last], check });

function copyNotes(into: TreeNode, from: TreeNode): void {
  into.before = from.before;
  into.comments = from.comments;
  into.nags = from.nags;
  into.clockMs = from.clockMs;
  // The board draws shapes again whenever they are another list.
  if (JSON.stringify(into.shapes) !== JSON.stringify(from.shapes)) into.shapes = from.shapes;
}

/** Copies of nodes, which can be changed without changing those. */
export function copy({ root, tags }: SharedTree): SharedTree {
  const rootCopy: TreeNode = { ...root, children: [] };
  const copies = new Map([[root, rootCopy]]);
  for (const node of depthFirst(root)) {
    const parent = node.parent && copies.get(node.parent);
    if (!parent) continue;
    const next = add(parent, stepOf(node));
    copyNotes(next, node);
    copies.set(node, next);
  }
  return { root: rootCopy, tags };
}

/**
 * Makes the displayed tree `target` equal to `source`. Its nodes stay the same objects. Nodes that are not in `source` are
 * removed, except those that `mustKeep` selects and their ancestors.
 */
export function sync(target: TreeNode, source: TreeNode, mustKeep: (node: TreeNode) => boolean): void {
  const pairs: [TreeNode, TreeNode][] = [[target, source]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [node, sourceNode] = pair;
    copyNotes(node, sourceNode);
    const oldChildren = node.children;
    node.children = [];
    for (const child of sourceNode.children) {
      const existing = oldChildren.find(({ uci }) => uci === child.uci);
      if (existing) node.children.push(existing);
      pairs.push([existing ?? add(node, stepOf(child)), child]);
    }
    const surplus = oldChildren.filter((child) => !node.children.includes(child));
    node.children.push(...surplus.filter((child) => mustKeep(child) || depthFirst(child).some(mustKeep)));
  }
}
