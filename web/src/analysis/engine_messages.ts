/** What the page and the worker with the engine say to each other. */
import type { Request } from "./engine.ts";

/** The texts of a game: its own, and those of the games that it extends, the nearest first. */
export interface Rules {
  readonly source: string;
  readonly parents: readonly string[];
}

/** What the page says. A search is ended before the next one is started; `hash` is its memory for positions in MiB. */
export type Order =
  | { readonly type: "load"; readonly module: WebAssembly.Module }
  | { readonly type: "start"; readonly id: number; readonly request: Request; readonly rules: Rules; readonly hash: number }
  | { readonly type: "stop" };

/** What the worker says of a search; `line` is an event as `POST /api/analyse` streams it. */
export type Answer = { readonly id: number } & (
  | { readonly type: "begun" }
  | { readonly type: "line"; readonly line: string }
  | { readonly type: "ended" }
  | { readonly type: "failed" }
);
