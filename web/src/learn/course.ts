/** A course as a list of levels, and the level that comes next. Not here: what is played. */
import { colorsOf } from "../board/colors.ts";
import type { Board, Color } from "../board/types.ts";
import type { Schemas } from "../common/api.ts";

export type Course = Schemas["Course"];
export type Stage = Schemas["LessonStage"];
export type Level = Schemas["LessonLevel"];

/** The learner's color: the first to move. */
export const learnerOf = ({ players }: Board): Color => colorsOf(players)[0] ?? "white";

/** A level with its place in the course. */
export interface PlacedLevel {
  level: Level;
  stage: Stage;
  /** The number in the course, from 0. */
  index: number;
}

export function levelsOf({ stages }: Course): PlacedLevel[] {
  return stages.flatMap((stage) => stage.levels.map((level) => ({ level, stage }))).map((placed, index) => ({ ...placed, index }));
}

/** The level to go on with: the first after `from` that is not solved, or else the first of all; null if all are solved. */
export function nextUnsolved(levels: readonly PlacedLevel[], stars: Readonly<Record<string, number>>, from = -1): PlacedLevel | null {
  const open = levels.filter(({ level }) => !(level.id in stars));
  return open.find(({ index }) => index > from) ?? open[0] ?? null;
}

/** How many levels are solved, and the stars for them. */
export function totals(levels: readonly PlacedLevel[], stars: Readonly<Record<string, number>>): { solved: number; stars: number } {
  const found = levels.map(({ level }) => stars[level.id] ?? 0).filter((count) => count > 0);
  return { solved: found.length, stars: found.reduce((sum, count) => sum + count, 0) };
}

/** The arrows of the rest of a solution after the moves played, as pairs of squares; none off the solution. */
export function arrowsOf(level: Level, played: readonly string[]): [string, string][] {
  const isOnTheWay = played.every((move, index) => move === level.solution[index]);
  if (!isOnTheWay) return [];
  return level.solution.slice(played.length).flatMap((move) => {
    const [, from, to] = /^([a-z]\d+)([a-z]\d+)/.exec(move) ?? [];
    return from !== undefined && to !== undefined ? [[from, to]] : [];
  });
}
