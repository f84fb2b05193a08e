/** The package in Node: the module lies beside this file and is ready at once. */
import { readFileSync } from "node:fs";
import { initSync } from "./lozenge.js";

initSync({ module: readFileSync(new URL("lozenge_bg.wasm", import.meta.url)) });

export * from "./lozenge.js";

/** Pages must wait for this; here it has nothing to do. */
export default async function init() {}
