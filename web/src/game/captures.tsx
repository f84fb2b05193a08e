/** The captured pieces and the material advantage of a player. */
import { useMemo } from "preact/hooks";
import type { LozBoard, Role } from "../board/index.ts";
import { symbolAddress } from "../board/sprite.ts";
import { sprite } from "../common/settings.ts";
import { balance, captured } from "./material.ts";
import { type Color, opposite } from "./record.ts";
import { t } from "./texts.ts";
import { useSession } from "./hooks.ts";
import { nameOf } from "./game_text.ts";

interface CapturedGroup {
  role: Role;
  count: number;
}

/** The pieces by role, most valuable first. */
function groupByRole(roles: readonly Role[], pieces: readonly { role: string }[]): CapturedGroup[] {
  return roles
    .map((role) => ({ role, count: pieces.filter((piece) => piece.role === role.id).length }))
    .filter(({ count }) => count > 0)
    .sort((one, two) => (two.role.value ?? 0) - (one.role.value ?? 0));
}

function Piece({ role, color }: { role: Role; color: Color }) {
  if (!role.glyph) return <i class={`g-letter g-letter-${color}`}>{role.letter}</i>;
  return (
    <svg viewBox="0 0 100 100">
      <use href={symbolAddress(role.glyph, color, sprite())} />
    </svg>
  );
}

export function Captures({ board, color }: { board: LozBoard; color: Color }) {
  const session = useSession();
  const { game, ply } = session;
  const geometry = board.board;
  const roles = geometry?.roles ?? [];
  // Cached, because every tick of the clock renders the strip.
  const groups = useMemo(() => (geometry ? groupByRole(roles, captured(geometry, game, color, ply)) : []), [geometry, game.history, ply, color]);
  const ahead = useMemo(() => (geometry ? balance(geometry, game, color, ply) : 0), [geometry, game.history, ply, color]);
  const pieces = groups.map(({ role, count }) => `${count} ${role.name}`).join(", ");
  return (
    <span class="g-captures">
      {pieces !== "" && <span class="unseen">{t("captured", { name: nameOf(game, color), pieces })}</span>}
      <span class="g-piles" aria-hidden="true" title={pieces}>
        {groups.map(({ role, count }) => (
          <span key={role.id} class="g-pile">
            {Array.from({ length: count }, (_, index) => (
              <Piece key={index} role={role} color={opposite(color)} />
            ))}
          </span>
        ))}
      </span>
      {ahead > 0 && (
        <span class="g-ahead" title={t("balance")}>
          +{ahead}
        </span>
      )}
    </span>
  );
}
