import { afterEach, expect, it, vi } from "vitest";
import { byCategory, piecesForTable, Tables, type TableMove } from "./tables.ts";

afterEach(() => vi.unstubAllGlobals());

it("asks about few pieces, without castling and en passant", () => {
  const rows: [string, number | null][] = [
    ["****k****/***3***/**5**/*7*/4*4/*7*/**1A3**/***3***/****K**** w - - 0 1", 3],
    ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", null],
    ["4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1", null],
    ["4k3/pp6/8/8/8/8/PPP5/4K3 w - - 0 1", null],
    ["4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", 6],
  ];
  for (const [fen, pieces] of rows) expect([fen, piecesForTable(fen)]).toEqual([fen, pieces]);
});

it("groups moves by their result", () => {
  const move = (uci: string, category: TableMove["category"]): TableMove => ({ uci, san: uci, category, distance: null });
  const groups = byCategory([move("a", "win"), move("b", "win"), move("c", "draw"), move("d", "loss")]);
  expect(groups.map(({ category, moves }) => [category, moves.map(({ uci }) => uci)])).toEqual([["win", ["a", "b"]], ["draw", ["c"]], ["loss", ["d"]]]);
});

it("asks once for each position, never about too many pieces", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    const answer = path === "/api/tables" ? [{ variant: "diamond", pieces: 3 }] : { category: "draw", distance: null, moves: [] };
    return Promise.resolve({ ok: true, status: 200, json: () => Promise.resolve(answer) });
  });
  const tables = new Tables("diamond");
  expect(await tables.lookUp("kK w - - 0 1")).toMatchObject({ category: "draw" });
  await tables.lookUp("kK w - - 0 1");
  expect(await tables.lookUp("kKRR w - - 0 1")).toBe(null);
  expect(await new Tables("chess").lookUp("kK w - - 0 1")).toBe(null);
  expect(asked).toEqual(["/api/tables", "/api/tables/diamond?fen=kK+w+-+-+0+1"]);
});
