/** A game explained: every man live on the board. */
import "../common/plain.ts";
import "../board/index.ts";
import { render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Board, Color, LozBoard, Mark, Role } from "../board/index.ts";
import { send } from "../common/api.ts";
import { data } from "../common/data.ts";
import { inWords } from "../common/faults.ts";
import { boardTexts } from "../common/on_board.ts";
import { learn, t } from "../common/texts.ts";

learn({
  "rules.man": "Man",
  "rules.color": "Side",
  "rules.white": "White",
  "rules.black": "Black",
  "rules.hint": "Press any square to put the man there, or walk with the arrow keys and press Enter.",
  "rules.move": "may go there",
  "rules.both": "may go there and capture there",
  "rules.capture": "may only capture there",
  "rules.first": "as its first move",
  "rules.over": "across one man on the way",
  "rules.none": "From {square} it cannot go anywhere.",
  "rules.count": "{man} on {square}: {count} squares",
  "rules.count_one": "{man} on {square}: 1 square",
  "rules.view": "Shown as",
  "rules.diamond": "Diamond",
  "rules.square": "Square",
});

/** Where a man may go, by what it may do there. */
interface Diagram {
  quiet: number[];
  capture: number[];
  first: number[];
  over: number[];
}

const NOWHERE: Diagram = { quiet: [], capture: [], first: [], over: [] };

const board = data<Board>("board");

const nameOf = (square: number): string => board.squares[square]?.name ?? "";

/** The square nearest to the middle, where a man shows most of what it can. */
function middle(): number {
  const distance = (file: number, rank: number): number =>
    Math.hypot(file - (board.files - 1) / 2, rank - (board.ranks - 1) / 2 + 0.1);
  const far = board.squares.map((square) => distance(square.file, square.rank));
  return far.indexOf(Math.min(...far));
}

function marksOf(diagram: Diagram, square: number): Mark[] {
  const quiet = new Set(diagram.quiet);
  const capture = new Set(diagram.capture);
  const marks: Mark[] = [{ square, kind: "from" }];
  for (const one of quiet) marks.push({ square: one, kind: capture.has(one) ? "both" : "move" });
  for (const one of capture) if (!quiet.has(one)) marks.push({ square: one, kind: "capture" });
  for (const one of diagram.first) marks.push({ square: one, kind: "promotion" });
  for (const one of diagram.over) marks.push({ square: one, kind: "area" });
  return marks;
}

const kept = new Map<string, Promise<Diagram>>();

function fetchDiagram(role: string, square: number, color: Color): Promise<Diagram> {
  const query = new URLSearchParams({ role, square: String(square), color });
  const path = `/api/variants/${board.variant}/diagram?${query}`;
  const known = kept.get(path) ?? send<Diagram>("GET", path);
  kept.set(path, known);
  known.catch(() => kept.delete(path));
  return known;
}

function Picture({ role, color }: { role: Role; color: Color }) {
  if (!role.glyph) return <span class={`letter ${color}`}>{role.letter}</span>;
  return (
    <svg viewBox="0 0 100 100" aria-hidden="true">
      <use href={`/men.svg#${role.glyph}-${color}`} />
    </svg>
  );
}

/** How many squares a man reaches, in words. */
function told(role: string, from: number, { quiet, capture, first, over }: Diagram): string {
  const count = new Set([...quiet, ...capture, ...first, ...over]).size;
  const man = board.roles.find((known) => known.id === role)?.name ?? role;
  const square = nameOf(from);
  if (count === 0) return t("rules.none", { square });
  return count === 1 ? t("rules.count_one", { man, square }) : t("rules.count", { man, square, count });
}

const LEGEND = ["move", "both", "capture", "first", "over"] as const;

function kindsIn(diagram: Diagram): Record<(typeof LEGEND)[number], boolean> {
  const capture = new Set(diagram.capture);
  const quiet = new Set(diagram.quiet);
  return {
    move: diagram.quiet.some((square) => !capture.has(square)),
    both: diagram.quiet.some((square) => capture.has(square)),
    capture: diagram.capture.some((square) => !quiet.has(square)),
    first: diagram.first.length > 0,
    over: diagram.over.length > 0,
  };
}

/** The sign of a kind of move, as the board draws it. */
function Sign({ kind }: { kind: (typeof LEGEND)[number] }) {
  const dot = <circle cx="12" cy="12" r="3.4" />;
  const wedges = <path d="M5 5l4.2 1.6-2.6 2.6zM19 5l-1.6 4.2-2.6-2.6zM19 19l-4.2-1.6 2.6-2.6zM5 19l1.6-4.2 2.6 2.6z" />;
  return (
    <svg class={`sign ${kind}`} viewBox="0 0 24 24" aria-hidden="true">
      <rect class="cell" x="0.5" y="0.5" width="23" height="23" rx="2" />
      {(kind === "move" || kind === "both") && dot}
      {(kind === "capture" || kind === "both") && wedges}
      {kind === "first" && <path d="M5.5 12 12 6.5l6.5 5.5v3L12 9.5 5.5 15zM5.5 17.5 12 12l6.5 5.5v3L12 15l-6.5 5.5z" />}
      {kind === "over" && <rect class="field-sign" x="3" y="3" width="18" height="18" />}
    </svg>
  );
}

function Men() {
  const [role, setRole] = useState(board.roles[0]?.id ?? "");
  const [color, setColor] = useState<Color>("white");
  const [square, setSquare] = useState(middle);
  const [view, setView] = useState(board.view);
  // What is told belongs together: a man, its square, and where it may go from there.
  const [found, setFound] = useState<{ role: string; square: number; diagram: Diagram } | null>(null);
  const [fault, setFault] = useState("");
  const element = useRef<LozBoard>(null);
  // From anywhere to anywhere: a press on any square puts the man there.
  const everywhere = useMemo(
    () => board.squares.filter((_, to) => to !== square).map((other) => nameOf(square) + other.name),
    [square],
  );

  useLayoutEffect(() => {
    const shown = element.current;
    if (!shown) return;
    shown.board = board;
    shown.texts = boardTexts();
    const moved = (event: Event) => setSquare((event as CustomEvent<{ to: number }>).detail.to);
    shown.addEventListener("move", moved);
    return () => shown.removeEventListener("move", moved);
  }, []);

  // At once, so that the man is never another than the side whose men can be moved.
  useLayoutEffect(() => {
    const shown = element.current;
    if (!shown) return;
    shown.men = [{ square, role, color }];
    shown.turn = color;
    shown.destinations = everywhere;
    const takeInHand = () => shown.select(square);
    void shown.updated.then(takeInHand);
    // A press on the man itself, or beside the board, would let it go, and the next one would do nothing.
    const chosen = (event: Event) => {
      if ((event as CustomEvent<{ square: number | null }>).detail.square === null) queueMicrotask(takeInHand);
    };
    shown.addEventListener("select", chosen);
    return () => shown.removeEventListener("select", chosen);
  }, [square, role, color, everywhere]);

  useEffect(() => {
    let wanted = true;
    fetchDiagram(role, square, color).then(
      (diagram) => {
        if (!wanted) return;
        setFault("");
        setFound({ role, square, diagram });
        if (element.current) element.current.marks = marksOf(diagram, square);
      },
      (error: unknown) => wanted && setFault(inWords(error)),
    );
    return () => {
      wanted = false;
    };
  }, [square, role, color]);

  const kinds = kindsIn(found?.diagram ?? NOWHERE);
  return (
    <div class="men">
      <div class="men-choice">
        <fieldset class="field">
          <legend>{t("rules.man")}</legend>
          <div class="men-buttons">
            {board.roles.map((known) => (
              <label key={known.id} class="man">
                <input
                  type="radio"
                  name="role"
                  value={known.id}
                  checked={known.id === role}
                  onChange={() => setRole(known.id)}
                />
                <Picture role={known} color={color} />
                <span>{known.name}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <div class="pair">
          <fieldset class="field">
            <legend>{t("rules.color")}</legend>
            <div class="segments">
              {(["white", "black"] as const).map((side) => (
                <label key={side}>
                  <input type="radio" name="color" checked={side === color} onChange={() => setColor(side)} />
                  {t(`rules.${side}`)}
                </label>
              ))}
            </div>
          </fieldset>
          <fieldset class="field">
            <legend>{t("rules.view")}</legend>
            <div class="segments">
              {(["diamond", "square"] as const).map((way) => (
                <label key={way}>
                  <input type="radio" name="view" checked={way === view} onChange={() => setView(way)} />
                  {t(`rules.${way}`)}
                </label>
              ))}
            </div>
          </fieldset>
        </div>
        <p class="men-count" role="status">
          {found && told(found.role, found.square, found.diagram)}
        </p>
        <ul class="legend">
          {LEGEND.filter((kind) => kinds[kind]).map((kind) => (
            <li key={kind}>
              <Sign kind={kind} /> {t(`rules.${kind}`)}
            </li>
          ))}
        </ul>
        <p class="fault" role="alert">
          {fault}
        </p>
        <p class="hint">{t("rules.hint")}</p>
      </div>
      <div class="men-board">
        <loz-board ref={element} sprite="/men.svg" movable={color} view={view} show-destinations="off" hover-reach="off" />
      </div>
    </div>
  );
}

const root = document.getElementById("men");
if (root) {
  root.replaceChildren();
  render(
    <>
      <p>{root.dataset.lead}</p>
      <Men />
    </>,
    root,
  );
}
