/** The list of live games after each event. */
import { describe, expect, it } from "vitest";
import { type Summary, applyEvent } from "./live_games.ts";

const game = (id: string, part: Partial<Summary> = {}): Summary => ({
  id,
  variant: "diamond",
  variant_name: "Diamond Chess",
  digest: "",
  rated: false,
  speed: "blitz",
  clock: null,
  white: null,
  black: null,
  created_at: 0,
  updated_at: 0,
  ply: 0,
  fen: "",
  last: [],
  turn: "white",
  status: "started",
  result: "*",
  reason: null,
  ...part,
});
const ids = (games: readonly Summary[]): string[] => games.map((one) => one.id);

describe("the list of live games", () => {
  const games = [game("a"), game("b")];

  it("starts with all games", () => expect(ids(applyEvent([game("x")], { type: "games", games }))).toEqual(["a", "b"]));

  it("gets new games at the top, each only once", () => {
    expect(ids(applyEvent(games, { type: "begin", game: game("c") }))).toEqual(["c", "a", "b"]);
    expect(ids(applyEvent(games, { type: "begin", game: game("b") }))).toEqual(["b", "a"]);
  });

  it("keeps its order when games change or end", () => {
    const moved = applyEvent(games, { type: "move", game: game("a", { ply: 3 }) });
    expect([ids(moved), moved[0]?.ply]).toEqual([["a", "b"], 3]);
    const ended = applyEvent(moved, { type: "end", game: game("b", { status: "finished", result: "1-0" }) });
    expect([ids(ended), ended[1]?.result]).toEqual([["a", "b"], "1-0"]);
    expect(applyEvent(games, { type: "move", game: game("z") })).toEqual(games);
  });

  it("drops games that have left", () => {
    expect(ids(applyEvent(games, { type: "left", id: "a" }))).toEqual(["b"]);
  });
});
