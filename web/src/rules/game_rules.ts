/** The rules of a game in words, as the server has them. */
import type { Board } from "../board/index.ts";
import { type Schemas, send } from "../common/api.ts";
import { rulesId } from "../common/rules_id.ts";

export type GameRules = Schemas["GameRules"];
export type PieceRules = Schemas["PieceRules"];

const requests = new Map<string, Promise<GameRules>>();

/** The address part that names the rules of a board. */
export const rulesOf = ({ variant, digest }: Board): string => rulesId({ variant, digest: digest ?? variant });

export function fetchRules(board: Board): Promise<GameRules> {
  const id = rulesOf(board);
  const request = requests.get(id) ?? send<GameRules>("GET", `/api/variants/${id}/rules`);
  requests.set(id, request);
  request.catch(() => requests.delete(id));
  return request;
}

/** The square on which the moves of a piece are drawn: its own where they differ by square, otherwise a usual one. */
export function drawnSquare({ squares }: Pick<PieceRules, "squares">, own: number | null): number {
  return own !== null && squares.length !== 1 ? own : (squares[0] ?? 0);
}
