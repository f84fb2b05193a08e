/**
 * The engine's worker: searches in slices of 30 ms, and receives messages between them. Not here: which search
 * runs (`browser_engine`).
 */
import { Engine, initSync, Position, Variant } from "virtual:lozenge";
import type { Request } from "./search_events.ts";
import type { WorkerReply, WorkerRequest } from "./browser_engine.ts";
import type { Rules } from "./wasm.ts";

/** Sizes in MiB to try if the requested memory for positions is not available. */
const SMALLER_SIZES = [32, 8];

/** A slice, in milliseconds. */
const SLICE_MS = 30;

let engine: Engine | null = null;
/** The requested memory. */
let memory = 0;
let running: number | null = null;
/** The game of the last search. */
let game: { readonly name: string; readonly variant: Variant } | null = null;

// A timer would wait for at least 4 ms.
const { port1, port2 } = new MessageChannel();
port1.onmessage = () => slice();

const reply = (message: WorkerReply): void => postMessage(message);

onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
  if (data.type === "load") initSync({ module: data.module });
  else if (data.type === "start") start(data.id, data.request, data.rules, data.hash);
  else stop();
};

/** Creates an engine with this memory, or less if it is not available. */
function createEngine(size: number): void {
  if (engine && memory === size) return;
  memory = size;
  engine?.free();
  engine = null;
  for (const hash of [size, ...SMALLER_SIZES.filter((smaller) => smaller < size)]) {
    try {
      engine = new Engine({ hash });
      return;
    } catch {
      // The next size may fit.
    }
  }
}

function start(id: number, request: Request, rules: Rules, hash: number): void {
  createEngine(hash);
  if (!engine) return reply({ id, type: "failed" });
  try {
    let position = new Position(variantOf(request.variant, rules), request.fen ?? undefined);
    for (const move of request.moves ?? []) position.play(move);
    if (request.threat) position = position.threat();
    const { lines: multipv = 1, nodes, depth, time_ms: movetime } = request;
    engine.start(position, { multipv, nodes, depth, movetime });
    running = id;
    reply({ id, type: "begun" });
    slice();
  } catch (fault) {
    // After a bug in the module the page takes another worker.
    if (fault instanceof WebAssembly.RuntimeError) throw fault;
    reply({ id, type: "failed" });
  }
}

function variantOf(name: string, rules: Rules): Variant {
  if (game?.name !== name) {
    game = { name, variant: Variant.parse(rules.source, [...rules.parents]) };
  }
  return game.variant;
}

function slice(): void {
  const id = running;
  if (id === null || !engine) return;
  for (const line of engine.step(SLICE_MS).split("\n")) if (line !== "") reply({ id, type: "line", line });
  if (engine.isSearching) return port2.postMessage(null);
  running = null;
  reply({ id, type: "ended" });
}

function stop(): void {
  const id = running;
  if (id === null) return;
  running = null;
  engine?.stop();
  reply({ id, type: "ended" });
}
