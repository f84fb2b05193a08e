/** The solver of the page, and rendering after its changes. */
import { createContext } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import type { Solver } from "./solver.ts";

export const SolverContext = createContext<Solver | null>(null);

/** The solver of the page; the component is rendered again with every change. */
export function useSolver(): Solver {
  const solver = useContext(SolverContext);
  if (!solver) throw new Error("expected a solver around this part of the page");
  const [, draw] = useState(0);
  useLayoutEffect(() => solver.subscribe(() => draw((count) => count + 1)), [solver]);
  return solver;
}
