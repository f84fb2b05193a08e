/** Levels and answers for tests. */
import type { Schemas } from "../common/api.ts";
import type { Level } from "./course.ts";

export function level(changes: Partial<Level>): Level {
  return {
    id: "board-1",
    fen: "k7/8/8/8/8/8/8/R6K w - - 0 1",
    text: "Collect the star.",
    goal: { kind: "stars" },
    par: 1,
    stars: [],
    hero: null,
    arrows: [],
    solution: [],
    ...changes,
  };
}

type State = Schemas["LessonState"];

/** An answer after a move, or before one. */
export function state(result: State["result"], moves: readonly string[], changes: Partial<State> = {}): State {
  return {
    result,
    stars: [],
    hero: null,
    steps: moves.map((uci) => ({ uci, san: uci.toUpperCase(), fen: `after ${uci}`, last: [0, 1], check: null })),
    fen: "start",
    check: null,
    legal: ["a1a2", "a1a3", "a1b1"].map((uci) => ({ uci, san: `R${uci.slice(2)}` })),
    castlings: [],
    ...changes,
  };
}
