/**
 * The edits that the server has not confirmed, stored in the browser until it has: of this page, and of pages of the
 * same study that were closed before. An edit is known by its client and number, so it may be sent more than once.
 */
import { load, store } from "../board/storage.ts";
import type { Schemas } from "../common/api.ts";
import type { AppliedEdit } from "./edits.ts";

type Edits = Schemas["StudyEdits"];

/** An edit that the server has not confirmed. */
export interface UnconfirmedEdit extends AppliedEdit {
  number: number;
  chapter: string;
  /** Whether it was sent at least once, so that it can no longer be changed. */
  isSent: boolean;
  /** Once it is done: the number of the study's edits that it is among. */
  until: number | null;
}

/** Most edits and bytes of a message. */
const MAX_EDITS = 20;
const MAX_BYTES = 40_000;

const PREFIX = "lozenge.study.";

const keyOf = (study: string, client: number): string => `${PREFIX}${study}.${client}`;

function read(key: string): UnconfirmedEdit[] {
  try {
    return JSON.parse(load(key) ?? "[]") as UnconfirmedEdit[];
  } catch {
    return [];
  }
}

export class Outbox {
  readonly client = 1 + Math.floor(Math.random() * (2 ** 53 - 2));
  readonly #study: string;
  /** By client; those of this page under `client`. */
  readonly #unconfirmed = new Map<number, UnconfirmedEdit[]>();
  #next = 1;

  constructor(study: string) {
    this.#study = study;
    this.#unconfirmed.set(this.client, []);
    for (const key of keys(`${PREFIX}${study}.`)) {
      const client = Number(key.slice(key.lastIndexOf(".") + 1));
      const unconfirmed = read(key);
      if (Number.isSafeInteger(client) && client > 0 && unconfirmed.length > 0) this.#unconfirmed.set(client, unconfirmed);
    }
  }

  /** All edits that are not confirmed, those of earlier pages first. */
  get all(): UnconfirmedEdit[] {
    const own = this.#unconfirmed.get(this.client) ?? [];
    const others = [...this.#unconfirmed].filter(([client]) => client !== this.client);
    return [...others.flatMap(([, unconfirmed]) => unconfirmed), ...own];
  }

  /** Whether an edit has not reached the server yet. */
  get hasUnsent(): boolean {
    return this.all.some(({ until }) => until === null);
  }

  /** Whether an edit was not even sent. */
  get hasWaiting(): boolean {
    return this.all.some(({ until, isSent }) => until === null && !isSent);
  }

  add(chapter: string, applied: AppliedEdit): void {
    const unconfirmed = this.#unconfirmed.get(this.client) ?? [];
    const last = unconfirmed.at(-1);
    const [previous, next] = [last?.edit, applied.edit];
    // Typing goes on: one edit replaces the comment as it was before.
    if (
      last && !last.isSent && last.chapter === chapter && previous?.type === "set_comment" && next.type === "set_comment" &&
      previous.text === next.was && previous.path.join() === next.path.join()
    ) {
      last.edit = { ...next, was: previous.was };
    } else {
      unconfirmed.push({ ...applied, chapter, number: this.#next, isSent: false, until: null });
      this.#next += 1;
    }
    this.#save(this.client, unconfirmed);
  }

  /** The next edits to send; null if none wait. */
  next(): Edits | null {
    for (const [client, unconfirmed] of this.#unconfirmed) {
      const edits: Edits["edits"] = [];
      let bytes = 0;
      for (const item of unconfirmed) {
        if (item.until !== null) continue;
        const { number, chapter, edit } = item;
        bytes += JSON.stringify(edit).length;
        if (edits.length >= MAX_EDITS || (edits.length > 0 && bytes > MAX_BYTES)) break;
        item.isSent = true;
        edits.push({ number, chapter, edit });
      }
      if (edits.length > 0) return { client, edits };
    }
    return null;
  }

  /** The server has applied or refused the edits of a client up to a number. */
  markDone(client: number, { number, seq, refused }: Schemas["EditsDone"]): void {
    const isRefused = new Set(refused.map((item) => item.number));
    const unconfirmed = (this.#unconfirmed.get(client) ?? []).filter((item) => !isRefused.has(item.number));
    for (const item of unconfirmed) if (item.number <= number) item.until ??= seq;
    this.#save(client, unconfirmed);
  }

  /** Removes edits that can never be applied. */
  drop({ client, edits }: Edits): void {
    const numbers = new Set(edits.map(({ number }) => number));
    this.#save(client, (this.#unconfirmed.get(client) ?? []).filter(({ number }) => !numbers.has(number)));
  }

  /** Everything up to this edit of the study has arrived. */
  confirm(seq: number): void {
    for (const [client, unconfirmed] of this.#unconfirmed) {
      const remaining = unconfirmed.filter(({ until }) => until === null || until > seq);
      if (remaining.length < unconfirmed.length) this.#save(client, remaining);
    }
  }

  #save(client: number, unconfirmed: UnconfirmedEdit[]): void {
    if (unconfirmed.length === 0 && client !== this.client) this.#unconfirmed.delete(client);
    else this.#unconfirmed.set(client, unconfirmed);
    const unfinished = unconfirmed.filter(({ until }) => until === null);
    store(keyOf(this.#study, client), unfinished.length === 0 ? null : JSON.stringify(unfinished));
  }
}

function keys(prefix: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
