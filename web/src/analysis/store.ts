/** The analyses stored in a browser: one tree for each game and start. Without IndexedDB nothing is stored. */
import type { WireTree } from "./tree.ts";

const DATABASE_NAME = "lozenge-analysis";
const TREE_STORE = "trees";
/** Most trees that are stored; the oldest are dropped. */
const MAX_TREES = 200;

interface StoredTree {
  tree: WireTree;
  path: string[];
  at: number;
}

let database: Promise<IDBDatabase> | null = null;

function openDatabase(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TREE_STORE).createIndex("at", "at");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no database"));
  });
  return database;
}

const completed = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no answer"));
  });

export async function loadTree(key: string): Promise<StoredTree | null> {
  try {
    const stored = await completed<StoredTree | undefined>((await openDatabase()).transaction(TREE_STORE).objectStore(TREE_STORE).get(key) as IDBRequest<StoredTree | undefined>);
    return stored ?? null;
  } catch {
    return null;
  }
}

export async function saveTree(key: string, tree: WireTree, path: string[]): Promise<void> {
  try {
    const trees = (await openDatabase()).transaction(TREE_STORE, "readwrite").objectStore(TREE_STORE);
    await completed(trees.put({ tree, path, at: Date.now() } satisfies StoredTree, key));
    const count = await completed(trees.count());
    if (count <= MAX_TREES) return;
    const cursor = trees.index("at").openCursor();
    let surplus = count - MAX_TREES;
    cursor.onsuccess = () => {
      if (!cursor.result || surplus <= 0) return;
      surplus -= 1;
      cursor.result.delete();
      cursor.result.continue();
    };
  } catch {
    // A private window stores nothing.
  }
}

export async function deleteTree(key: string): Promise<void> {
  try {
    await completed((await openDatabase()).transaction(TREE_STORE, "readwrite").objectStore(TREE_STORE).delete(key));
  } catch {
    // Nothing was stored.
  }
}
