/**
 * The faults of a file by the rules in this browser, before the server has answered. The server decides: it also
 * knows pictures and limits, and makes the board.
 */
import { compiledModule, isBuiltIn, textsOf } from "../analysis/wasm.ts";
import type { Fault } from "./model.ts";

/** A message to the worker. */
export type WorkerRequest =
  | { readonly type: "load"; readonly module: WebAssembly.Module }
  /** `parents` are the texts that the file extends, the nearest first; null where it extends a built-in game, or nothing. */
  | { readonly type: "check"; readonly id: number; readonly text: string; readonly parents: readonly string[] | null };

/** The answer of the worker. */
export interface WorkerReply {
  readonly id: number;
  readonly faults: readonly Fault[];
}

/** Time out the browser's check after this time, in milliseconds; the server's check remains. */
const CHECK_TIMEOUT_MS = 1_000;

let worker: Promise<Worker> | null = null;
let count = 0;

async function startWorker(): Promise<Worker> {
  const module = await compiledModule();
  const created = new Worker(new URL("./check_worker.ts", import.meta.url), { type: "module" });
  created.postMessage({ type: "load", module } satisfies WorkerRequest);
  return created;
}

/** The name of the game that a file extends, if that is written before its tables. */
export function extendedBy(text: string): string | null {
  const [top = ""] = text.split(/^\s*\[/m);
  return /^\s*extends\s*=\s*["']([^"'\n]+)["']/m.exec(top)?.[1] ?? null;
}

/** The texts that a file extends; null if the module knows them, or there are none. */
async function parentsOf(text: string): Promise<readonly string[] | null> {
  const extended = extendedBy(text);
  if (extended === null || !/^(~.*|[0-9a-f]{64})$/.test(extended)) return null;
  const { source, parents } = await textsOf(extended);
  return [source, ...parents];
}

/** The faults of a file; null where the browser cannot check it. */
export async function localFaults(text: string): Promise<readonly Fault[] | null> {
  if (!isBuiltIn) return null;
  try {
    worker ??= startWorker();
    const [started, parents] = await Promise.all([worker, parentsOf(text)]);
    const id = ++count;
    return await new Promise<readonly Fault[]>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("too slow")), CHECK_TIMEOUT_MS);
      started.onmessage = ({ data }: MessageEvent<WorkerReply>) => {
        if (data.id !== id) return;
        clearTimeout(timer);
        resolve(data.faults);
      };
      started.onerror = () => reject(new Error("failed"));
      started.postMessage({ type: "check", id, text, parents } satisfies WorkerRequest);
    });
  } catch {
    // The next file has a worker of its own.
    void worker?.then((started) => started.terminate()).catch(() => undefined);
    worker = null;
    return null;
  }
}
