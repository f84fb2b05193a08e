/** The entry of the endgame table for the position on the board: its result, and each move with result and distance. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { errorText } from "../common/errors.ts";
import { turnOf } from "../common/fen.ts";
import { addTexts, t } from "../common/texts.ts";
import { useAnalysis } from "./hooks.ts";
import { byCategory, piecesForTable, type TableMove, type TablePosition, Tables } from "./tables.ts";

addTexts({
  "table.title": "Endgame table",
  "table.win": "Winning",
  "table.draw": "Drawing",
  "table.loss": "Losing",
  "table.white_wins": "White wins with best play: {moves} half moves to the end.",
  "table.black_wins": "Black wins with best play: {moves} half moves to the end.",
  "table.drawn": "A draw with best play.",
  "table.over": "The game is over.",
  "table.move": "Move",
  "table.distance": "Half moves to the end",
  "table.distance_short": "Half moves",
  "table.play": "Play {move}",
});

/** Delay before a request, so that stepping through a game sends few. */
const DEBOUNCE_MS = 150;

export function TablesPanel() {
  const analysis = useAnalysis();
  const { rules } = analysis;
  const tables = useMemo(() => new Tables(rules), [rules]);
  const { fen } = analysis.node;
  const [state, setState] = useState<{ fen: string; found: TablePosition | null; fault: string | null }>({ fen: "", found: null, fault: null });
  const isHidden = analysis.isMulti || analysis.isEngineHidden || piecesForTable(fen) === null;
  useEffect(() => {
    if (isHidden) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      tables
        .lookUp(fen)
        .then((found) => ({ found, fault: null }))
        .catch((error: unknown) => ({ found: null, fault: errorText(error) }))
        .then((next) => isCurrent && setState({ fen, ...next }));
    }, DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [tables, fen, isHidden]);
  const isLoading = state.fen !== fen;
  // While a position is loaded, that of the move before stays, so that nothing jumps.
  if (isHidden || (!state.found && !state.fault)) return null;
  return (
    <section class="a-explorer a-tables" aria-label={t("table.title")} aria-busy={isLoading}>
      <h2>{t("table.title")}</h2>
      {state.fault !== null ? (
        <p class="g-problem" role="alert">{state.fault}</p>
      ) : (
        state.found && <TableMoves found={state.found} fen={state.fen} play={(uci) => !isLoading && void analysis.play(uci)} />
      )}
    </section>
  );
}

/** The winner, and the half moves until then. */
function outcome({ category, distance, moves }: TablePosition, fen: string): string {
  if (category === "draw") return t("table.drawn");
  if (moves.length === 0) return t("table.over");
  const isWhite = (turnOf(fen) === "white") === (category === "win");
  return t(isWhite ? "table.white_wins" : "table.black_wins", { moves: distance ?? 0 });
}

function TableMoves({ found, fen, play }: { found: TablePosition; fen: string; play: (uci: string) => void }) {
  return (
    <>
      <p class="a-quiet">{outcome(found, fen)}</p>
      {found.moves.length > 0 && (
        <table class="a-explored a-table-moves">
          <thead>
            <tr>
              <th scope="col">{t("table.move")}</th>
              <th scope="col" title={t("table.distance")}>{t("table.distance_short")}</th>
            </tr>
          </thead>
          {byCategory(found.moves).map(({ category, moves }) => (
            <tbody key={category} data-category={category}>
              <tr>
                <th colSpan={2} scope="rowgroup">{t(`table.${category}`)}</th>
              </tr>
              {moves.map((move) => <MoveRow key={move.uci} move={move} play={play} />)}
            </tbody>
          ))}
        </table>
      )}
    </>
  );
}

function MoveRow({ move, play }: { move: TableMove; play: (uci: string) => void }) {
  return (
    <tr onClick={() => play(move.uci)}>
      <th scope="row">
        <button
          type="button"
          aria-label={t("table.play", { move: move.san })}
          onClick={(event) => {
            event.stopPropagation();
            play(move.uci);
          }}
        >
          {move.san}
        </button>
      </th>
      <td>{move.distance ?? "–"}</td>
    </tr>
  );
}
