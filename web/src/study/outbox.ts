/**
 * The edits that the server has not confirmed, kept in the browser until it has: of this page, and of pages of the same
 * study that were closed before. An edit is known by its client and number, so it may be sent more than once.
 */
import { load, store } from "../board/storage.ts";
import type { Schemas } from "../common/api.ts";
import type { Applied } from "./edits.ts";

type Edits = Schemas["StudyEdits"];

/** An edit that the server has not confirmed. */
export interface WaitingEdit extends Applied {
  number: number;
  chapter: string;
  /** Whether it was sent at least once, so that it cannot be changed any more. */
  isSent: boolean;
  /** Once it is done: the number of the study's edits that it is among. */
  until: number | null;
}

/** Most edits and bytes of a message. */
const MAX_EDITS = 20;
const MAX_BYTES = 40_000;

const PREFIX = "lozenge.study.";

const keyOf = (study: string, client: number): string => `${PREFIX}${study}.${client}`;

function read(key: string): WaitingEdit[] {
  try {
    return JSON.parse(load(key) ?? "[]") as WaitingEdit[];
  } catch {
    return [];
  }
}

export class Outbox {
  readonly client = 1 + Math.floor(Math.random() * (2 ** 53 - 2));
  readonly #study: string;
  /** By client; those of this page under `client`. */
  readonly #waiting = new Map<number, WaitingEdit[]>();
  #next = 1;

  constructor(study: string) {
    this.#study = study;
    this.#waiting.set(this.client, []);
    for (const key of keys(`${PREFIX}${study}.`)) {
      const client = Number(key.slice(key.lastIndexOf(".") + 1));
      const waiting = read(key);
      if (Number.isSafeInteger(client) && client > 0 && waiting.length > 0) this.#waiting.set(client, waiting);
    }
  }

  /** All edits that are not confirmed, those of earlier pages first. */
  get all(): WaitingEdit[] {
    const own = this.#waiting.get(this.client) ?? [];
    const others = [...this.#waiting].filter(([client]) => client !== this.client);
    return [...others.flatMap(([, waiting]) => waiting), ...own];
  }

  /** Whether an edit has not reached the server yet. */
  get isWaiting(): boolean {
    return this.all.some(({ until }) => until === null);
  }

  add(chapter: string, applied: Applied): void {
    const waiting = this.#waiting.get(this.client) ?? [];
    const last = waiting.at(-1);
    const [before, now] = [last?.edit, applied.edit];
    // Typing goes on: one edit replaces the comment as it was before.
    if (
      last && !last.isSent && last.chapter === chapter && before?.type === "set_comment" && now.type === "set_comment" &&
      before.text === now.was && before.path.join() === now.path.join()
    ) {
      last.edit = { ...now, was: before.was };
    } else {
      waiting.push({ ...applied, chapter, number: this.#next, isSent: false, until: null });
      this.#next += 1;
    }
    this.#keep(this.client, waiting);
  }

  /** The next edits to send; null if none wait. */
  next(): Edits | null {
    for (const [client, waiting] of this.#waiting) {
      const edits: Edits["edits"] = [];
      let bytes = 0;
      for (const each of waiting) {
        if (each.until !== null) continue;
        const { number, chapter, edit } = each;
        bytes += JSON.stringify(edit).length;
        if (edits.length >= MAX_EDITS || (edits.length > 0 && bytes > MAX_BYTES)) break;
        each.isSent = true;
        edits.push({ number, chapter, edit });
      }
      if (edits.length > 0) return { client, edits };
    }
    return null;
  }

  /** The server has applied or refused the edits of a client up to a number. */
  done(client: number, { number, seq, refused }: Schemas["EditsDone"]): void {
    const isRefused = new Set(refused.map((each) => each.number));
    const waiting = (this.#waiting.get(client) ?? []).filter((each) => !isRefused.has(each.number));
    for (const each of waiting) if (each.number <= number) each.until ??= seq;
    this.#keep(client, waiting);
  }

  /** Forgets edits that can never be applied. */
  drop({ client, edits }: Edits): void {
    const numbers = new Set(edits.map(({ number }) => number));
    this.#keep(client, (this.#waiting.get(client) ?? []).filter(({ number }) => !numbers.has(number)));
  }

  /** Everything up to this edit of the study has arrived. */
  confirmed(seq: number): void {
    for (const [client, waiting] of this.#waiting) {
      const rest = waiting.filter(({ until }) => until === null || until > seq);
      if (rest.length < waiting.length) this.#keep(client, rest);
    }
  }

  #keep(client: number, waiting: WaitingEdit[]): void {
    if (waiting.length === 0 && client !== this.client) this.#waiting.delete(client);
    else this.#waiting.set(client, waiting);
    const kept = waiting.filter(({ until }) => until === null);
    store(keyOf(this.#study, client), kept.length === 0 ? null : JSON.stringify(kept));
  }
}

function keys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
