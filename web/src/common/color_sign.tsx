/** The sign of a player's color: of two a small cell, of four the sign on the feet of the pieces. */
import { inkOf, signOf } from "../board/armies.ts";
import type { Color } from "../board/types.ts";

export function ColorSign({ color }: { color: Color }) {
  const shape = signOf(color);
  if (shape === null) return <span class={`g-side g-side-${color}`} aria-hidden="true" />;
  return (
    <svg class="side-sign" viewBox="0 0 20 20" aria-hidden="true">
      <path d={shape} fill={inkOf(color).body} />
    </svg>
  );
}
