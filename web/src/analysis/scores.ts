/** Scores and chances as texts and numbers. With two players all are White's, with four those of the player to move. */
import type { Color, WhiteOrBlack } from "../board/types.ts";
import type { Schemas } from "../common/api.ts";
import { t } from "./texts.ts";

export type Score = Schemas["ReviewScore"];

/** `+0.35`, `−1.20`, `#3`, `#−2`. */
export function scoreText(score: Score): string {
  if ("mate" in score) return `#${score.mate < 0 ? "−" : ""}${Math.abs(score.mate)}`;
  const pawns = (Math.abs(score.cp) / 100).toFixed(2);
  return score.cp === 0 ? pawns : `${score.cp > 0 ? "+" : "−"}${pawns}`;
}

/** A score in words. */
export function scoreWords(score: Score, mover: Color): string {
  if (mover !== "white" && mover !== "black") return moverWords(score, mover);
  if ("mate" in score) return t(score.mate < 0 ? "mate_black" : "mate_white", { moves: Math.abs(score.mate) });
  const key = Math.abs(score.cp) < 15 ? "score_level" : score.cp > 0 ? "score_white" : "score_black";
  return t(key, { score: scoreText(score) });
}

function moverWords(score: Score, mover: Exclude<Color, WhiteOrBlack>): string {
  const player = t(mover);
  if ("mate" in score) return t(score.mate > 0 ? "player_wins" : "player_loses", { player, moves: Math.abs(score.mate) });
  const key = Math.abs(score.cp) < 15 ? "score_level" : score.cp > 0 ? "player_better" : "player_worse";
  return t(key, { player, score: scoreText(score) });
}

/** White's expected score, from 0 to 1. */
export const expectedScore = ([win = 0, draw = 0]: readonly number[]): number => (win + draw / 2) / 1000;

/** A number of nodes: `1.2 M`, `350 k`. */
export function countText(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(count >= 1e7 ? 0 : 1)} M`;
  return count >= 1e3 ? `${Math.round(count / 1e3)} k` : String(count);
}
