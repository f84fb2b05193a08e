/** The captured pieces and the material advantage of a player. */
import { useMemo, useRef } from "preact/hooks";
import type { InspectTrigger, LozBoard, Role } from "../board/index.ts";
import { opposite } from "../board/colors.ts";
import { inspect } from "../common/inspect.ts";
import { PieceSymbol } from "../common/piece_symbol.tsx";
import { balance, captured } from "./material.ts";
import type { Color } from "./record.ts";
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

interface PileProps {
  group: CapturedGroup;
  color: Color;
  board: LozBoard;
}

/** How long the mouse rests on captured pieces before they are explained, as on the board. */
const HOVER_MS = 900;

/** Captured pieces of one role; the button explains how they move. */
function Pile({ group: { role, count }, color, board }: PileProps) {
  const button = useRef<HTMLButtonElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const explain = (trigger: InspectTrigger): void => {
    const box = button.current?.getBoundingClientRect();
    if (!box) return;
    const center = [box.left + box.width / 2, box.top + box.height / 2] as const;
    void inspect(board, { piece: { square: null, role: role.id, color }, trigger, center, radius: box.height / 2 });
  };
  const leave = (): void => {
    clearTimeout(timer.current);
    void inspect(board, null);
  };
  return (
    <button
      ref={button}
      type="button"
      class="g-pile"
      aria-label={`${count} ${role.name}`}
      onClick={() => explain("key")}
      onMouseEnter={() => (timer.current = setTimeout(() => explain("mouse"), HOVER_MS))}
      onMouseLeave={leave}
      onBlur={leave}
    >
      {Array.from({ length: count }, (_, index) => (
        <PieceSymbol key={index} role={role} color={color} />
      ))}
    </button>
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
      {pieces !== "" && (
        <span class="g-piles" role="group" aria-label={t("captured", { name: nameOf(game, color), pieces })}>
          {groups.map((group) => <Pile key={group.role.id} group={group} color={opposite(color)} board={board} />)}
        </span>
      )}
      {ahead > 0 && (
        <span class="g-ahead" title={t("balance")}>
          +{ahead}
        </span>
      )}
    </span>
  );
}
