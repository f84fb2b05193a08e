/** The game beside its file: the board with the start, each piece's moves, the rules in sentences. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Board, Color, LozBoard } from "../board/index.ts";
import { boardTexts } from "../common/board_texts.ts";
import { errorText } from "../common/errors.ts";
import { sprite } from "../common/settings.ts";
import { t } from "../common/texts.ts";
import { BoardForm } from "./board_form.tsx";
import { PicturesForm } from "./pictures_form.tsx";
import { type Diagram, fetchDiagram, marksOf, reached } from "../rules/diagram.ts";

export type View = "board" | "draw" | "pictures" | "pieces" | "rules";

/** The start, as it will be drawn. */
function Start({ board }: { board: Board }) {
  const element = useRef<LozBoard>(null);
  useLayoutEffect(() => {
    const live = element.current;
    if (!live) return;
    live.board = board;
    live.texts = boardTexts();
    live.pieces = board.start ?? [];
  }, [board]);
  return <loz-board ref={element} sprite={sprite()} movable="none" view={board.view} show-destinations="off" hover-reach="off" />;
}

/** A piece alone on the board, and where it goes. */
function Pieces({ board }: { board: Board }) {
  const [letter, setLetter] = useState(board.roles[0]?.letter ?? "");
  const [color, setColor] = useState<Color>("white");
  const [square, setSquare] = useState(-1);
  const [found, setFound] = useState<Diagram | null>(null);
  const [fault, setFault] = useState("");
  const element = useRef<LozBoard>(null);
  const role = board.roles.find((one) => one.letter === letter) ?? board.roles[0];
  // A square of an earlier version may be gone: the piece stands where it starts, or in the middle.
  const first = board.start?.find((man) => man.role === role?.id && man.color === color)?.square;
  const here = square >= 0 && square < board.squares.length ? square : (first ?? Math.floor(board.squares.length / 2));

  useLayoutEffect(() => {
    const live = element.current;
    if (!live) return;
    const onMove = (event: Event) => setSquare((event as CustomEvent<{ to: number }>).detail.to);
    live.addEventListener("move", onMove);
    return () => live.removeEventListener("move", onMove);
  }, []);

  useLayoutEffect(() => {
    const live = element.current;
    if (!live || !role) return;
    live.board = board;
    live.texts = boardTexts();
    live.narrated = false;
    live.pieces = [{ square: here, role: role.id, color }];
    live.turn = color;
    const from = board.squares[here]?.name ?? "";
    live.destinations = board.squares.filter((_, to) => to !== here).map((other) => from + other.name);
  }, [board, role, here, color]);

  useEffect(() => {
    if (!role) return;
    let wanted = true;
    fetchDiagram(board.variant, role.id, here, color).then(
      (diagram) => {
        if (!wanted) return;
        setFault("");
        setFound(diagram);
        const live = element.current;
        if (!live) return;
        live.marks = marksOf(diagram, here);
        live.reach = board.squares.map((_, from) => (from === here ? reached(diagram) : []));
      },
      (error: unknown) => wanted && setFault(errorText(error)),
    );
    return () => {
      wanted = false;
    };
  }, [board, role, here, color]);

  const name = board.squares[here]?.name ?? "";
  const count = found ? reached(found).length : 0;
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
        <button type="button" class="chip" onClick={() => setColor(color === "white" ? "black" : "white")}>
          {t(`studio.${color}`)}
        </button>
      </div>
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
        {found && role
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
  const place = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    let wanted = true;
    fetch(`/rules/${variant}`)
      .then(async (response) => {
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        const written = page.querySelector(".written");
        if (!wanted || !written) return;
        for (const drawn of written.querySelectorAll(".piece-board, #pieces, noscript, img, h2")) drawn.remove();
        setFault("");
        place.current?.replaceChildren(document.adoptNode(written));
      })
      .catch((error: unknown) => wanted && setFault(errorText(error)));
    return () => {
      wanted = false;
    };
  }, [variant]);
  return (
    <>
      <div ref={place} class="rules" />
      <p class="fault" role="alert">
        {fault}
      </p>
    </>
  );
}

interface PreviewProps {
  text: string;
  change: (text: string) => void;
  board: Board | null;
  view: View;
  /** Whether the file has faults now: the board is an older one. */
  outdated: boolean;
}

export function Preview({ text, change, board, view, outdated }: PreviewProps) {
  if (view === "draw") return <BoardForm text={text} board={board} change={change} />;
  if (!board) return <p class="notice">{t("studio.no_board")}</p>;
  return (
    <>
      {outdated && <p class="hint">{t("studio.older")}</p>}
      {view === "board" && <Start board={board} />}
      {view === "pictures" && <PicturesForm text={text} board={board} change={change} />}
      {view === "pieces" && <Pieces board={board} />}
      {view === "rules" && <Rules variant={board.variant} />}
    </>
  );
}
