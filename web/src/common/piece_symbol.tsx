/** The picture of a piece beside a board, in the colors of its army. Not here: pieces on boards (`board/sprite`). */
import { useLayoutEffect, useRef } from "preact/hooks";
import { hasOwnInk } from "../board/armies.ts";
import { paintedSymbol, symbolAddress } from "../board/sprite.ts";
import type { PieceColor, Role } from "../board/types.ts";
import { sprite } from "./settings.ts";

export function PieceSymbol({ role, color }: { role: Role; color: PieceColor }) {
  const painted = useRef<SVGSVGElement>(null);
  const { glyph, letter } = role;
  useLayoutEffect(() => {
    if (!glyph || !hasOwnInk(color)) return;
    let isCurrent = true;
    void paintedSymbol(glyph, color, sprite()).then((symbol) => isCurrent && painted.current?.replaceChildren(...symbol.childNodes));
    return () => {
      isCurrent = false;
    };
  }, [glyph, color]);
  if (!glyph) return <i class={`g-letter g-letter-${color}`}>{letter}</i>;
  return (
    <svg ref={painted} viewBox="0 0 100 100" aria-hidden="true">
      {!hasOwnInk(color) && <use href={symbolAddress(glyph, color, sprite())} />}
    </svg>
  );
}
