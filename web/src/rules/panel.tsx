/** The rules of a game in a panel beside the board, on a phone in a sheet below it. The game goes on meanwhile. */
import "../../styles/piece_card.css";
import "../../styles/rules_panel.css";
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { colorsOf } from "../board/colors.ts";
import type { Board } from "../board/index.ts";
import { errorText } from "../common/errors.ts";
import { addTexts, t } from "../common/texts.ts";
import { Cross } from "../game/icons.tsx";
import { fetchDiagram } from "./diagram.ts";
import { fetchRules, type GameRules, type PieceRules, rulesOf } from "./game_rules.ts";
import { PieceDrawing } from "./piece_drawing.ts";

addTexts({
  "panel.title": "Rules of {name}",
  "panel.pieces": "The pieces",
  "panel.close": "Close the rules",
  "panel.from": "From:",
  "panel.all": "The rules on a page of their own",
});

/** The open panel. */
let container: HTMLElement | null = null;
let opener: Element | null = null;

/** Opens the panel, or closes it; returns whether it is open. `onClose` is called when the user closes it. */
export function togglePanel(board: Board, onClose: () => void): boolean {
  if (container) {
    close();
    return false;
  }
  opener = document.activeElement;
  container = document.createElement("div");
  document.body.append(container);
  const onUserClose = (): void => {
    close();
    onClose();
  };
  render(<Panel board={board} close={onUserClose} />, container);
  return true;
}

function close(): void {
  if (!container) return;
  const hadFocus = container.contains(document.activeElement);
  render(null, container);
  container.remove();
  container = null;
  if (hadFocus && opener instanceof HTMLElement) opener.focus();
}

/** As wide as all that stands beside the board, so that it leaves the board in sight and cuts nothing else. */
function panelWidth(): string {
  const side = document.querySelector(".g-panel, .a-panel")?.getBoundingClientRect();
  return side && side.left > 0 ? `${document.documentElement.clientWidth - side.left + 4}px` : "";
}

function Panel({ board, close }: { board: Board; close: () => void }) {
  const [rules, setRules] = useState<GameRules | null>(null);
  const [fault, setFault] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const fit = (): void => panel.current?.style.setProperty("--panel-width", panelWidth());
    fit();
    addEventListener("resize", fit);
    return () => removeEventListener("resize", fit);
  }, []);
  const sections = useRef<HTMLDivElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    fetchRules(board).then(setRules, (error: unknown) => setFault(errorText(error)));
  }, [board]);
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys that scroll the text do not also step through the moves.
    event.stopPropagation();
    if (event.key === "Escape") close();
  };
  const show = (index: number): void => sections.current?.querySelectorAll("section.chapter")[index]?.scrollIntoView();
  const titles = rules ? [t("panel.pieces"), ...rules.chapters.map(({ heading }) => heading)] : [];
  return (
    <aside class="rules-panel" ref={panel} aria-labelledby="rules-panel-title" onKeyDown={onKeyDown}>
      <header>
        <h2 id="rules-panel-title" ref={heading} tabIndex={-1}>{t("panel.title", { name: board.name })}</h2>
        <button type="button" aria-label={t("panel.close")} title={t("panel.close")} onClick={close}>
          <Cross />
        </button>
        <nav>
          {titles.map((title, index) => (
            <button key={title} type="button" class="chip" onClick={() => show(index)}>{title}</button>
          ))}
        </nav>
      </header>
      {/* A region that scrolls can be focused. */}
      <div class="rules-panel-text" ref={sections} tabIndex={0} role="group" aria-labelledby="rules-panel-title">
        {fault && <p class="fault" role="alert">{fault}</p>}
        {rules && (
          <section class="chapter">
            <h3>{t("panel.pieces")}</h3>
            {rules.pieces.map((piece) => <Piece key={piece.role} board={board} rules={piece} />)}
          </section>
        )}
        {rules?.chapters.map(({ heading, points }) => (
          <section key={heading} class="chapter">
            <h3>{heading}</h3>
            <ul>{points.map((point) => <li key={point}>{point}</li>)}</ul>
          </section>
        ))}
        <p>
          {/* In a tab of its own: a clock may run. */}
          <a href={`/rules/${rulesOf(board)}`} target="_blank" rel="noopener">{t("panel.all")}</a>
        </p>
      </div>
    </aside>
  );
}

function Piece({ board, rules }: { board: Board; rules: PieceRules }) {
  const [square, setSquare] = useState(rules.squares[0] ?? 0);
  return (
    <section class="rules-panel-piece">
      <div>
        <h4>{rules.name}</h4>
        <p>{rules.moves.join(" ")}</p>
        {rules.squares.length > 1 && (
          <p class="examples">
            {t("panel.from")}{" "}
            {rules.squares.map((example) => (
              <button key={example} type="button" class="chip" aria-pressed={example === square} onClick={() => setSquare(example)}>
                {board.squares[example]?.name}
              </button>
            ))}
          </p>
        )}
      </div>
      <Drawing board={board} role={rules.role} square={square} />
    </section>
  );
}

/** The moves of a piece, drawn when they come into sight, because a game can have many pieces. */
function Drawing({ board, role, square }: { board: Board; role: string; square: number }) {
  const place = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<PieceDrawing | null>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        setDrawing(new PieceDrawing());
      },
      { rootMargin: "200px" },
    );
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!drawing) return;
    place.current?.append(drawing.element);
    let isCurrent = true;
    const draw = async (): Promise<void> => {
      const color = colorsOf(board.players)[0] ?? "white";
      const diagram = await fetchDiagram(rulesOf(board), role, square, color);
      if (isCurrent) await drawing.show(board, { role, color, square, view: board.view, turns: 0 }, diagram);
    };
    // Without a drawing there are still the words beside it.
    draw().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [drawing, board, role, square]);
  return <div class="rules-panel-drawing" ref={place} aria-hidden="true" />;
}
