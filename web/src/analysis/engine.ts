/** The engine of the server: one search at a time; a new one ends the one before. */
import { ApiError, type Schemas } from "../common/api.ts";

export type Info = Schemas["AnalysisInfo"];
export type Line = Schemas["AnalysisLine"];
type Event = Schemas["AnalysisEvent"];
export type Request = Partial<Schemas["AnalysisRequest"]> & { variant: string };

export interface EngineEvents {
  queued(): void;
  info(info: Info, isLast: boolean): void;
  failed(fault: unknown): void;
}

export class ServerEngine {
  #running: AbortController | null = null;

  start(request: Request, events: EngineEvents): void {
    this.stop();
    const running = new AbortController();
    this.#running = running;
    void this.#run(request, events, running).catch((fault: unknown) => {
      if (!running.signal.aborted) events.failed(fault);
    });
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
  }

  async #run(request: Request, events: EngineEvents, { signal }: AbortController): Promise<void> {
    const init = { method: "POST", body: JSON.stringify(request), headers: { "content-type": "application/json" }, signal };
    const response = await fetch("/api/analyse", init);
    if (!response.ok || !response.body) throw new ApiError((await response.json()) as Schemas["Problem"]);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        if (part.trim() === "" || signal.aborted) continue;
        const event = JSON.parse(part) as Event;
        if (event.type === "queued") events.queued();
        else if (event.type === "failed") throw new Error(event.detail);
        else events.info(event, event.type === "done");
      }
    }
  }
}
