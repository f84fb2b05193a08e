/** The list of moves, and buttons to step through them. */
import { useEffect, useRef } from "preact/hooks";
import { Back, First, Last, Next } from "./icons.tsx";
import { ColorSign } from "../common/color_sign.tsx";
import { sanText } from "./game_text.ts";
import { type Game, moveNumber, passedColors } from "./record.ts";
import { colorsOf, isMulti } from "./seats.ts";
import { type GameText, t } from "./texts.ts";
import { useSession } from "./hooks.ts";

interface Row {
  number: number;
  /** Indices of half moves by the place of the color in the order of turns; null for a missing one. */
  halves: (number | null)[];
}

/** The text of a missing half move: dots before the first one, a dash where a player of four is out or passes, nothing after the last. */
function gapText(game: Game, row: Row, side: number): string {
  if (row.halves.indexOf(0) > side) return "…";
  if (row.halves.slice(side).some((later) => later !== null)) return isMulti(game) ? "–" : "…";
  const color = colorsOf(game)[side];
  const hasPassed = row.halves.includes(game.history.length - 1) && color !== undefined && passedColors(game).includes(color);
  return hasPassed && row.halves.slice(0, side).some((earlier) => earlier !== null) ? "–" : "";
}

export function rows(game: Game): Row[] {
  const list: Row[] = [];
  const colors = colorsOf(game);
  game.history.forEach((_, index) => {
    const { number, color } = moveNumber(game, index);
    const last = list.at(-1);
    const row = last?.number === number ? last : { number, halves: colors.map(() => null) };
    row.halves[colors.indexOf(color)] = index;
    if (row !== last) list.push(row);
  });
  return list;
}

export function Moves() {
  const session = useSession();
  const { game } = session;
  const list = useRef<HTMLOListElement>(null);
  const current = session.ply - 1;
  useEffect(() => {
    const scroller = list.current;
    const move = scroller?.querySelector<HTMLElement>("[aria-current]");
    if (!scroller) return;
    // Only the list scrolls, never the page.
    const [x, y] = move ? [move.offsetLeft, move.offsetTop] : [0, 0];
    const isWide = scroller.scrollWidth > scroller.clientWidth;
    scroller.scrollTo({ left: isWide ? x - scroller.clientWidth / 2 : 0, top: y - scroller.clientHeight / 2 });
  }, [current, game.history.length, game.state.status]);
  return (
    <nav class="g-moves" aria-label={t("moves")}>
      {game.history.length === 0 ? (
        <p class="g-none">{t("no_moves")}</p>
      ) : (
        <ol ref={list} tabIndex={-1}>
          {isMulti(game) && (
            <li class="g-heads" aria-hidden="true">
              <span />
              {colorsOf(game).map((color) => (
                <ColorSign key={color} color={color} />
              ))}
            </li>
          )}
          {rows(game).map((row) => (
            <li key={row.number}>
              <span class="g-number">{row.number}.</span>
              {row.halves.map((index, side) =>
                index === null ? (
                  <span key={side} class="g-gap">
                    {gapText(game, row, side)}
                  </span>
                ) : (
                  <button
                    key={side}
                    type="button"
                    aria-current={index === current ? "step" : undefined}
                    tabIndex={index === current || (current < 0 && index === 0) ? 0 : -1}
                    onClick={() => session.view(index + 1)}
                  >
                    {isMulti(game) && <span class="unseen">{t(moveNumber(game, index).color)} </span>}
                    {sanText(game.history[index]?.san ?? "")}
                  </button>
                ),
              )}
            </li>
          ))}
        </ol>
      )}
      <StepButtons />
    </nav>
  );
}

function StepButtons() {
  const session = useSession();
  const last = session.game.state.ply;
  const step = (label: GameText, ply: number, Icon: () => preact.JSX.Element, isDisabled: boolean, isBehind = false) => (
    <button
      type="button"
      aria-label={t(label)}
      title={t(label)}
      disabled={isDisabled}
      data-live={isBehind ? "" : undefined}
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
      {step("next", session.ply + 1, Next, end)}
      {step("latest", last, Last, end, session.viewedPly !== null)}
    </div>
  );
}
