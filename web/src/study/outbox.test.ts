/** Edits that wait for the server: kept, sent in order, forgotten once they are confirmed. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TreeEdit } from "./edits.ts";
import { Outbox } from "./outbox.ts";

const add = (uci: string): { edit: TreeEdit; steps: [] } => ({ edit: { type: "add", path: [uci] }, steps: [] });
const say = (was: string, text: string): { edit: TreeEdit; steps: [] } => ({
  edit: { type: "set_comment", path: [], was, text },
  steps: [],
});

describe("outbox", () => {
  beforeEach(() => {
    // Keys of local storage are its own properties.
    const kept: Record<string, string> = {};
    const methods = {
      getItem: (key: string) => kept[key] ?? null,
      setItem: (key: string, value: string) => (kept[key] = value),
      removeItem: (key: string) => delete kept[key],
    };
    vi.stubGlobal("localStorage", new Proxy(kept, { get: (_, name: string) => methods[name as keyof typeof methods] }));
  });
  afterEach(() => vi.unstubAllGlobals());

  it("sends edits in order and forgets them once everything up to them has arrived", () => {
    const outbox = new Outbox("s");
    outbox.add("c", add("a"));
    outbox.add("c", add("b"));
    const sent = outbox.next();
    expect(sent?.edits.map(({ number }) => number)).toEqual([1, 2]);
    outbox.done(outbox.client, { number: 2, seq: 9, refused: [] });
    expect([outbox.isWaiting, outbox.next(), outbox.all.length]).toEqual([false, null, 2]);
    outbox.confirmed(8);
    expect(outbox.all).toHaveLength(2);
    outbox.confirmed(9);
    expect(outbox.all).toEqual([]);
  });

  it("joins what is typed until it is sent", () => {
    const outbox = new Outbox("s");
    outbox.add("c", say("", "t"));
    outbox.add("c", say("t", "ty"));
    expect(outbox.next()?.edits.map(({ edit }) => edit)).toEqual([say("", "ty").edit]);
    outbox.add("c", say("ty", "typ"));
    expect(outbox.all).toHaveLength(2);
  });

  it("sends what an earlier page has left, by that page's number", () => {
    const first = new Outbox("s");
    first.add("c", add("a"));
    const second = new Outbox("s");
    expect(second.next()).toEqual({ client: first.client, edits: [{ number: 1, chapter: "c", edit: add("a").edit }] });
    second.done(first.client, { number: 1, seq: 1, refused: [] });
    second.confirmed(1);
    expect(new Outbox("s").all).toEqual([]);
    expect(new Outbox("other").all).toEqual([]);
  });

  it("drops what was refused", () => {
    const outbox = new Outbox("s");
    outbox.add("c", add("a"));
    outbox.add("c", add("b"));
    outbox.next();
    const problem = { type: "", title: "", status: 422, detail: "", code: "invalid" };
    outbox.done(outbox.client, { number: 2, seq: 5, refused: [{ number: 1, problem }] });
    expect(outbox.all.map(({ number }) => number)).toEqual([2]);
  });
});
