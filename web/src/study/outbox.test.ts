/** Edits that wait for the server: stored, sent in order, deleted once they are confirmed. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TreeEdit } from "./edits.ts";
import { Outbox } from "./outbox.ts";

const add = (uci: string): { edit: TreeEdit; steps: [] } => ({ edit: { type: "add", path: [uci] }, steps: [] });
const commentEdit = (was: string, text: string): { edit: TreeEdit; steps: [] } => ({
  edit: { type: "set_comment", path: [], was, text },
  steps: [],
});

describe("outbox", () => {
  beforeEach(() => {
    // Keys of local storage are its own properties.
    const storage: Record<string, string> = {};
    const methods = {
      getItem: (key: string) => storage[key] ?? null,
      setItem: (key: string, value: string) => (storage[key] = value),
      removeItem: (key: string) => delete storage[key],
    };
    vi.stubGlobal("localStorage", new Proxy(storage, { get: (_, name: string) => methods[name as keyof typeof methods] }));
  });
  afterEach(() => vi.unstubAllGlobals());

  it("sends edits in order and drops them once they are confirmed", () => {
    const outbox = new Outbox("s");
    outbox.add("c", add("a"));
    outbox.add("c", add("b"));
    const sent = outbox.next();
    expect(sent?.edits.map(({ number }) => number)).toEqual([1, 2]);
    outbox.markDone(outbox.client, { number: 2, seq: 9, refused: [] });
    expect([outbox.hasUnsent, outbox.next(), outbox.all.length]).toEqual([false, null, 2]);
    outbox.confirm(8);
    expect(outbox.all).toHaveLength(2);
    outbox.confirm(9);
    expect(outbox.all).toEqual([]);
  });

  it("merges comment edits until they are sent", () => {
    const outbox = new Outbox("s");
    outbox.add("c", commentEdit("", "t"));
    outbox.add("c", commentEdit("t", "ty"));
    expect(outbox.next()?.edits.map(({ edit }) => edit)).toEqual([commentEdit("", "ty").edit]);
    outbox.add("c", commentEdit("ty", "typ"));
    expect(outbox.all).toHaveLength(2);
  });

  it("sends an earlier page's edits with its client number", () => {
    const first = new Outbox("s");
    first.add("c", add("a"));
    const second = new Outbox("s");
    expect(second.next()).toEqual({ client: first.client, edits: [{ number: 1, chapter: "c", edit: add("a").edit }] });
    second.markDone(first.client, { number: 1, seq: 1, refused: [] });
    second.confirm(1);
    expect(new Outbox("s").all).toEqual([]);
    expect(new Outbox("other").all).toEqual([]);
  });

  it("drops rejected edits", () => {
    const outbox = new Outbox("s");
    outbox.add("c", add("a"));
    outbox.add("c", add("b"));
    outbox.next();
    const problem = { type: "", title: "", status: 422, detail: "", code: "invalid" };
    outbox.markDone(outbox.client, { number: 2, seq: 5, refused: [{ number: 1, problem }] });
    expect(outbox.all.map(({ number }) => number)).toEqual([2]);
  });
});
