/** The rating history of a player, for one game and speed. */
import { useEffect, useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { speedName } from "../common/time_control.ts";
import { date } from "../common/dates.ts";
import { t } from "../common/texts.ts";

type Entry = Schemas["RatingEntry"];
/** The data of a player's page. */
export type Profile = Schemas["Profile"];

type Point = [ms: number, rating: number];

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 66;
const BOTTOM = 34;
const TOP = 10;
const RIGHT = 14;

/** Round numbers for the axis, at most six. */
function steps(low: number, high: number): number[] {
  const size = [10, 20, 25, 50, 100, 200, 250, 500, 1000].find((one) => (high - low) / one <= 4) ?? 1000;
  const first = Math.floor(low / size) * size;
  const marks: number[] = [];
  for (let value = first; value < high + size; value += size) marks.push(value);
  return marks.length > 1 ? marks : [first, first + size];
}

function Line({ points, label }: { points: Point[]; label: string }) {
  const ratings = points.map(([, rating]) => rating);
  const grid = steps(Math.min(...ratings), Math.max(...ratings));
  const [low, high] = [grid[0] ?? 0, grid.at(-1) ?? 1];
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 1];
  const x = (ms: number): number => LEFT + ((ms - first) / Math.max(1, last - first)) * (WIDTH - LEFT - RIGHT);
  const y = (rating: number): number => TOP + (1 - (rating - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const path = points.map(([ms, rating], index) => `${index ? "L" : "M"}${x(ms).toFixed(1)} ${y(rating).toFixed(1)}`);
  return (
    <svg class="graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {grid.map((value) => (
        <g key={value}>
          <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(value)} y2={y(value)} />
          <text x={LEFT - 8} y={y(value)} text-anchor="end" dominant-baseline="central">
            {value}
          </text>
        </g>
      ))}
      <path class="graph-line" d={path.join("")} />
      {points.length <= 40 &&
        points.map(([ms, rating]) => <circle key={ms} cx={x(ms)} cy={y(rating)} r="3.5" />)}
      <text x={LEFT} y={HEIGHT - 8}>
        {date(first)}
      </text>
      <text x={WIDTH - RIGHT} y={HEIGHT - 8} text-anchor="end">
        {date(last)}
      </text>
    </svg>
  );
}

/** The name of a rating's game. */
function gameOf(profile: Profile, { variant }: Entry): string {
  return profile.statistics.find((kind) => kind.variant === variant)?.variant_name ?? variant;
}

export function Graph({ profile }: { profile: Profile }) {
  const entries = [...profile.ratings].sort((one, two) => two.games - one.games);
  const [chosen, setChosen] = useState<Entry | undefined>(entries[0]);
  const [points, setPoints] = useState<Point[] | null>(null);
  useEffect(() => {
    if (!chosen) return;
    const query = new URLSearchParams({ variant: chosen.variant, speed: chosen.speed });
    const path = `/api/players/${encodeURIComponent(profile.player.name)}/ratings?${query}`;
    let isCurrent = true;
    send<Point[]>("GET", path).then(
      (loaded) => isCurrent && setPoints(loaded),
      () => isCurrent && setPoints(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [chosen]);
  if (!chosen) return null;
  const key = (entry: Entry): string => `${entry.variant} ${entry.speed}`;
  const from = Math.round(points?.[0]?.[1] ?? 0);
  const to = Math.round(points?.at(-1)?.[1] ?? 0);
  const label = t("account.graph", { game: gameOf(profile, chosen), speed: speedName(chosen.speed), from, to });
  return (
    <figure class="graph-box">
      <div class="field">
        <label for="graph-of">{t("account.graph_choice")}</label>
        <select
          id="graph-of"
          value={key(chosen)}
          onChange={(event) => setChosen(entries.find((entry) => key(entry) === event.currentTarget.value))}
        >
          {entries.map((entry) => (
            <option key={key(entry)} value={key(entry)}>
              {gameOf(profile, entry)}, {speedName(entry.speed)}
            </option>
          ))}
        </select>
      </div>
      {points && points.length > 1 ? (
        <Line points={points} label={label} />
      ) : (
        points && <p class="notice">{t("account.graph_short")}</p>
      )}
    </figure>
  );
}
