/** The list of moves, and buttons to step through them. */
import { useEffect, useRef } from "preact/hooks";
import { Back, First, Last, On } from "./icons.tsx";
import { type Game, moveNumber } from "./record.ts";
import { type GameText, t } from "./texts.ts";
import { useSession } from "./hooks.ts";

interface Row {
  number: number;
  /** Indices of half moves; null for a missing one. */
  halves: [number | null, number | null];
}

export function rows(game: Game): Row[] {
  const found: Row[] = [];
  game.history.forEach((_, index) => {
    const { number, color } = moveNumber(game, index);
    const row = found.at(-1);
    if (color === "white") found.push({ number, halves: [index, null] });
    else if (row?.number === number) row.halves[1] = index;
    else found.push({ number, halves: [null, index] });
  });
  return found;
}

export function Moves() {
  const session = useSession();
  const { game } = session;
  const list = useRef<HTMLOListElement>(null);
  const current = session.ply - 1;
  useEffect(() => {
    const place = list.current;
    const move = place?.querySelector<HTMLElement>("[aria-current]");
    if (!place) return;
    // Only the list scrolls, never the page.
    const [x, y] = move ? [move.offsetLeft, move.offsetTop] : [0, 0];
    const wide = place.scrollWidth > place.clientWidth;
    place.scrollTo({ left: wide ? x - place.clientWidth / 2 : 0, top: y - place.clientHeight / 2 });
  }, [current, game.history.length, game.state.status]);
  return (
    <nav class="g-moves" aria-label={t("moves")}>
      {game.history.length === 0 ? (
        <p class="g-none">{t("no_moves")}</p>
      ) : (
        <ol ref={list} tabIndex={-1}>
          {rows(game).map((row) => (
            <li key={row.number}>
              <span class="g-number">{row.number}.</span>
              {row.halves.map((index, side) =>
                index === null ? (
                  <span key={side} class="g-gap">
                    {side === 0 ? "…" : ""}
                  </span>
                ) : (
                  <button
                    key={side}
                    type="button"
                    aria-current={index === current ? "step" : undefined}
                    tabIndex={index === current || (current < 0 && index === 0) ? 0 : -1}
                    onClick={() => session.view(index + 1)}
                  >
                    {game.history[index]?.san}
                  </button>
                ),
              )}
            </li>
          ))}
        </ol>
      )}
      <Walk />
    </nav>
  );
}

function Walk() {
  const session = useSession();
  const last = session.game.state.ply;
  const step = (label: GameText, ply: number, Icon: () => preact.JSX.Element, off: boolean, live = false) => (
    <button
      type="button"
      aria-label={t(label)}
      title={t(label)}
      disabled={off}
      data-live={live ? "" : undefined}
      onClick={() => session.view(ply)}
    >
      <Icon />
    </button>
  );
  const [start, end] = [session.ply === 0, session.ply === last];
  return (
    <div class="g-walk">
      {step("first", 0, First, start)}
      {step("previous", session.ply - 1, Back, start)}
      {step("next", session.ply + 1, On, end)}
      {step("latest", last, Last, end, session.viewedPly !== null)}
    </div>
  );
}
