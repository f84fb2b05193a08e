/** Requests to an engine, and its answers while it thinks. Not here: the engines (`engine`, `browser_engine`). */
import type { Schemas } from "../common/api.ts";

export type Info = Schemas["AnalysisInfo"];
export type Line = Schemas["AnalysisLine"];
export type Event = Schemas["AnalysisEvent"];
export type Request = Partial<Schemas["AnalysisRequest"]> & { variant: string };

export interface EngineEvents {
  queued(): void;
  info(info: Info, isLast: boolean): void;
  failed(fault: unknown): void;
}
