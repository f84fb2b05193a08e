/** The explorer: what has been played from the position on the board, and how the games ended. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { date } from "../common/dates.ts";
import { errorText } from "../common/errors.ts";
import { displayName } from "../common/player_names.ts";
import { colorsOf, playerOf } from "../game/seats.ts";
import type { Analysis } from "./analysis.ts";
import {
  NO_FILTER,
  type Explored,
  type ExploredMove,
  Explorer,
  type Filter,
  isExplorerOpen,
  loadFilter,
  MONTHS,
  percentages,
  RATINGS,
  saveFilter,
  scoreOf,
  setExplorerOpen,
  SPEEDS,
} from "./explorer.ts";
import { t } from "./explorer_texts.ts";
import { useAnalysis } from "./hooks.ts";

/** Delay before a request, so that stepping through a game sends few. */
const DEBOUNCE_MS = 150;

export interface ExplorerState {
  isOpen: boolean;
  toggle: () => void;
  /** Plays the first move, if the explorer is open and has one. */
  playFirst: () => void;
  filter: Filter;
  setFilter: (filter: Filter) => void;
  explored: Explored | null;
  fault: string | null;
  isLoading: boolean;
}

/** Whether the address leads to the explorer. */
const isExplorerAddress = (): boolean => location.hash === "#explorer";

/** The answer for the position on the board, while the explorer is open. */
export function useExplorer(analysis: Analysis): ExplorerState {
  const explorer = useMemo(() => new Explorer(analysis.rules), [analysis]);
  const [isOpen, setOpen] = useState(() => isExplorerOpen() || isExplorerAddress());
  useEffect(() => {
    const open = (): void => setOpen((previous) => previous || isExplorerAddress());
    addEventListener("hashchange", open);
    return () => removeEventListener("hashchange", open);
  }, []);
  const [stored, setFilter] = useState(loadFilter);
  // The book has games of two only.
  const filter: Filter = analysis.isMulti ? { ...stored, games: "all" } : stored;
  const [state, setState] = useState<{ key: string; explored: Explored | null; fault: string | null }>({ key: "", explored: null, fault: null });
  const { fen } = analysis.node;
  const key = JSON.stringify([fen, filter]);
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      explorer
        .explore(fen, filter)
        .then((explored) => ({ explored, fault: null }))
        .catch((error: unknown) => ({ explored: null, fault: errorText(error) }))
        .then((next) => isCurrent && setState({ key, ...next }));
    }, DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [explorer, isOpen, fen, filter]);
  const isLoading = state.key !== key;
  return {
    explored: state.explored,
    fault: state.fault,
    isLoading,
    isOpen,
    toggle: () => {
      setExplorerOpen(!isOpen);
      setOpen(!isOpen);
    },
    playFirst: () => {
      const first = isOpen && !isLoading ? state.explored?.moves[0] : undefined;
      if (first) void analysis.play(first.uci);
    },
    filter,
    setFilter: (next) => {
      saveFilter(next);
      setFilter(next);
    },
  };
}

export function ExplorerPanel({ state }: { state: ExplorerState }) {
  const { isOpen, explored, fault, isLoading } = state;
  return (
    <section class="a-explorer" aria-label={t("title")}>
      <button type="button" class="a-fold" aria-expanded={isOpen} onClick={state.toggle}>
        {t("title")}
      </button>
      {isOpen && (
        <div aria-busy={isLoading}>
          {fault ? (
            <p class="g-problem" role="alert">{fault}</p>
          ) : explored ? (
            <ExplorerTable explored={explored} isLoading={isLoading} />
          ) : (
            <p class="a-quiet">{t("loading")}</p>
          )}
          <FilterForm filter={state.filter} setFilter={state.setFilter} />
        </div>
      )}
    </section>
  );
}

function ExplorerTable({ explored, isLoading }: { explored: Explored; isLoading: boolean }) {
  const analysis = useAnalysis();
  const { moves, recentGames } = explored;
  if (moves.length === 0) return <p class="a-quiet">{t("none")}</p>;
  return (
    <>
      <table class="a-explored">
        <thead>
          <tr>
            <th scope="col">{t("move")}</th>
            <th scope="col">{t("games")}</th>
            <th scope="col">{t(analysis.isMulti ? "results_multi" : "results")}</th>
            <th scope="col" title={t(analysis.isMulti ? "score_title_multi" : "score_title")}>{t("score")}</th>
            <th scope="col" title={t("rating_title")}>{t("rating")}</th>
          </tr>
        </thead>
        <tbody>
          {moves.map((move) => (
            <tr key={move.uci} onClick={() => !isLoading && void analysis.play(move.uci)}>
              <th scope="row">
                <button
                  type="button"
                  aria-label={t("play", { move: move.san })}
                  onClick={(event) => {
                    event.stopPropagation();
                    // While loading, the moves shown belong to another position.
                    if (!isLoading) void analysis.play(move.uci);
                  }}
                >
                  {move.san}
                </button>
              </th>
              <ResultBar counts={move} rating={move.averageRating ?? null} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("all")}</th>
            <ResultBar counts={explored} rating={null} />
          </tr>
        </tfoot>
      </table>
      {recentGames.length > 0 && (
        <>
          <h3>{t("recent")}</h3>
          <ul class="a-recent">
            {recentGames.map((game) => (
              <li key={game.id}>
                <a href={`/game/${game.id}`}>
                  {colorsOf(game).map((color) => displayName(playerOf(game, color)?.name ?? "?")).join(" – ")} <strong>{game.result}</strong>{" "}
                  <span>{date(game.updated_at)}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** Games, results, score and rating. */
function ResultBar({ counts, rating }: { counts: Pick<ExploredMove, "white" | "draws" | "black">; rating: number | null }) {
  const { isMulti } = useAnalysis();
  const parts = percentages(counts);
  const score = scoreOf(counts);
  const text = parts ? t(isMulti ? "results_of_multi" : "results_of", { white: parts[0], draws: parts[1], black: parts[2], score }) : "";
  return (
    <>
      <td>{(counts.white + counts.draws + counts.black).toLocaleString(document.documentElement.lang)}</td>
      <td>
        <div class="a-wdl" role="img" aria-label={text} title={text}>
          {parts?.map((part, index) => (
            <i key={index} style={{ flexGrow: part }}>{part >= 14 ? `${part} %` : ""}</i>
          ))}
        </div>
      </td>
      <td>{score}</td>
      <td>{rating ?? "–"}</td>
    </>
  );
}

/** A choice of a value; the first option stands for no filter. */
function Choice<T extends string | number | boolean>({ name, value, first, options, set }: {
  name: string;
  value: T | null;
  first: string;
  options: readonly (readonly [T, string])[];
  set: (value: T | null) => void;
}) {
  return (
    <label>
      {t(name)}
      <select
        value={String(value ?? "")}
        onChange={(event) => set(options.find(([value]) => String(value) === event.currentTarget.value)?.[0] ?? null)}
      >
        <option value="">{first}</option>
        {options.map(([value, text]) => <option key={String(value)} value={String(value)}>{text}</option>)}
      </select>
    </label>
  );
}

function FilterForm({ filter, setFilter }: { filter: Filter; setFilter: (filter: Filter) => void }) {
  const set = (part: Partial<Filter>): void => setFilter({ ...filter, ...part });
  const isFiltered = JSON.stringify({ ...NO_FILTER, ...filter }) !== JSON.stringify(NO_FILTER);
  const ratings = RATINGS.map((rating) => [rating, String(rating)] as const);
  return (
    <details class="a-filter">
      <summary>
        {t("filter")}
        {isFiltered && " ●"}
      </summary>
      <div>
        {!useAnalysis().isMulti && (
          <Choice
            name="source"
            value={filter.games === "all" ? null : filter.games}
            first={t("source_all")}
            options={[["site", t("source_site")], ["book", t("source_book")]]}
            set={(games) => set({ games: games ?? "all" })}
          />
        )}
        <Choice name="rated" value={filter.rated} first={t("rated_any")} options={[[true, t("rated_yes")], [false, t("rated_no")]]} set={(rated) => set({ rated })} />
        <Choice name="speed" value={filter.speed} first={t("any")} options={SPEEDS.map((speed) => [speed, t(speed)])} set={(speed) => set({ speed })} />
        <Choice name="least" value={filter.least} first={t("any")} options={ratings} set={(least) => set({ least })} />
        <Choice name="most" value={filter.most} first={t("any")} options={ratings} set={(most) => set({ most })} />
        <Choice name="since" value={filter.months} first={t("since_any")} options={MONTHS.map((months) => [months, t(`since_${months}`)])} set={(months) => set({ months })} />
      </div>
    </details>
  );
}
