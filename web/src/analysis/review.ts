/** The review of a game as it is fetched, and its judgment of each move of the main line. Not here: the screen. */
import { opposite } from "../board/colors.ts";
import type { WhiteOrBlack } from "../board/types.ts";
import type { Schemas } from "../common/api.ts";
import { ApiError } from "../common/api.ts";
import { moverOf } from "../common/fen.ts";
import { displayName } from "../common/player_names.ts";
import { t as gameText } from "../game/texts.ts";
import { pathOf, type TreeNode } from "./tree.ts";

export type GameReview = Schemas["GameReview"];
export type MoveReview = Schemas["MoveReview"];
export type Progress = Schemas["ReviewProgress"];
export type Judgment = NonNullable<MoveReview["judgment"]>;

export const JUDGMENTS: readonly Judgment[] = ["inaccuracy", "mistake", "blunder"];

/** The glyph of each judgment. */
export const GLYPHS: Readonly<Record<Judgment, string>> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Fetches or starts a review: the review, its progress while it runs, or null if there is none. */
export async function fetchReview(method: "GET" | "POST", game: string): Promise<GameReview | Progress | null> {
  const response = await fetch(`/api/games/${game}/review`, { method });
  const answer: unknown = await response.json();
  if (method === "GET" && response.status === 404) return null;
  if (!response.ok) throw new ApiError(answer as Schemas["Problem"]);
  if (response.status === 202) return answer as Progress;
  return (answer as Schemas["Review"]).games[0] ?? null;
}

export const isProgress = (answer: GameReview | Progress): answer is Progress => "positions" in answer;

/** The name of a side's player, or of the side where the game does not name the player. */
export const playerOrSide = (name: string, side: WhiteOrBlack): string => (name === "" || name === "?" ? gameText(side) : displayName(name));

/** The side that made a move. */
export function sideOf(review: GameReview, ply: number): WhiteOrBlack {
  const first = moverOf(review.fen);
  return ply % 2 === 1 ? first : opposite(first);
}

/** The review of the move that led to a node, if it is one of the game's. */
export function reviewOf(review: GameReview, node: TreeNode): MoveReview | null {
  const path = pathOf(node);
  if (path.length === 0 || path.some((uci, index) => review.moves[index]?.uci !== uci)) return null;
  return review.moves[path.length - 1] ?? null;
}

/** The number of moves of a side with this judgment. */
export const countOf = (review: GameReview, side: WhiteOrBlack, judgment: Judgment): number =>
  review.moves.filter((move) => move.judgment === judgment && sideOf(review, move.ply) === side).length;

/** The next move with a judgment after a ply; wraps around; null if there is none. */
export function nextWithJudgment(review: GameReview, judgment: Judgment, after: number, side?: WhiteOrBlack): MoveReview | null {
  const candidates = review.moves.filter(
    (move) => move.judgment === judgment && (side === undefined || sideOf(review, move.ply) === side),
  );
  return candidates.find((move) => move.ply > after) ?? candidates[0] ?? null;
}

/** The moves of a side that it can learn from: mistakes, blunders, missed wins. */
export const lessons = (review: GameReview, side: WhiteOrBlack): MoveReview[] =>
  review.moves.filter(
    (move) =>
      sideOf(review, move.ply) === side &&
      move.best !== null &&
      move.best !== undefined &&
      move.best.uci !== move.uci &&
      (move.judgment === "mistake" || move.judgment === "blunder" || Boolean(move.missedWin)),
  );
