/** A piece in forms, as boards draw it: its picture, or a disc with its letter. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { hasOwnInk, inkOf } from "../board/armies.ts";
import { type Color, symbolAddress } from "../board/index.ts";
import { paintedSymbol } from "../board/sprite.ts";
import { sprite } from "../common/settings.ts";

interface SymbolProps {
  glyph: string | null | undefined;
  letter: string;
  color: Color;
}

export function PieceSymbol({ glyph, letter, color }: SymbolProps) {
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
    const style = isPainted ? { background: body, borderColor: line, color: line } : undefined;
    // The letter of a disc is drawn by the style: the button around it names it.
    return <i class="piece-symbol" data-color={color} data-letter={letter} style={style} aria-hidden="true" />;
  }
  return (
    <svg ref={drawing} key={`${glyph} ${color}`} class="piece-symbol" viewBox="0 0 100 100" aria-hidden="true">
      {!isPainted && <use href={symbolAddress(glyph, color, sprite())} />}
    </svg>
  );
}
