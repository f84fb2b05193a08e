/** Requests that are sent again when they fail for a reason that passes. Not here: what they ask for. */
import { ApiError } from "../common/api.ts";

/** The first pause before a request is sent again, and the longest, in milliseconds. Each is twice the one before. */
export const FIRST_PAUSE_MS = 1_000;
export const LONGEST_PAUSE_MS = 30_000;

/** Whether a request may succeed later: the network is lost, the server is busy, or it has had too many requests. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof ApiError) || error.problem.status === 429 || error.problem.status >= 500;
}

/** The pause after a number of failures, at least 1, in milliseconds. A longer pause that the server names is kept. */
export function pauseAfter(failures: number, error: unknown): number {
  const own = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
  const named = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(own, Math.min(named, LONGEST_PAUSE_MS));
}

interface Listener<T> {
  answered: (answer: T) => void;
  /** The request has failed; `again` is whether it is sent once more. */
  failed: (error: unknown, again: boolean) => void;
}

/**
 * Sends a request until it is answered or refused for good. The returned function stops that: later answers are dropped. When the
 * browser is online again, the next try does not wait.
 */
export function persist<T>(request: () => Promise<T>, { answered, failed }: Listener<T>): () => void {
  let isStopped = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = (): void => {
    clearTimeout(timer);
    timer = undefined;
    request().then(
      (answer) => {
        if (isStopped) return;
        stop();
        answered(answer);
      },
      (error: unknown) => {
        if (isStopped) return;
        failures += 1;
        const again = isTemporary(error);
        if (again) timer = setTimeout(attempt, pauseAfter(failures, error));
        else stop();
        failed(error, again);
      },
    );
  };
  // While a request is on its way there is no pause to cut short.
  const onOnline = (): void => {
    if (timer !== undefined) attempt();
  };
  const stop = (): void => {
    isStopped = true;
    clearTimeout(timer);
    globalThis.removeEventListener?.("online", onOnline);
  };
  globalThis.addEventListener?.("online", onOnline);
  attempt();
  return stop;
}
