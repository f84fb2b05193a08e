/** A tree of moves with variations and notes, as the server sends and takes it. Pure data and its changes. */
import type { Schemas } from "../common/api.ts";
import { colorsOf } from "../board/colors.ts";
import type { Board, Color, DrawnShape } from "../board/types.ts";
import { livingOf, playersOf, turnOf } from "../common/fen.ts";

export type Step = Schemas["Step"];
export type WireTree = Schemas["Tree"];
type WireNotes = Schemas["Notes"];

export interface TreeNode {
  /** Null for the start. */
  readonly parent: TreeNode | null;
  readonly uci: string;
  readonly san: string;
  readonly fen: string;
  readonly last: readonly number[];
  readonly check: number | null;
  /** The possible continuations; the first continues the line. */
  children: TreeNode[];
  before: string[];
  comments: string[];
  nags: number[];
  shapes: DrawnShape[];
  clockMs: number | null;
}

function node(parent: TreeNode | null, step: Step, notes: Partial<WireNotes> = {}): TreeNode {
  return {
    parent,
    uci: step.uci,
    san: step.san,
    fen: step.fen,
    last: step.last,
    check: step.check ?? null,
    children: [],
    before: notes.before ?? [],
    comments: notes.comments ?? [],
    nags: notes.nags ?? [],
    shapes: notes.shapes ?? [],
    clockMs: notes.clock_ms ?? null,
  };
}

export function fromWire(tree: WireTree): TreeNode {
  const root = node(null, { uci: "", san: "", fen: tree.fen, last: [], check: tree.check ?? null }, tree.notes);
  const nodes: TreeNode[] = [];
  for (const { parent, notes, ...step } of tree.nodes) {
    const before = parent === null || parent === undefined ? root : nodes[parent];
    if (!before) throw new Error(`expected a move before ${step.uci}, found none`);
    const next = node(before, step, notes);
    before.children.push(next);
    nodes.push(next);
  }
  return root;
}

const notesOf = (from: TreeNode): WireNotes => ({
  before: from.before,
  comments: from.comments,
  nags: from.nags,
  shapes: from.shapes,
  ...(from.clockMs === null ? {} : { clock_ms: from.clockMs }),
});

/** The tags of the players in PGN, in the order of turns. */
export const playerTags = ({ players }: Pick<Board, "players">): readonly string[] =>
  colorsOf(players).map((color) => `${color.charAt(0).toUpperCase()}${color.slice(1)}`);

/** All nodes but the start, each after the one before it. */
export function depthFirst(root: TreeNode): TreeNode[] {
  const order: TreeNode[] = [];
  const stack = [...root.children].reverse();
  for (let next = stack.pop(); next; next = stack.pop()) {
    order.push(next);
    stack.push(...[...next.children].reverse());
  }
  return order;
}

/** The tree as it is stored and sent. */
export function toWire(root: TreeNode, header: Pick<WireTree, "variant" | "digest" | "tags">): WireTree {
  const order = depthFirst(root);
  const indices = new Map(order.map((node, index) => [node, index]));
  return {
    ...header,
    fen: root.fen,
    check: root.check,
    notes: notesOf(root),
    nodes: order.map((node) => ({
      parent: node.parent ? (indices.get(node.parent) ?? null) : null,
      uci: node.uci,
      san: node.san,
      fen: node.fen,
      last: [...node.last],
      check: node.check,
      notes: notesOf(node),
    })),
  };
}

/** Adds a move; one that is there already stays where it is. */
export function add(parent: TreeNode, step: Step): TreeNode {
  const existing = parent.children.find(({ uci }) => uci === step.uci);
  if (existing) return existing;
  const added = node(parent, step);
  parent.children.push(added);
  return added;
}

/** Merges another tree with the same start into this one: nothing is lost, notes are united. */
export function merge(into: TreeNode, from: TreeNode): void {
  const pairs: [TreeNode, TreeNode][] = [[into, from]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [target, source] = pair;
    const union = <T>(own: T[], others: T[]): T[] => [
      ...own,
      ...others.filter((one) => !own.some((item) => JSON.stringify(item) === JSON.stringify(one))),
    ];
    target.before = union(target.before, source.before);
    target.comments = union(target.comments, source.comments);
    target.nags = union(target.nags, source.nags);
    target.shapes = union(target.shapes, source.shapes);
    target.clockMs ??= source.clockMs;
    for (const child of source.children) {
      const { uci, san, fen, last, check } = child;
      pairs.push([add(target, { uci, san, fen, last: [...last], check }), child]);
    }
  }
}

/** The nodes from the start to this one, without the start. */
export function lineTo(end: TreeNode): TreeNode[] {
  const line: TreeNode[] = [];
  for (let at: TreeNode | null = end; at?.parent; at = at.parent) line.push(at);
  return line.reverse();
}

export const pathOf = (end: TreeNode): string[] => lineTo(end).map(({ uci }) => uci);

/** The node that moves lead to, or the last of them that is there. */
export function follow(root: TreeNode, path: readonly string[]): TreeNode {
  let at = root;
  for (const uci of path) {
    const next = at.children.find((child) => child.uci === uci);
    if (!next) break;
    at = next;
  }
  return at;
}

/** The end of the line that goes on from a node. */
export function lastOf(from: TreeNode): TreeNode {
  let at = from;
  while (at.children[0]) at = at.children[0];
  return at;
}

/** Half moves before a position. */
export const depthOf = (at: TreeNode): number => lineTo(at).length;

/** Whether a node lies on the main line. */
export const isMain = (at: TreeNode): boolean =>
  lineTo(at).every((step) => step.parent?.children[0] === step);

/** Makes a node's line the continuation at the last fork where it is not; with `toMain`, at all forks. */
export function promote(at: TreeNode, toMain: boolean): void {
  for (let step = at; step.parent; step = step.parent) {
    const { children } = step.parent;
    if (children[0] === step) continue;
    step.parent.children = [step, ...children.filter((child) => child !== step)];
    if (!toMain) return;
  }
}

/** Removes a node and all that follows it; returns the node before. */
export function remove(at: TreeNode): TreeNode {
  if (!at.parent) return at;
  at.parent.children = at.parent.children.filter((child) => child !== at);
  return at.parent;
}

/** The next (1) or previous (-1) position at which the line has a choice. */
export function fork(from: TreeNode, direction: 1 | -1): TreeNode {
  let at = from;
  for (;;) {
    const next: TreeNode | null | undefined = direction === 1 ? at.children[0] : at.parent;
    if (!next) return at;
    at = next;
    if (at.children.length > 1) return at;
  }
}

/** Another move instead of this one. */
export function sibling(at: TreeNode, direction: 1 | -1): TreeNode {
  const siblings = at.parent?.children ?? [at];
  return siblings[siblings.indexOf(at) + direction] ?? at;
}

/** The players of four who were mated by a move, and those whose turn passed after it. */
export function exitsAndPasses({ parent, uci, fen }: TreeNode): { color: Color; isOut: boolean }[] {
  const [before, after] = [parent && livingOf(parent.fen), livingOf(fen)];
  if (!parent || !before || !after) return [];
  const [mover, next] = [turnOf(parent.fen), turnOf(fen)];
  const mated = before.filter((color) => !after.includes(color) && !(color === mover && (uci === "R" || uci === "T")));
  const colors = colorsOf(playersOf(fen));
  const [passed, count]: [Color[], number] = [[], colors.length];
  if (after.length > 1) {
    for (let at = colors.indexOf(mover) + 1; at % count !== colors.indexOf(next) && at % count !== colors.indexOf(mover); at += 1) {
      const color = colors[at % count];
      if (color !== undefined && after.includes(color)) passed.push(color);
    }
  }
  return [...mated.map((color) => ({ color, isOut: true })), ...passed.map((color) => ({ color, isOut: false }))];
}
