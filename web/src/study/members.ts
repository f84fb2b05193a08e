/** The members of a study and their places, and the one whom the reader follows. Not here: the socket, and the board. */
import type { Schemas } from "../common/api.ts";

export type Place = Schemas["StudyPlace"];

/** Least time between two places that are sent, in milliseconds. */
const SEND_MS = 400;

/** The followed member, for the page of another chapter that opens because that member went there. */
const FOLLOW_KEY = "lozenge.follow";

/** Takes the name that the page before has left, once. */
export function takeFollowed(study: string): string | null {
  try {
    const [id, name] = JSON.parse(sessionStorage.getItem(FOLLOW_KEY) ?? "[]") as string[];
    sessionStorage.removeItem(FOLLOW_KEY);
    return id === study ? (name ?? null) : null;
  } catch {
    return null;
  }
}

export function leaveFollowed(study: string, name: string): void {
  try {
    sessionStorage.setItem(FOLLOW_KEY, JSON.stringify([study, name]));
  } catch {
    // Then the reader has to choose again whom to follow.
  }
}

export class Members {
  readonly #places = new Map<string, Place>();
  /** The reader's own name; null without an account. */
  readonly #me: string | null;
  #sent = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  following: string | null;

  constructor(me: string | null, following: string | null) {
    [this.#me, this.following] = [me, following];
  }

  /** The others, by name. */
  get others(): readonly (readonly [name: string, place: Place])[] {
    return [...this.#places].sort(([one], [other]) => one.localeCompare(other));
  }

  /** The names of the members at a chapter. */
  at(chapter: string): string[] {
    return this.others.filter(([, place]) => place.chapter === chapter).map(([name]) => name);
  }

  /** The place of the followed member; null without one, and while they are away. */
  get followedPlace(): Place | null {
    return this.following === null ? null : (this.#places.get(this.following) ?? null);
  }

  take({ name, place }: { name: string; place?: Place | null }): void {
    if (name === this.#me) return;
    if (place) this.#places.set(name, place);
    else this.#places.delete(name);
  }

  /** Clears all places: after a reconnection the server sends them again. */
  clear(): void {
    this.#places.clear();
    this.#sent = "";
  }

  /** Sends a place soon, if it is another one; `send` returns whether there was a connection. */
  report(place: Place, send: (place: Place) => boolean): void {
    const text = JSON.stringify(place);
    clearTimeout(this.#timer);
    if (text === this.#sent) return;
    this.#timer = setTimeout(() => {
      if (send(place)) this.#sent = text;
    }, SEND_MS);
  }
}
