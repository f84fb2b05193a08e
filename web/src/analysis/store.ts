/** The analyses kept in a browser: one tree for each game and start, in IndexedDB. Without IndexedDB nothing is kept. */
import type { WireTree } from "./tree.ts";

const NAME = "lozenge-analysis";
const TREES = "trees";
/** Most trees that are kept; the oldest are dropped. */
const MAX_TREES = 200;

interface Kept {
  tree: WireTree;
  path: string[];
  at: number;
}

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TREES).createIndex("at", "at");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no database"));
  });
  return opened;
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no answer"));
  });

export async function loadTree(key: string): Promise<Kept | null> {
  try {
    const kept = await done<Kept | undefined>((await open()).transaction(TREES).objectStore(TREES).get(key) as IDBRequest<Kept | undefined>);
    return kept ?? null;
  } catch {
    return null;
  }
}

export async function keepTree(key: string, tree: WireTree, path: string[]): Promise<void> {
  try {
    const trees = (await open()).transaction(TREES, "readwrite").objectStore(TREES);
    await done(trees.put({ tree, path, at: Date.now() } satisfies Kept, key));
    const count = await done(trees.count());
    if (count <= MAX_TREES) return;
    const cursor = trees.index("at").openCursor();
    let extra = count - MAX_TREES;
    cursor.onsuccess = () => {
      if (!cursor.result || extra <= 0) return;
      extra -= 1;
      cursor.result.delete();
      cursor.result.continue();
    };
  } catch {
    // A private window keeps nothing.
  }
}

export async function forgetTree(key: string): Promise<void> {
  try {
    await done((await open()).transaction(TREES, "readwrite").objectStore(TREES).delete(key));
  } catch {
    // Nothing was kept.
  }
}
