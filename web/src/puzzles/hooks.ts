/** The solver of the page, and rendering after its changes. */
import { sessionContext } from "../common/session_context.ts";
import type { Solver } from "./solver.ts";

export const [SolverContext, useSolver] = sessionContext<Solver>();
