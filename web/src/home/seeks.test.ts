import { describe, expect, it } from "vitest";
import { ApiError } from "../common/api.ts";
import { applyEvent, type OpenGame, ratingRange, type Seek, seekErrorText } from "./seeks.ts";
import "./texts.ts";

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
  const list = { version: 7, seeks: [seek("b", 2), seek("a", 1)], games: [] };

  it("applies changes, newest first", () => {
    const event = { type: "changes", version: 8, added: [seek("c", 3)], removed: ["b"] } as const;
    const after = applyEvent(list, { ...event, added: [...event.added], removed: [...event.removed] });
    expect(after?.seeks.map((one) => one.id)).toEqual(["c", "a"]);
    expect(after?.version).toBe(8);
  });

  it("replaces a changed seek in place", () => {
    const renamed = { ...seek("a", 1), rated: true };
    const after = applyEvent(list, { type: "changes", version: 8, added: [renamed], removed: ["a"] });
    expect(after?.seeks).toEqual([seek("b", 2), renamed]);
  });

  it("must be loaded again after a gap", () => {
    expect(applyEvent(list, { type: "changes", version: 9, added: [], removed: ["a"] })).toBeNull();
    expect(applyEvent(null, { type: "changes", version: 1, added: [], removed: [] })).toBeNull();
    expect(applyEvent(null, { type: "seeks", version: 9, seeks: [] })).toEqual({ version: 9, seeks: [], games: [] });
  });

  it("has games of four that change until they are full", () => {
    const game = (id: string, created_at: number, seats: number): OpenGame => ({
      id,
      variant: "diamondring-four",
      variant_name: "Diamond Ring with four",
      clock: null,
      speed: "unlimited",
      rated: false,
      seats: Array.from({ length: seats }, () => ({ color: "red", player: null, partner: null })),
      created_at,
    });
    const first = applyEvent(null, { type: "seeks", version: 3, seeks: [seek("a", 1)], games: [game("g", 1, 1)] });
    const joined = applyEvent(first, { type: "changes", version: 4, added: [], removed: [], games: [game("h", 2, 1), game("g", 1, 2)] });
    expect(joined?.games).toEqual([game("h", 2, 1), game("g", 1, 2)]);
    const full = applyEvent(joined, { type: "changes", version: 5, added: [], removed: ["g"] });
    expect(full).toEqual({ version: 5, seeks: [seek("a", 1)], games: [game("h", 2, 1)] });
  });

  it("shows the rating range of a seek", () => {
    const range = (rating_min: number | null, rating_max: number | null) => ratingRange({ rating_min, rating_max });
    expect([range(1400, 1600), range(1400, null), range(null, 1600), range(null, null)]).toEqual([
      "1400–1600",
      "≥ 1400",
      "≤ 1600",
      "",
    ]);
  });
});

describe("the error text of the lobby", () => {
  const text = (status: number, code: string): string =>
    seekErrorText(new ApiError({ type: `/problems/${code}`, title: "", status, detail: "", code }));

  it("says that a seek is gone", () => {
    expect(text(404, "not_found")).toBe("Another player was faster. This game is taken.");
  });

  it("names a limit that is reached", () => {
    expect(text(409, "too_many_seeks")).toBe("You have too many open game offers. Cancel one first.");
    expect(text(409, "lobby_full")).toBe("The lobby is full. Try again in a moment.");
  });
});
