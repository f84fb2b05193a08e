/**
 * The JavaScript package in the page: its WebAssembly module with rules and engine, and the texts of games for it. Each is
 * fetched once, when it is first needed.
 */
import moduleAddress from "virtual:lozenge-module";
import { type Schemas, send } from "../common/api.ts";

/** The texts of a game: its own, and those of the games that it extends, the nearest first. */
export interface Rules {
  readonly source: string;
  readonly parents: readonly string[];
}

/** Whether the module was built in. */
export const isBuiltIn = moduleAddress !== null;

let module: Promise<WebAssembly.Module> | null = null;
const texts = new Map<string, Promise<Rules>>();

/** The compiled module. After a failure the next call tries again. */
export function compiledModule(): Promise<WebAssembly.Module> {
  module ??= compile().catch((fault: unknown) => {
    module = null;
    throw fault;
  });
  return module;
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(moduleAddress ?? "");
  if (!response.ok) throw new Error(response.statusText);
  return WebAssembly.compileStreaming(response);
}

/** The texts of a game, by its id or digest. */
export function textsOf(variant: string): Promise<Rules> {
  const cached = texts.get(variant) ?? fetchTexts(variant);
  texts.set(variant, cached);
  cached.catch(() => texts.delete(variant));
  return cached;
}

async function fetchTexts(variant: string): Promise<Rules> {
  const { source, parents } = await send<Schemas["VariantDetail"]>("GET", `/api/variants/${encodeURIComponent(variant)}`);
  return { source, parents };
}
