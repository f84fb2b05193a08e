/**
 * A piece beside a board, in forms and lists, as boards draw it: its picture, or a disc with its letter. Not here: pieces on
 * boards (`board/sprite`).
 */
import "../../styles/piece_symbol.css";
import { useLayoutEffect, useRef } from "preact/hooks";
import { hasOwnInk, inkOf } from "../board/armies.ts";
import { paintedSymbol, symbolAddress } from "../board/sprite.ts";
import type { PieceColor, Role } from "../board/types.ts";
import { sprite } from "./settings.ts";

/** The symbol of a kind of piece: its picture or, without one, its letter. */
export type SymbolRole = Pick<Role, "glyph" | "letter">;

export function PieceSymbol({ role: { glyph, letter }, color }: { role: SymbolRole; color: PieceColor }) {
  const drawing = useRef<SVGSVGElement>(null);
  // The armies of three and four players are painted; White's and Black's pieces are drawn in their colors.
  const isPainted = hasOwnInk(color);
  useLayoutEffect(() => {
    if (!glyph || !isPainted) return;
    let isCurrent = true;
    void paintedSymbol(glyph, color, sprite()).then((symbol) => isCurrent && drawing.current?.replaceChildren(...symbol.childNodes));
    return () => {
      isCurrent = false;
    };
  }, [glyph, color]);
  if (!glyph) {
    const { body, line } = inkOf(color);
    // The letter of a disc is drawn by the style: what is around it names the piece.
    return <i class="piece-symbol" data-letter={letter} style={{ background: body, borderColor: line, color: line }} aria-hidden="true" />;
  }
  return (
    <svg ref={drawing} key={`${glyph} ${color}`} class="piece-symbol" viewBox="0 0 100 100" aria-hidden="true">
      {!isPainted && <use href={symbolAddress(glyph, color, sprite())} />}
    </svg>
  );
}
