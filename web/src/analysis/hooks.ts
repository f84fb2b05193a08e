/** The analysis of the page, and rendering after its changes. */
import { createContext } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import type { Analysis } from "./analysis.ts";

export const AnalysisContext = createContext<Analysis | null>(null);

/** The analysis of the page; the component is rendered again with every change. */
export function useAnalysis(): Analysis {
  const analysis = useContext(AnalysisContext);
  if (!analysis) throw new Error("expected an analysis around this part of the page");
  const [, draw] = useState(0);
  useLayoutEffect(() => analysis.subscribe(() => draw((count) => count + 1)), [analysis]);
  return analysis;
}
