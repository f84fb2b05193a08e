/** The worker that finds the faults of a file by the rules in the browser. */
import { initSync, Variant } from "virtual:lozenge";
import type { WorkerReply, WorkerRequest } from "./local_check.ts";
import type { Fault } from "./model.ts";

onmessage = ({ data }: MessageEvent<WorkerRequest>) => {
  if (data.type === "load") {
    initSync({ module: data.module });
    return;
  }
  const { id, text, parents } = data;
  const faults = JSON.parse(Variant.faults(text, parents ? [...parents] : undefined)) as Fault[];
  postMessage({ id, faults } satisfies WorkerReply);
};
