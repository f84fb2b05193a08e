/** The places of members, and sending one's own. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { leaveFollowed, Members, takeFollowed } from "./members.ts";

const place = (chapter: string, ...path: string[]) => ({ chapter, path });

describe("members", () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("are listed with their chapters, without the reader", () => {
    const members = new Members("Ann", null);
    members.take({ name: "Bob", place: place("a", "e2e3") });
    members.take({ name: "Ann", place: place("a") });
    members.take({ name: "Carl", place: place("b") });
    expect(members.others.map(([name]) => name)).toEqual(["Bob", "Carl"]);
    expect(members.at("a")).toEqual(["Bob"]);
    members.take({ name: "Bob", place: null });
    expect(members.at("a")).toEqual([]);
    members.following = "Carl";
    expect(members.followedPlace).toEqual(place("b"));
    members.clear();
    expect([members.others, members.followedPlace, members.following]).toEqual([[], null, "Carl"]);
  });

  it("report the last of several places, once", () => {
    const members = new Members("Ann", null);
    const sent: string[] = [];
    const send = ({ path }: { path: string[] }): boolean => sent.push(path.join(" ")) > 0;
    members.report(place("a", "e2e3"), send);
    members.report(place("a", "e2e3", "e7e6"), send);
    vi.runAllTimers();
    members.report(place("a", "e2e3", "e7e6"), send);
    vi.runAllTimers();
    expect(sent).toEqual(["e2e3 e7e6"]);
    // Back within the pause: the others know that place.
    members.report(place("a"), send);
    members.report(place("a", "e2e3", "e7e6"), send);
    vi.runAllTimers();
    expect(sent).toHaveLength(1);
    members.clear();
    members.report(place("a", "e2e3", "e7e6"), send);
    vi.runAllTimers();
    expect(sent).toHaveLength(2);
  });

  it("are followed into another chapter, by the next page only", () => {
    leaveFollowed("study", "Bob");
    expect(takeFollowed("study")).toBe("Bob");
    expect(takeFollowed("study")).toBeNull();
    leaveFollowed("study", "Bob");
    expect(takeFollowed("other")).toBeNull();
  });
});
