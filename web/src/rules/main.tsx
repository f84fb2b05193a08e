/** The rules page: a live board for every piece. */
import "../common/every.ts";
import "../../styles/pages.css";
import "../board/index.ts";
import { render } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { colorsOf } from "../board/colors.ts";
import type { Board, Color, LozBoard, Role } from "../board/index.ts";
import { pageData } from "../common/page.ts";
import { errorText } from "../common/errors.ts";
import { boardTexts } from "../common/board_texts.ts";
import { sprite } from "../common/settings.ts";
import { addTexts, t } from "../common/texts.ts";
import { type Diagram, fetchDiagram, marksOf, reachedSquares } from "./diagram.ts";

addTexts({
  "rules.color": "Color",
  "rules.white": "White",
  "rules.black": "Black",
  "rules.red": "Red",
  "rules.blue": "Blue",
  "rules.yellow": "Yellow",
  "rules.green": "Green",
  "rules.move": "can only move there",
  "rules.both": "can move and capture there",
  "rules.capture": "can only capture there",
  "rules.first": "as its first move",
  "rules.over": "by jumping over a piece",
  "rules.none": "No moves from {square}.",
  "rules.count": "{piece} on {square}: {count} squares",
  "rules.count_one": "{piece} on {square}: 1 square",
  "rules.from": "Examples:",
  "rules.view": "View",
  "rules.diamond": "Diamond",
  "rules.square": "Square",
});

const board = pageData<Board>("board");

const nameOf = (square: number): string => board.squares[square]?.name ?? "";

/** The number of squares that a piece reaches, in words. */
function countText({ name: piece }: Role, from: number, diagram: Diagram): string {
  const count = reachedSquares(diagram).length;
  const square = nameOf(from);
  if (count === 0) return t("rules.none", { square });
  return count === 1 ? t("rules.count_one", { piece, square }) : t("rules.count", { piece, square, count });
}

const LEGEND = ["move", "both", "capture", "first", "over"] as const;

/** The mark of a kind of move, as on the board. */
function MarkSign({ kind }: { kind: (typeof LEGEND)[number] }) {
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

interface BoardSettings {
  color: Color;
  view: Board["view"];
}

/** The colors of the game's pieces, in the order of the turns. */
const COLORS = colorsOf(board.players);

/** The settings above the first board, for all boards of the page. */
const settings: BoardSettings = { color: COLORS[0] ?? "white", view: board.view };
const subscribers = new Set<() => void>();

function useSettings(): BoardSettings {
  const [, redraw] = useState(0);
  useEffect(() => {
    const redrawOne = () => redraw((count) => count + 1);
    subscribers.add(redrawOne);
    return () => void subscribers.delete(redrawOne);
  }, []);
  return settings;
}

function changeSettings(change: Partial<BoardSettings>): void {
  Object.assign(settings, change);
  for (const redrawOne of subscribers) redrawOne();
}

/** The legend and the settings. */
function Controls({ lead, marks }: { lead: string; marks: readonly string[] }) {
  const { color, view } = useSettings();
  return (
    <>
      <p>{lead}</p>
      <div class="pieces-controls">
        <ul class="legend">
          {LEGEND.filter((kind) => marks.includes(kind)).map((kind) => (
            <li key={kind}>
              <MarkSign kind={kind} /> {t(`rules.${kind}`)}
            </li>
          ))}
        </ul>
        <div class="pair">
          <fieldset class="field">
            <legend>{t("rules.color")}</legend>
            <div class="segments">
              {COLORS.map((side) => (
                <label key={side}>
                  <input type="radio" name="color" checked={side === color} onChange={() => changeSettings({ color: side })} />
                  {t(`rules.${side}`)}
                </label>
              ))}
            </div>
          </fieldset>
          <fieldset class="field">
            <legend>{t("rules.view")}</legend>
            <div class="segments">
              {(["diamond", "square"] as const).map((value) => (
                <label key={value}>
                  <input type="radio" name="view" checked={value === view} onChange={() => changeSettings({ view: value })} />
                  {t(`rules.${value}`)}
                </label>
              ))}
            </div>
          </fieldset>
        </div>
      </div>
    </>
  );
}

/** A piece on its board. `examples` are squares from which it moves differently. */
function Piece({ role, examples }: { role: Role; examples: readonly number[] }) {
  const { color, view } = useSettings();
  const [square, setSquare] = useState(examples[0] ?? 0);
  // One state, since square and moves belong together.
  const [result, setResult] = useState<{ square: number; diagram: Diagram } | null>(null);
  const [fault, setFault] = useState("");
  // Screen readers announce only boards that are used.
  const [isUsed, setUsed] = useState(false);
  const element = useRef<LozBoard>(null);
  const destinations = useMemo(
    () => board.squares.filter((_, to) => to !== square).map((other) => nameOf(square) + other.name),
    [square],
  );

  useLayoutEffect(() => {
    const boardElement = element.current;
    if (!boardElement) return;
    boardElement.board = board;
    boardElement.texts = boardTexts();
    boardElement.announcesMoves = false;
    const onMove = (event: Event) => setSquare((event as CustomEvent<{ to: number }>).detail.to);
    boardElement.addEventListener("move", onMove);
    return () => boardElement.removeEventListener("move", onMove);
  }, []);

  useLayoutEffect(() => {
    const boardElement = element.current;
    if (!boardElement) return;
    boardElement.pieces = [{ square, role: role.id, color }];
    boardElement.turn = color;
    boardElement.destinations = destinations;
  }, [square, role, color, destinations]);

  useEffect(() => {
    let isCurrent = true;
    fetchDiagram(board.variant, role.id, square, color).then(
      (diagram) => {
        if (!isCurrent) return;
        setFault("");
        setResult({ square, diagram });
        const boardElement = element.current;
        if (!boardElement) return;
        boardElement.marks = marksOf(diagram, square);
        boardElement.reach = board.squares.map((_, from) => (from === square ? reachedSquares(diagram) : []));
      },
      (error: unknown) => isCurrent && setFault(errorText(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [square, role, color]);

  return (
    <div onFocusIn={() => setUsed(true)} onPointerDown={() => setUsed(true)}>
      <loz-board
        ref={element}
        sprite={sprite()}
        movable={color}
        view={view}
        placing
        show-destinations="off"
        hover-reach="off"
      />
      <p class="pieces-count" role={isUsed ? "status" : undefined}>
        {result && countText(role, result.square, result.diagram)}
      </p>
      {examples.length > 1 && (
        <p class="examples">
          {t("rules.from")}{" "}
          {examples.map((example) => (
            <button
              key={example}
              type="button"
              class="chip"
              aria-pressed={example === square}
              onClick={() => setSquare(example)}
            >
              {nameOf(example)}
            </button>
          ))}
        </p>
      )}
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

/** The distance from the viewport at which boards are drawn. */
const MARGIN = "400px";

/** Draws boards when they come near the viewport, because a game can have many pieces. */
function drawPieces(): void {
  const numbers = new Map(board.squares.map(({ name }, number) => [name, number]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const section = target.closest<HTMLElement>(".piece");
        const role = board.roles.find(({ letter }) => letter === section?.dataset.letter);
        if (!isIntersecting || !section || !role) continue;
        observer.unobserve(target);
        const names = section.dataset.squares?.split(" ") ?? [];
        const examples = names.map((name) => numbers.get(name)).filter((square) => square !== undefined);
        target.replaceChildren();
        render(<Piece role={role} examples={examples} />, target);
      }
    },
    { rootMargin: MARGIN },
  );
  for (const place of document.querySelectorAll(".piece-board")) observer.observe(place);
}

/** Boards that have not been drawn are printed in letters, as pages without script show them: a print waits for no answer. */
function printLetters(): void {
  for (const letters of document.querySelectorAll(".piece-board > noscript")) {
    letters.replaceWith(document.createRange().createContextualFragment(letters.textContent));
  }
}

const root = document.getElementById("pieces");
if (root) {
  const { lead = "", marks = "" } = root.dataset;
  root.replaceChildren();
  render(<Controls lead={lead} marks={marks.split(" ")} />, root);
  drawPieces();
  addEventListener("beforeprint", printLetters);
}

if (document.getElementById("community")) void import("../gallery/community.tsx");
