/** Requests to the server's API, typed by its OpenAPI description. */
import type { components } from "../../generated/api";

export type Schemas = components["schemas"];

/** Longest PGN of one game, and of a whole study, that the server reads, in bytes. */
export const MAX_PGN = 60_000;
export const MAX_STUDY_PGN = 1_000_000;

/** An error response. */
export class ApiError extends Error {
  readonly problem: Schemas["Problem"];
  /** How long to wait before the next request, if the server says so, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(problem: Schemas["Problem"], retryAfterMs?: number) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Sends a request with a JSON body; returns the JSON of the response. */
export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, headers: { accept: "application/json" } };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { ...init.headers, "content-type": "application/json" };
  }
  const response = await fetch(path, init);
  // No content.
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json();
  if (!response.ok) {
    const seconds = Number(response.headers.get("retry-after") ?? NaN);
    throw new ApiError(answer as Schemas["Problem"], Number.isFinite(seconds) ? seconds * 1_000 : undefined);
  }
  return answer as T;
}

/**
 * Yields the objects of a stream. The server sends empty lines to keep the connection open; `onData` is called for
 * everything received.
 */
export async function* streamLines<T>(path: string, signal: AbortSignal, onData?: () => void): AsyncGenerator<T> {
  const response = await fetch(path, { signal, headers: { accept: "application/x-ndjson" } });
  if (!response.ok || !response.body) throw new Error(`expected a stream, found ${response.status}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onData?.();
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) if (part.trim() !== "") yield JSON.parse(part) as T;
  }
}
