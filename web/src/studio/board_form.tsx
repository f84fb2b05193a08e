/** The form for what is drawn: paint holes, place the start, join edges. Each click changes the text of the file. */
import { useState } from "preact/hooks";
import { COLORS, colorsOf, isMulti, WHITE_AND_BLACK } from "../board/colors.ts";
import type { Board, Color, Role } from "../board/index.ts";
import { send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { t } from "../common/texts.ts";
import { Choices } from "../home/form_fields.tsx";
import { PieceSymbol } from "../common/piece_symbol.tsx";
import {
  boardRows,
  type Cell,
  drawingOf,
  placePiece,
  setWrap,
  startCells,
  toggleHole,
  insertBoard,
  type Wrap,
  wrapOf,
  WRAPS,
} from "./forms.ts";

/** The tool in use: a click paints holes, or puts a piece (as in FEN; empty for none). */
type Tool = "hole" | "empty" | `piece ${string}`;

const isOfTwo = (color: Color): boolean => WHITE_AND_BLACK.some((one) => one === color);

/** A kind of piece of a color as in FEN: of three and four players the letter of the owner comes first. */
const fenOf = (role: Role, color: Color): string =>
  color === "white" ? role.letter : color === "black" ? role.letter.toLowerCase() : color.charAt(0) + role.letter;

/** The pieces of a file. */
const piecesOf = (roles: readonly Role[], colors: readonly Color[]): readonly (readonly [Tool, string, string])[] =>
  roles.flatMap((role) =>
    colors.map((color) => {
      const piece = fenOf(role, color);
      return [`piece ${piece}` as const, piece, pieceName(piece, roles)] as const;
    }),
  );

/** The color of a piece as in FEN; null of one without an owner. */
function colorOf(piece: string): Color | null {
  if (piece.length < 2) return piece === piece.toUpperCase() ? "white" : "black";
  return COLORS.find((color) => !isOfTwo(color) && color.startsWith(piece.charAt(0))) ?? null;
}

const roleOf = (piece: string, roles: readonly Role[]): Role | undefined => roles.find((one) => one.letter === piece.slice(-1).toUpperCase());

/** A piece as in FEN, in words. */
function pieceName(piece: string, roles: readonly Role[]): string {
  const [role, color] = [roleOf(piece, roles), colorOf(piece)];
  return role && color ? `${t(`studio.${color}`)}: ${role.name}` : piece;
}

/** A piece as in FEN: drawn, or its letters where the file has no such piece yet. */
function Piece({ piece, roles }: { piece: string; roles: readonly Role[] }) {
  const [role, color] = [roleOf(piece, roles), colorOf(piece)];
  if (!role || !color) return <>{piece}</>;
  return <PieceSymbol role={role} color={color} />;
}

interface FormProps {
  text: string;
  board: Board | null;
  change: (text: string) => void;
}

/** Shown while the file has no board of its own: a button writes the board of the extended game into it. */
function NoBoard({ text, board, change }: FormProps) {
  const [fault, setFault] = useState("");
  const inherits = /^[ \t]*extends[ \t]*=/m.test(text) && !/^[ \t]*squares[ \t]*=/m.test(text);
  if (!board || !inherits) return <p class="notice">{t("studio.no_form")}</p>;
  const write = (): void => {
    const drawing = drawingOf(board.files, board.ranks, new Set(board.squares.map(({ name }) => name)));
    send<{ fen: string }>("POST", "/api/positions", { variant: board.variant }).then(
      ({ fen }) => change(insertBoard(text, drawing, fen)),
      (error: unknown) => setFault(errorText(error)),
    );
  };
  return (
    <div class="board-form">
      <p class="notice">{t("studio.inherited_board")}</p>
      <button class="button" type="button" onClick={write}>
        {t("studio.own_board")}
      </button>
      <p class="fault" role="alert">
        {fault}
      </p>
    </div>
  );
}

export function BoardForm({ text, board, change }: FormProps) {
  const [tool, setTool] = useState<Tool>("hole");
  const [placesBoth, setPlacesBoth] = useState(true);
  const colors = colorsOf(board?.players);
  const rows = boardRows(text);
  const cells = startCells(text);
  if (!rows) return <NoBoard text={text} board={board} change={change} />;
  const width = rows[0]?.text.length ?? 0;
  const hasStart = cells?.length === rows.length && cells.every((row) => row.length === width);
  const name = ({ column, row }: Cell): string => `${String.fromCharCode(97 + column)}${rows.length - row}`;
  const press = (cell: Cell): void => {
    if (tool === "hole") change(toggleHole(text, cell));
    else change(placePiece(text, cell, tool === "empty" ? "" : tool.slice(6), placesBoth));
  };
  const tools: readonly (readonly [Tool, string, string])[] = [
    ["hole", t("studio.hole"), t("studio.hole")],
    ...(hasStart ? ([["empty", t("studio.empty"), t("studio.empty")], ...piecesOf(board?.roles ?? [], colors)] as const) : []),
  ];
  return (
    <div class="board-form">
      <div class="chips" role="group" aria-label={t("studio.tool")}>
        {tools.map(([value, label, title]) => (
          <button key={value} type="button" class="chip" title={title} aria-label={title} aria-pressed={value === tool} onClick={() => setTool(value)}>
            {value.startsWith("piece ") ? <Piece piece={label} roles={board?.roles ?? []} /> : label}
          </button>
        ))}
      </div>
      {tool !== "hole" && (
        <label class="check">
          <input type="checkbox" checked={placesBoth} onChange={(event) => setPlacesBoth(event.currentTarget.checked)} />
          {t(isMulti(board?.players) ? "studio.other_sides" : "studio.both_sides")}
        </label>
      )}
      <div class="cells">
        {rows.map((row, at) => (
          <div class="cells-row" key={row.from}>
            {[...row.text].map((mark, column) => {
              const piece = hasStart ? (cells?.[at]?.[column] ?? "") : "";
              const pieceLetter = mark === "*" ? "" : piece;
              return (
                <button
                  key={name({ column, row: at })}
                  type="button"
                  class={`cell ${mark === "*" ? "hole" : (at + column + rows.length) % 2 === 0 ? "light" : "dark"}`}
                  aria-label={`${name({ column, row: at })}${mark === "*" ? `, ${t("studio.hole")}` : pieceLetter && `, ${pieceName(pieceLetter, board?.roles ?? [])}`}`}
                  onClick={() => press({ column, row: at })}
                >
                  {pieceLetter && <Piece piece={pieceLetter} roles={board?.roles ?? []} />}
                </button>
              );
            })}
          </div>
        ))}
      </div>
      <Choices<Wrap>
        name="wrap"
        title={t("studio.wrap")}
        values={WRAPS.map((wrap) => [wrap, t(`studio.wrap_${wrap}`)] as const)}
        chosen={wrapOf(text)}
        choose={(wrap) => change(setWrap(text, wrap))}
      />
    </div>
  );
}
