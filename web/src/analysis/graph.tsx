/** The evaluation of a game as a graph, with the time that each move took. A click goes to the move. */
import { useAnalysis } from "./hooks.ts";
import { type GameReview, reviewOf, sideOf } from "./review.ts";
import { scoreText } from "./scores.ts";
import { t } from "./texts.ts";
import { lineTo, type TreeNode } from "./tree.ts";

const WIDTH = 600;
const HEIGHT = 150;

/** The height of a time bar, from 0 to 1: short thoughts differ, long ones hardly (as on lichess). */
function timeHeight(ms: number): number {
  const height = (centiseconds: number): number => Math.log(0.005 * centiseconds + 3) ** 2 - Math.log(3) ** 2;
  return height(Math.min(ms / 10, 120_000)) / height(120_000);
}

/** The increment of a PGN's time control such as `180+2`, in milliseconds. */
export function incrementOf(tags: readonly { name: string; value: string }[]): number {
  const control = tags.find(({ name }) => name === "TimeControl")?.value ?? "";
  const [, seconds] = /^\d+\+(\d{1,5})$/.exec(control) ?? [];
  return Number(seconds ?? 0) * 1_000;
}

/** The time of each half move in milliseconds, null without clocks. A clock shows the time left, increment included. */
export function timesOf(nodes: readonly TreeNode[], increment: number): (number | null)[] {
  return nodes.map((node, index) => {
    const before = nodes[index - 2];
    if (!before || node.clockMs === null || before.clockMs === null) return null;
    // Time that was given makes a clock go up.
    return Math.max(0, before.clockMs + increment - node.clockMs);
  });
}

export function Graph({ review, go }: { review: GameReview; go: (ply: number) => void }) {
  const analysis = useAnalysis();
  const chances = [review.start.winProbability, ...review.moves.map((move) => move.winProbability)];
  const x = (ply: number): number => (ply / Math.max(1, chances.length - 1)) * WIDTH;
  const y = (chance: number): number => (1 - chance) * HEIGHT;
  const points = chances.map((chance, ply) => `${x(ply).toFixed(1)},${y(chance).toFixed(1)}`).join(" ");
  const played = review.moves.map(({ uci }) => uci);
  const nodes: TreeNode[] = [];
  for (let at = analysis.root, index = 0; index < played.length; index += 1) {
    const next = at.children.find(({ uci }) => uci === played[index]);
    if (!next) break;
    nodes.push(next);
    at = next;
  }
  const times = timesOf(nodes, incrementOf(analysis.tags));
  const line = lineTo(analysis.node);
  const currentPly = line.findLastIndex((node) => reviewOf(review, node) !== null) + 1;
  const onClick = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * (chances.length - 1)));
  };
  const current = review.moves[currentPly - 1];
  const score = currentPly === 0 ? review.start.score : current?.score;
  const label = t("graph", { move: currentPly === 0 ? t("at_start") : (current?.san ?? ""), score: score ? scoreText(score) : "" });
  return (
    <svg class="a-graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label} onClick={onClick}>
      <title>{label}</title>
      <rect class="a-graph-ground" width={WIDTH} height={HEIGHT} />
      <polygon class="a-graph-white" points={`0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} />
      {times.map((ms, index) => {
        if (ms === null) return null;
        const height = timeHeight(ms) * (HEIGHT / 2);
        const isWhite = sideOf(review, index + 1) === "white";
        const width = Math.max(1, WIDTH / chances.length - 1);
        return (
          <rect
            key={index}
            class="a-graph-time"
            x={x(index + 1) - width / 2}
            y={isWhite ? HEIGHT / 2 - height : HEIGHT / 2}
            width={width}
            height={height}
          />
        );
      })}
      <line class="a-graph-level" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <polyline class="a-graph-line" points={points} />
      <line class="a-graph-here" x1={x(currentPly)} x2={x(currentPly)} y1={0} y2={HEIGHT} />
      {review.moves.map((move) =>
        move.judgment ? (
          <ellipse key={move.ply} class="a-graph-mark" data-judgment={move.judgment} cx={x(move.ply)} cy={y(move.winProbability)} rx={4} ry={4} />
        ) : null,
      )}
    </svg>
  );
}
