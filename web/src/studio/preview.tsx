/** The game beside its file: the board with the start, each piece's moves, the rules in sentences. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Board, Color, LozBoard } from "../board/index.ts";
import { boardTexts } from "../common/board_texts.ts";
import { errorText } from "../common/errors.ts";
import { sprite } from "../common/settings.ts";
import { Choices } from "../home/form_fields.tsx";
import { t } from "../common/texts.ts";
import { colorsOf } from "../board/colors.ts";
import { BoardForm } from "./board_form.tsx";
import { boardRows, type HeadKey, headText, setHeadText } from "./forms.ts";
import { PicturesForm } from "./pictures_form.tsx";
import { type Diagram, fetchDiagram, marksOf, reachedSquares } from "../rules/diagram.ts";

export type View = "board" | "draw" | "pictures" | "pieces" | "rules";

/** The start, as it will be drawn. */
function Start({ board }: { board: Board }) {
  const element = useRef<LozBoard>(null);
  useLayoutEffect(() => {
    const boardElement = element.current;
    if (!boardElement) return;
    boardElement.board = board;
    boardElement.texts = boardTexts();
    boardElement.pieces = board.start ?? [];
  }, [board]);
  return <loz-board ref={element} sprite={sprite()} movable="none" view={board.view} show-destinations="off" hover-reach="off" />;
}

/** A piece alone on the board, and where it goes. */
function Pieces({ board }: { board: Board }) {
  const [letter, setLetter] = useState(board.roles[0]?.letter ?? "");
  const [chosenColor, setColor] = useState<Color>("white");
  const [square, setSquare] = useState(-1);
  const [diagram, setDiagram] = useState<Diagram | null>(null);
  const [fault, setFault] = useState("");
  const element = useRef<LozBoard>(null);
  // Another version may be for other players.
  const colors = colorsOf(board.players);
  const color = colors.includes(chosenColor) ? chosenColor : (colors[0] ?? "white");
  const role = board.roles.find((one) => one.letter === letter) ?? board.roles[0];
  // A square of an earlier version may be gone: the piece stands where it starts, or in the middle.
  const first = board.start?.find((piece) => piece.role === role?.id && piece.color === color)?.square;
  const pieceSquare = square >= 0 && square < board.squares.length ? square : (first ?? Math.floor(board.squares.length / 2));

  useLayoutEffect(() => {
    const boardElement = element.current;
    if (!boardElement) return;
    const onMove = (event: Event) => setSquare((event as CustomEvent<{ to: number }>).detail.to);
    boardElement.addEventListener("move", onMove);
    return () => boardElement.removeEventListener("move", onMove);
  }, []);

  useLayoutEffect(() => {
    const boardElement = element.current;
    if (!boardElement || !role) return;
    boardElement.board = board;
    boardElement.texts = boardTexts();
    boardElement.announcesMoves = false;
    boardElement.pieces = [{ square: pieceSquare, role: role.id, color }];
    boardElement.turn = color;
    const from = board.squares[pieceSquare]?.name ?? "";
    boardElement.destinations = board.squares.filter((_, to) => to !== pieceSquare).map((other) => from + other.name);
  }, [board, role, pieceSquare, color]);

  useEffect(() => {
    if (!role) return;
    let isCurrent = true;
    fetchDiagram(board.variant, role.id, pieceSquare, color).then(
      (diagram) => {
        if (!isCurrent) return;
        setFault("");
        setDiagram(diagram);
        const boardElement = element.current;
        if (!boardElement) return;
        boardElement.marks = marksOf(diagram, pieceSquare);
        boardElement.reach = board.squares.map((_, from) => (from === pieceSquare ? reachedSquares(diagram) : []));
      },
      (error: unknown) => isCurrent && setFault(errorText(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [board, role, pieceSquare, color]);

  const name = board.squares[pieceSquare]?.name ?? "";
  const count = diagram ? reachedSquares(diagram).length : 0;
  return (
    <>
      <div class="chips" role="group" aria-label={t("studio.pieces")}>
        {board.roles.map((one) => (
          <button
            key={one.letter}
            type="button"
            class="chip"
            aria-pressed={one === role}
            onClick={() => {
              setLetter(one.letter);
              setSquare(-1);
            }}
          >
            {one.name}
          </button>
        ))}
      </div>
      <Choices<Color>
        name="piece-color"
        title={t("studio.color")}
        values={colors.map((one) => [one, t(`studio.${one}`)] as const)}
        chosen={color}
        choose={setColor}
      />
      <p class="hint">{t("studio.piece_hint")}</p>
      <loz-board
        ref={element}
        sprite={sprite()}
        movable={color}
        view={board.view}
        placing
        show-destinations="off"
        hover-reach="off"
      />
      <p class="pieces-count" role="status">
        {diagram && role
          ? count === 0
            ? t("studio.no_moves", { square: name })
            : t("studio.squares", { piece: role.name, square: name, count })
          : ""}
      </p>
      <p class="fault" role="alert">
        {fault}
      </p>
    </>
  );
}

/** The rules in sentences, from the page of the rules. */
function Rules({ variant }: { variant: string }) {
  const container = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    let isCurrent = true;
    fetch(`/rules/${variant}`)
      .then(async (response) => {
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        const rulesText = page.querySelector(".written");
        if (!isCurrent || !rulesText) return;
        for (const picture of rulesText.querySelectorAll(".piece-board, #pieces, noscript, img, h2")) picture.remove();
        setFault("");
        container.current?.replaceChildren(document.adoptNode(rulesText));
      })
      .catch((error: unknown) => isCurrent && setFault(errorText(error)));
    return () => {
      isCurrent = false;
    };
  }, [variant]);
  return (
    <>
      <div ref={container} class="rules" />
      <p class="fault" role="alert">
        {fault}
      </p>
    </>
  );
}

/** The properties of the game as a whole in the file. */
function HeadForm({ text, change }: { text: string; change: (text: string) => void }) {
  const field = (key: HeadKey) => {
    const value = headText(text, key);
    return (
      <label>
        {t(`studio.${key}`)}
        <input type="text" maxLength={100} disabled={value === null} value={value ?? ""} onInput={(event) => change(setHeadText(text, key, event.currentTarget.value))} />
      </label>
    );
  };
  return (
    <div class="head-form">
      {field("name")}
      {field("author")}
    </div>
  );
}

interface PreviewProps {
  text: string;
  change: (text: string) => void;
  board: Board | null;
  view: View;
  /** Whether the file has faults now: the board is an older one. */
  isOutdated: boolean;
}

export function Preview({ text, change, board, view, isOutdated }: PreviewProps) {
  if (view === "draw") {
    return (
      <>
        <HeadForm text={text} change={change} />
        <BoardForm text={text} board={board} change={change} />
        {board && !boardRows(text) && <Start board={board} />}
      </>
    );
  }
  if (!board) return <p class="notice">{t("studio.no_board")}</p>;
  return (
    <>
      {isOutdated && <p class="hint">{t("studio.older")}</p>}
      {view === "board" && <Start board={board} />}
      {view === "pictures" && <PicturesForm text={text} board={board} change={change} />}
      {view === "pieces" && <Pieces board={board} />}
      {view === "rules" && <Rules variant={board.variant} />}
    </>
  );
}
