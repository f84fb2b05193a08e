/**
 * What a slim socket tells of a change, made whole again: the pieces are read from the FEN, and what was left out is as
 * usual. Pure.
 */
import type { Schemas } from "../common/api.ts";

type Change = Extract<Schemas["Event"], { type: "change" }>;
type State = Extract<Schemas["Event"], { type: "state" }>;
type Piece = Schemas["Man"];

/** What has to be known of a board to read its FEN. */
export type Cells = Pick<Schemas["Board"], "files" | "ranks" | "squares"> & {
  roles: Pick<Schemas["Role"], "id" | "letter">[];
};

/** The pieces of a FEN, by the numbers of their squares. */
export function piecesOf(board: Cells, fen: string): Piece[] {
  const numbers = new Map(board.squares.map(({ file, rank }, number) => [rank * board.files + file, number]));
  const roles = new Map(board.roles.map(({ letter, id }) => [letter.toUpperCase(), id]));
  const found: Piece[] = [];
  const rows = (fen.split(" ")[0] ?? "").split("/");
  rows.forEach((row, fromTop) => {
    let at = (board.ranks - 1 - fromTop) * board.files;
    for (const [cell] of row.matchAll(/\d+|\D/gu)) {
      const empty = Number.parseInt(cell, 10);
      if (Number.isInteger(empty)) {
        at += empty;
        continue;
      }
      const [square, role] = [numbers.get(at), roles.get(cell.toUpperCase())];
      const color = cell === cell.toUpperCase() ? "white" : "black";
      if (square !== undefined && role !== undefined) found.push({ square, role, color });
      at += 1;
    }
  });
  return found.sort((one, other) => one.square - other.square);
}

/** The same change at length. */
export function whole(board: Cells, { move, state, next }: Change): State {
  const there = piecesOf(board, state.fen);
  const { fen } = state;
  const [last, check] = [state.last ?? [], state.check ?? null];
  return {
    type: "state",
    move: move && { ...move, fen, men: there, last, check },
    state: {
      ...state,
      men: there,
      last,
      check,
      moves: state.moves ?? [],
      castlings: state.castlings ?? [],
      result: state.result ?? "*",
      reason: state.reason ?? null,
      clocks: state.clocks ?? null,
      offers: state.offers ?? { draw: null, takeback: null, rematch: null },
      claim: state.claim ?? null,
      claim_victory_at: state.claim_victory_at ?? null,
    },
    ...(next ? { next } : {}),
  };
}
