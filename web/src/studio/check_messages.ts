/** What the studio and the worker that checks files say to each other. */
import type { Fault } from "./model.ts";

export type Order =
  | { readonly type: "load"; readonly module: WebAssembly.Module }
  /** `parents` are the texts that the file extends, the nearest first; null where it extends a built-in game, or nothing. */
  | { readonly type: "check"; readonly id: number; readonly text: string; readonly parents: readonly string[] | null };

export interface Answer {
  readonly id: number;
  readonly faults: readonly Fault[];
}
