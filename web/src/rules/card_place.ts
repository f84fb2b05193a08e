/** The place of a card beside a square. */
import type { InspectTrigger, Point } from "../board/types.ts";

export interface Size {
  width: number;
  height: number;
}

/** Between square and card, and between card and edge of the window, in pixels. */
const GAP = 8;

type Side = "right" | "left" | "above" | "below";

/** The square that a card belongs to. */
export interface Anchor {
  center: Point;
  radius: number;
  trigger: InspectTrigger;
  /** Whether the square is in the left half of the board. */
  isLeft: boolean;
}

/** A card covers as little of the board as it can; a finger hides what is below it. */
function sidesOf({ trigger, isLeft }: Anchor): readonly Side[] {
  const beside: readonly Side[] = isLeft ? ["left", "right"] : ["right", "left"];
  return trigger === "finger" ? ["above", "below", ...beside] : [...beside, "below", "above"];
}

/** The upper left corner of a card beside a square, all in pixels of the window; where it fits nowhere it covers the square. */
export function placeCard(card: Size, anchor: Anchor, window: Size): Point {
  const { center: [x, y], radius } = anchor;
  const into = (value: number, size: number, whole: number): number => Math.max(GAP, Math.min(value, whole - size - GAP));
  const corner: Record<Side, Point> = {
    right: [x + radius + GAP, y - card.height / 2],
    left: [x - radius - GAP - card.width, y - card.height / 2],
    above: [x - card.width / 2, y - radius - GAP - card.height],
    below: [x - card.width / 2, y + radius + GAP],
  };
  const fits = (side: Side): boolean => {
    const [left, top] = corner[side];
    return side === "right" || side === "left"
      ? left >= GAP && left + card.width <= window.width - GAP
      : top >= GAP && top + card.height <= window.height - GAP;
  };
  const [left, top] = corner[sidesOf(anchor).find(fits) ?? (y > window.height / 2 ? "above" : "below")];
  return [into(left, card.width, window.width), into(top, card.height, window.height)];
}
