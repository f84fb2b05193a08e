/** Moves that a reader has yet to find: a node is shown once the reader has been at it or beyond. */
import { useRef } from "preact/hooks";
import { pathOf, type TreeNode } from "./tree.ts";

export class Concealed {
  #seen = new Set<string>();
  #isRevealed = false;

  /** Shows the moves up to this node. */
  see(node: TreeNode): void {
    let key = "";
    for (const uci of pathOf(node)) {
      key += `${uci} `;
      this.#seen.add(key);
    }
  }

  /** Shows everything. */
  reveal(): void {
    this.#isRevealed = true;
  }

  /** The continuations that are shown. */
  shown(node: TreeNode): readonly TreeNode[] {
    return this.#isRevealed ? node.children : node.children.filter((child) => this.#seen.has(keyOf(child)));
  }

  /** Whether any move of the tree is not shown yet. */
  hides(root: TreeNode): boolean {
    if (this.#isRevealed) return false;
    const shown = this.shown(root);
    return shown.length < root.children.length || shown.some((child) => this.hides(child));
  }
}

/** A node by its moves, for the nodes themselves are made anew when others edit. */
const keyOf = (node: TreeNode): string => pathOf(node).map((uci) => `${uci} `).join("");

/** The moves that the reader of a chapter has seen, or null if nothing is concealed. */
export function useConcealed(isConcealed: boolean): Concealed | null {
  const concealed = useRef<Concealed | null>(null);
  concealed.current ??= new Concealed();
  return isConcealed ? concealed.current : null;
}
