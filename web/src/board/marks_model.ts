/** Which squares are marked and how, computed from the selection. Not here: drawing (`marks`). */
import { NO_TARGETS, type Selection, type Targets } from "./selection.ts";
import type { Mark } from "./types.ts";

/** The input of the marks besides the selection. */
export interface MarksInput {
  last: readonly number[];
  check: number | null;
  hovered: number | null;
  /** The square under a dragged piece, if it can be dropped there. */
  dropTarget: number | null;
  marks: readonly Mark[];
  showDestinations: boolean;
}

export interface MarksModel {
  last: readonly number[];
  check: number | null;
  selected: number | null;
  targets: Targets;
  premoveTargets: Targets;
  /** The reach of a piece that cannot be moved now. */
  reach: Targets;
  premove: readonly number[];
  dropTarget: number | null;
  marks: readonly Mark[];
}

export function marksModel(selection: Selection, input: MarksInput): MarksModel {
  const { selected, premove } = selection;
  const movability = selected === null ? "none" : selection.movability(selected);
  const targets = selected !== null && input.showDestinations ? selection.targets(selected) : NO_TARGETS;
  const inspected = selected === null ? input.hovered : movability === "none" ? selected : null;
  return {
    last: input.last,
    check: input.check,
    selected,
    targets: movability === "move" ? targets : NO_TARGETS,
    premoveTargets: movability === "premove" ? targets : NO_TARGETS,
    reach: inspected === null ? NO_TARGETS : reachOf(selection, inspected),
    premove: premove && selection.state.movable !== "none" ? [premove.from, premove.to] : [],
    dropTarget: input.dropTarget,
    marks: input.marks,
  };
}

const reachOf = (selection: Selection, square: number): Targets =>
  selection.movability(square) === "move" ? selection.targets(square) : selection.reach(square);
