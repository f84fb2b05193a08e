import { describe, expect, it } from "vitest";
import { afterEvent, ratingRange, type Seek } from "./seeks.ts";

const seek = (id: string, created_at: number): Seek => ({
  id,
  player: { kind: "guest", id, name: "Guest" } as Seek["player"],
  variant: "diamond",
  variant_name: "Diamond Chess",
  clock: null,
  speed: "unlimited",
  side: "random",
  rated: false,
  yours: false,
  created_at,
});

describe("the list of open seeks", () => {
  const list = { version: 7, seeks: [seek("b", 2), seek("a", 1)] };

  it("follows the changes, newest first", () => {
    const event = { type: "changes", version: 8, added: [seek("c", 3)], removed: ["b"] } as const;
    const after = afterEvent(list, { ...event, added: [...event.added], removed: [...event.removed] });
    expect(after?.seeks.map((one) => one.id)).toEqual(["c", "a"]);
    expect(after?.version).toBe(8);
  });

  it("replaces a seek that has changed where it stands", () => {
    const renamed = { ...seek("a", 1), rated: true };
    const after = afterEvent(list, { type: "changes", version: 8, added: [renamed], removed: ["a"] });
    expect(after?.seeks).toEqual([seek("b", 2), renamed]);
  });

  it("is asked for again after a gap", () => {
    expect(afterEvent(list, { type: "changes", version: 9, added: [], removed: ["a"] })).toBeNull();
    expect(afterEvent(null, { type: "changes", version: 1, added: [], removed: [] })).toBeNull();
    expect(afterEvent(null, { type: "seeks", version: 9, seeks: [] })).toEqual({ version: 9, seeks: [] });
  });

  it("shows which ratings a seek is for", () => {
    const range = (rating_min: number | null, rating_max: number | null) => ratingRange({ rating_min, rating_max });
    expect([range(1400, 1600), range(1400, null), range(null, 1600), range(null, null)]).toEqual([
      "1400–1600",
      "≥ 1400",
      "≤ 1600",
      "",
    ]);
  });
});
