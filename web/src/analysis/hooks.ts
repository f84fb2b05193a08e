/** The analysis of the page, and rendering after its changes. */
import { sessionContext } from "../common/session_context.ts";
import type { Analysis } from "./analysis.ts";

export const [AnalysisContext, useAnalysis] = sessionContext<Analysis>();
