/** Endgame tables: which positions they cover, and requests for them. Not here: the screen. */
import { type Schemas, send } from "../common/api.ts";

export type TablePosition = Schemas["TablePosition"];
export type TableMove = Schemas["TableMove"];

/** The most pieces of any table; positions with more are never asked about. */
const MAX_PIECES = 6;
/** Most cached answers. */
const MAX_ANSWERS = 200;

/** Whether a table may cover a position: few pieces, no castling right, and no en passant capture. */
export function piecesForTable(fen: string): number | null {
  const [placement = "", , rights, enPassant] = fen.split(" ");
  const pieces = placement.replace(/[^A-Za-z]/g, "").length;
  return pieces <= MAX_PIECES && rights === "-" && (enPassant ?? "-") === "-" ? pieces : null;
}

let coverage: Promise<ReadonlyMap<string, number>> | null = null;

/** The most pieces by game, requested once. */
function loadCoverage(): Promise<ReadonlyMap<string, number>> {
  coverage ??= send<Schemas["TableCoverage"][]>("GET", "/api/tables").then((games) => new Map(games.map(({ variant, pieces }) => [variant, pieces])));
  coverage.catch(() => (coverage = null));
  return coverage;
}

/** Asks the server, once for each position. */
export class Tables {
  readonly #variant: string;
  readonly #cache = new Map<string, Promise<TablePosition | null>>();

  constructor(variant: string) {
    this.#variant = variant;
  }

  /** The value of a position and its moves; null where no table covers it. */
  lookUp(fen: string): Promise<TablePosition | null> {
    const pieces = piecesForTable(fen);
    if (pieces === null) return Promise.resolve(null);
    const cached = this.#cache.get(fen);
    if (cached) return cached;
    const request = this.#request(fen, pieces);
    request.catch(() => this.#cache.delete(fen));
    if (this.#cache.size >= MAX_ANSWERS) this.#cache.clear();
    this.#cache.set(fen, request);
    return request;
  }

  async #request(fen: string, pieces: number): Promise<TablePosition | null> {
    const most = (await loadCoverage()).get(this.#variant) ?? 0;
    if (pieces > most) return null;
    return send<TablePosition>("GET", `/api/tables/${encodeURIComponent(this.#variant)}?${new URLSearchParams({ fen })}`);
  }
}

/** The moves by their result, in the table's order, the best first. */
export function byCategory(moves: readonly TableMove[]): { category: TableMove["category"]; moves: TableMove[] }[] {
  const groups: { category: TableMove["category"]; moves: TableMove[] }[] = [];
  for (const move of moves) {
    const last = groups.at(-1);
    if (last?.category === move.category) last.moves.push(move);
    else groups.push({ category: move.category, moves: [move] });
  }
  return groups;
}
