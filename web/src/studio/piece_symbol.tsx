/** A piece in forms, as boards draw it: its picture, or a disc with its letter. */
import { type Color, symbolAddress } from "../board/index.ts";
import { sprite } from "../common/settings.ts";

interface SymbolProps {
  glyph: string | null | undefined;
  letter: string;
  color: Color;
}

export function PieceSymbol({ glyph, letter, color }: SymbolProps) {
  // The letter of a disc is drawn by the style: the button around it names it.
  if (!glyph) return <i class="piece-symbol" data-color={color} data-letter={letter} aria-hidden="true" />;
  return (
    <svg class="piece-symbol" viewBox="0 0 100 100" aria-hidden="true">
      <use href={symbolAddress(glyph, color, sprite())} />
    </svg>
  );
}
