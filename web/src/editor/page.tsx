/** The editor: a board to set a position up on, with its faults as it is edited. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { colorsOf, isMulti } from "../board/colors.ts";
import type { InspectTrigger, LozBoard } from "../board/index.ts";
import { viewOf } from "../common/board_view.ts";
import type { Board, Piece, PieceColor, Role } from "../board/types.ts";
import { type Schemas, send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { ColorSign } from "../common/color_sign.tsx";
import { inspect } from "../common/inspect.ts";
import { pageData } from "../common/page.ts";
import { PieceSymbol } from "../common/piece_symbol.tsx";
import { listen } from "./input.ts";
import { movePiece, pieceColorsOf, togglePiece, readFen, readStart, rightsOf, type Setup, swapColor, removePiece, toggleOut, writeFen } from "./setup.ts";
import { isText, t } from "./texts.ts";

type Start = Schemas["EditorStart"];
type Fault = Schemas["PositionFault"];

/** The tool in use: a press moves pieces, removes them, or places one. */
type Tool = "hand" | "trash" | { role: string; color: PieceColor };

/** Wait before a request for faults, in milliseconds. */
const DEBOUNCE_MS = 150;

export function EditorPage({ board, start }: { board: LozBoard; start: Start }) {
  const geometry = board.board;
  if (!geometry) throw new Error("expected a board");
  const first = useMemo(() => readStart(geometry, start.fen, start.start_fen), [geometry, start]);
  const [setup, setSetup] = useState<Setup>(first.setup);
  const [tool, setTool] = useState<Tool>("hand");
  /** The square whose piece has been taken up by a tap: the next tap puts it down. */
  const [held, setHeld] = useState<number | null>(null);
  const [turns, setTurns] = useState(0);
  const hasSeats = isMulti(geometry.players);
  const [view, setView] = useState(() => viewOf(start.variant, geometry));
  const [announcement, announce] = useState("");
  const fen = useMemo(() => writeFen(geometry, setup), [geometry, setup]);
  /** The text of the FEN field while it differs from the FEN of the position on the board. */
  const [text, setText] = useState<string | null>(first.text);
  const { faults, isChecked } = useFaults(start.variant, text ?? fen);
  const container = useRef<HTMLDivElement>(null);
  const choose = (tool: Tool): void => {
    setHeld(null);
    setTool(tool);
  };
  const setPieces = (change: (pieces: readonly Piece[]) => Piece[]): void => {
    setText(null);
    setSetup((previous) => ({ ...previous, pieces: change(previous.pieces) }));
  };

  const current = useRef({ tool, held, pieces: setup.pieces });
  current.current = { tool, held, pieces: setup.pieces };
  const announceChange = (square: number, piece: Tool | null): void => {
    const name = geometry.squares[square]?.name ?? "";
    announce(typeof piece === "object" && piece ? t("placed", { piece: pieceName(geometry.roles, piece), square: name }) : t("removed", { square: name }));
  };
  useLayoutEffect(() => {
    container.current?.prepend(board);
    return listen(board, {
      press: (square) => {
        const selectedTool = current.current.tool;
        if (selectedTool === "hand") return true;
        if (selectedTool === "trash") setPieces((pieces) => removePiece(pieces, square));
        else setPieces((pieces) => togglePiece(pieces, { ...selectedTool, square }));
        announceChange(square, selectedTool === "trash" ? null : selectedTool);
        return false;
      },
      paint: (square) => {
        const selectedTool = current.current.tool;
        if (selectedTool === "trash") setPieces((pieces) => removePiece(pieces, square));
        else if (selectedTool !== "hand") setPieces((pieces) => [...removePiece(pieces, square), { ...selectedTool, square }]);
      },
      drag: (from, to) => {
        setHeld(null);
        setPieces((pieces) => movePiece(pieces, from, to));
      },
      tap: (square) => {
        const { held, pieces } = current.current;
        const pieceOn = (square: number | null) => pieces.find((piece) => piece.square === square);
        const [moved, there] = [pieceOn(held), pieceOn(square)];
        if (held === null || !moved) {
          setHeld(there ? square : null);
          if (there) announce(t("taken_up", { piece: pieceName(geometry.roles, there), square: geometry.squares[square]?.name ?? "" }));
          return;
        }
        setHeld(null);
        if (square === held) return;
        setPieces((pieces) => movePiece(pieces, held, square));
        announceChange(square, moved);
      },
      swap: (square) => setPieces((pieces) => swapColor(pieces, square, pieceColorsOf(geometry))),
      remove: (square) => {
        setPieces((pieces) => removePiece(pieces, square));
        announceChange(square, null);
      },
    });
  }, [board]);

  useLayoutEffect(() => {
    board.pieces = setup.pieces;
    board.turns = turns;
    // The border of a board of more than two is of the player to move.
    if (hasSeats) board.turn = setup.turn;
    board.view = view;
    board.marks = held !== null && setup.pieces.some(({ square }) => square === held) ? [{ square: held, kind: "from" }] : [];
    board.hints = faults.flatMap(({ squares }) => squares.map((square) => ({ from: square, to: square, brush: "red" as const })));
    void board.updated.then(() => container.current?.closest<HTMLElement>(".a-page")?.style.setProperty("--a-aspect", String(board.aspect)));
  });

  const readText = (typed: string): void => {
    setText(typed);
    // An unfinished text stays as it is typed.
    const read = readFen(geometry, typed);
    if (writeFen(geometry, read) !== typed.trim()) return;
    setSetup(read);
    setText(null);
  };
  const change = (part: Partial<Setup>): void => {
    setText(null);
    setSetup({ ...setup, ...part });
  };
  const isValid = isChecked && faults.length === 0;
  // A valid FEN in another form than this page writes, for example without counters.
  useEffect(() => {
    if (text !== null && isValid) setSetup(readFen(geometry, text));
  }, [text, isValid]);
  // The address leads to the position on the board; one that cannot be read stays beside its faults.
  const isOnBoard = text === null || isValid;
  useEffect(() => {
    if (!isOnBoard) return;
    history.replaceState(null, "", `/editor?${new URLSearchParams({ variant: start.variant, fen })}`);
  }, [fen, isOnBoard]);
  const query = new URLSearchParams({ variant: start.variant, fen });
  return (
    <div class="a-page e-page">
      <Header start={start} />
      <div class="a-board">
        <div class="a-stage" ref={container} role="region" aria-label={t("board")} />
      </div>
      <div class="a-panel">
        <Palette board={board} geometry={geometry} tool={tool} setTool={choose} />
        <p class="a-quiet">{t("help")}</p>
        <div class="a-tools">
          <button type="button" class="a-tool" onClick={() => change(readFen(geometry, start.start_fen))}>{t("start")}</button>
          <button type="button" class="a-tool" onClick={() => change({ pieces: [], rights: "", enPassant: "-", moved: "", out: [] })}>{t("clear")}</button>
          <button type="button" class="a-tool" onClick={() => setTurns((turns + (hasSeats ? 1 : 2)) % 4)}>{t("flip")}</button>
          <button type="button" class="a-tool" onClick={() => setView(view === "diamond" ? "square" : "diamond")}>{t("view")}</button>
        </div>
        <Fields setup={setup} geometry={geometry} rights={rightsOf(geometry, start.rights)} change={change} />
        <label class="a-form">
          {t("fen")}
          <input
            type="text"
            spellcheck={false}
            value={text ?? fen}
            aria-invalid={faults.length > 0 ? "true" : undefined}
            onInput={(event) => readText(event.currentTarget.value)}
          />
        </label>
        <Faults faults={faults} isChecked={isChecked} geometry={geometry} />
        <div class="g-answers">
          <LinkButton isEnabled={isValid} href={`/analysis?${query}`} label={t("analyze")} />
          <LinkButton isEnabled={isValid} href={`/?${query}`} label={t("play")} />
        </div>
      </div>
      <p class="unseen" role="status">{announcement}</p>
    </div>
  );
}

function Header({ start }: { start: Start }) {
  const variants = useMemo(() => pageData<Schemas["GameName"][]>("variants"), []);
  return (
    <header class="a-about">
      <h1>{t("title")}</h1>
      {variants.some(({ id }) => id === start.variant) ? (
        <label>
          <span class="unseen">{t("game")}</span>
          <select value={start.variant} onChange={(event) => location.assign(`/editor?variant=${event.currentTarget.value}`)}>
            {variants.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </select>
        </label>
      ) : (
        <p>{start.variant_name}</p>
      )}
    </header>
  );
}

/** All faults of a position, requested a moment after each change. */
function useFaults(variant: string, fen: string): { faults: Fault[]; isChecked: boolean } {
  const [result, setResult] = useState<{ fen: string; faults: Fault[] }>({ fen: "", faults: [] });
  useEffect(() => {
    let isStale = false;
    const timer = setTimeout(() => {
      send<Schemas["PositionFaults"]>("POST", "/api/positions/faults", { variant, fen })
        .then(({ faults }) => !isStale && setResult({ fen, faults }))
        .catch((error: unknown) => {
          if (!isStale) setResult({ fen, faults: [{ code: "board", message: errorText(error), squares: [] }] });
        });
    }, DEBOUNCE_MS);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [variant, fen]);
  return { faults: result.faults, isChecked: result.fen === fen };
}

function Faults({ faults, isChecked, geometry }: { faults: Fault[]; isChecked: boolean; geometry: Board }) {
  const faultText = ({ code, message, squares }: Fault): string => {
    const general = code === "en_passant" && squares.length === 0 ? "fault_en_passant_nowhere" : `fault_${code}`;
    const ofSeats = `${general}_multi`;
    const key = isMulti(geometry.players) && isText(ofSeats) ? ofSeats : general;
    const names = squares.map((square) => geometry.squares[square]?.name ?? "").join(", ");
    return isText(key) ? t(key, { squares: names, message }) : message;
  };
  return (
    <div class="e-faults" role="status" aria-label={t("faults")}>
      {faults.length === 0 ? (
        <p class="e-good">{isChecked ? t("good") : ""}</p>
      ) : (
        <ul>{[...new Set(faults.map(faultText))].map((text) => <li key={text}>{text}</li>)}</ul>
      )}
    </div>
  );
}

function LinkButton({ isEnabled, href, label }: { isEnabled: boolean; href: string; label: string }) {
  if (isEnabled) return <a class="g-button g-good" href={href}>{label}</a>;
  return <button type="button" class="g-button" disabled>{label}</button>;
}

const pieceName = (roles: readonly Role[], { role, color }: { role: string; color: PieceColor }): string =>
  t(`piece_${color}`, { role: roles.find(({ id }) => id === role)?.name ?? role });

interface PaletteProps {
  board: LozBoard;
  geometry: Board;
  tool: Tool;
  setTool: (tool: Tool) => void;
}

function Palette({ board, geometry, tool, setTool }: PaletteProps) {
  const { roles } = geometry;
  const isSelected = (role: string, color: PieceColor): boolean => typeof tool === "object" && tool.role === role && tool.color === color;
  return (
    <div class="e-palette" role="group" aria-label={t("pieces")}>
      <div>
        <button type="button" class="a-tool" aria-pressed={tool === "hand"} onClick={() => setTool("hand")}>{t("hand")}</button>
        <button type="button" class="a-tool" aria-pressed={tool === "trash"} onClick={() => setTool("trash")}>{t("trash")}</button>
      </div>
      {pieceColorsOf(geometry).map((color) => (
        <div key={color}>
          {/* A dead King leaves the board. */}
          {roles.filter(({ royal }) => color !== "dead" || !royal).map((role) => (
            <PaletteButton
              key={role.id}
              board={board}
              role={role}
              color={color}
              name={pieceName(roles, { role: role.id, color })}
              isSelected={isSelected(role.id, color)}
              select={() => setTool({ role: role.id, color })}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** How long the mouse rests on a piece before it is explained, and how long a finger is held on it, as on boards. */
const HOVER_MS = 900;
const HOLD_MS = 500;

interface PaletteButtonProps {
  board: LozBoard;
  role: Role;
  color: PieceColor;
  name: string;
  isSelected: boolean;
  select: () => void;
}

/** A piece to be placed; it is explained by rest, by a held finger, and by `?`. */
function PaletteButton({ board, role, color, name, isSelected, select }: PaletteButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const explain = (trigger: InspectTrigger): void => {
    const box = button.current?.getBoundingClientRect();
    if (!box || color === "dead") return;
    const center = [box.left + box.width / 2, box.top + box.height / 2] as const;
    void inspect(board, { piece: { square: null, role: role.id, color }, trigger, center, radius: box.height / 2 });
  };
  const wait = (trigger: InspectTrigger, ms: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => explain(trigger), ms);
  };
  const leave = (): void => {
    clearTimeout(timer.current);
    void inspect(board, null);
  };
  return (
    <button
      ref={button}
      type="button"
      class="e-piece"
      aria-label={name}
      aria-pressed={isSelected}
      onClick={select}
      onPointerEnter={(event) => event.pointerType === "mouse" && wait("mouse", HOVER_MS)}
      onPointerDown={(event) => event.pointerType === "touch" && wait("finger", HOLD_MS)}
      onPointerUp={() => clearTimeout(timer.current)}
      onPointerCancel={() => clearTimeout(timer.current)}
      onPointerLeave={(event) => (event.pointerType === "mouse" ? leave() : clearTimeout(timer.current))}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== "?") return;
        event.preventDefault();
        explain("key");
      }}
      onBlur={leave}
    >
      <PieceSymbol role={role} color={color} />
    </button>
  );
}

interface FieldsProps {
  setup: Setup;
  geometry: Board;
  /** All castling rights of the game. */
  rights: readonly string[];
  change: (part: Partial<Setup>) => void;
}

function Fields({ setup, geometry, rights, change }: FieldsProps) {
  const [colors, hasSeats] = [colorsOf(geometry.players), isMulti(geometry.players)];
  const held = rightsOf(geometry, setup.rights);
  const toggle = (right: string): void => {
    const enabled = rights.filter((other) => (other === right ? !held.includes(other) : held.includes(other)));
    change({ rights: enabled.join("") });
  };
  const number = (name: "halfmove" | "fullmove", least: number) => (
    <label>
      {t(name)}
      <input
        type="number"
        min={least}
        max={9999}
        value={setup[name]}
        onChange={(event) => change({ [name]: Math.max(least, Math.min(9999, Number(event.currentTarget.value) || least)) })}
      />
    </label>
  );
  const text = (name: "enPassant" | "moved", label: "en_passant" | "moved") => (
    <label>
      {t(label)}
      <input type="text" maxLength={200} spellcheck={false} value={setup[name]} onInput={(event) => change({ [name]: event.currentTarget.value })} />
    </label>
  );
  return (
    <div class="e-fields">
      <fieldset>
        <legend>{t("turn")}</legend>
        {colors.map((color) => (
          <label key={color}>
            <input
              type="radio"
              name="turn"
              checked={setup.turn === color}
              disabled={setup.out.includes(color)}
              onChange={() => change({ turn: color })}
            />
            {hasSeats && <ColorSign color={color} />} {t(color)}
          </label>
        ))}
      </fieldset>
      {hasSeats && (
        <fieldset>
          <legend>{t("out")}</legend>
          {colors.map((color) => {
            const number = setup.out.indexOf(color) + 1;
            return (
              <label key={color}>
                <input
                  type="checkbox"
                  aria-label={number > 0 ? t("out_number", { player: t(color), number }) : t(color)}
                  checked={number > 0}
                  onChange={() => change(toggleOut(geometry, setup, color))}
                />
                <ColorSign color={color} /> {t(color)}{number > 0 && ` ${number}.`}
              </label>
            );
          })}
        </fieldset>
      )}
      {rights.length > 0 && (
        <fieldset>
          <legend>{t("rights")}</legend>
          {rights.map((right) => (
            <label key={right}>
              <input type="checkbox" aria-label={t("right", { right })} checked={held.includes(right)} onChange={() => toggle(right)} />
              {right}
            </label>
          ))}
        </fieldset>
      )}
      <details>
        <summary>{t("more")}</summary>
        <div class="e-more">
          {text("enPassant", "en_passant")}
          {number("halfmove", 0)}
          {number("fullmove", 1)}
          {!hasSeats && text("moved", "moved")}
        </div>
      </details>
    </div>
  );
}
