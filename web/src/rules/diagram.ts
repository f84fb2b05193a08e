/** The moves of a piece alone on a board, as the server computes them, and their marks. */
import type { Color, Mark } from "../board/index.ts";
import { type Schemas, send } from "../common/api.ts";

/** The squares that a piece can move to, by kind of move. */
export type Diagram = Schemas["Diagram"];

export function marksOf(diagram: Diagram, square: number): Mark[] {
  const quiet = new Set(diagram.quiet);
  const capture = new Set(diagram.capture);
  const marks: Mark[] = [{ square, kind: "from" }];
  for (const square of quiet) marks.push({ square, kind: capture.has(square) ? "both" : "move" });
  for (const square of capture) if (!quiet.has(square)) marks.push({ square, kind: "capture" });
  for (const square of diagram.first) marks.push({ square, kind: "promotion" });
  for (const square of diagram.over) marks.push({ square, kind: "area" });
  return marks;
}

/** All squares that a piece reaches. */
export const reachedSquares = ({ quiet, capture, first, over }: Diagram): number[] => [
  ...new Set([...quiet, ...capture, ...first, ...over]),
];

/** The requests that were sent; of a page's life in the studio only the last ones. */
const diagrams = new Map<string, Promise<Diagram>>();
const MAX_DIAGRAMS = 500;

export function fetchDiagram(variant: string, role: string, square: number, color: Color): Promise<Diagram> {
  const query = new URLSearchParams({ role, square: String(square), color });
  const path = `/api/variants/${variant}/diagram?${query}`;
  const request = diagrams.get(path) ?? send<Diagram>("GET", path);
  diagrams.set(path, request);
  const oldest = diagrams.keys().next();
  if (diagrams.size > MAX_DIAGRAMS && !oldest.done) diagrams.delete(oldest.value);
  request.catch(() => diagrams.delete(path));
  return request;
}
