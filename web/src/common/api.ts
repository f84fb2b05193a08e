/** Requests to the server's API, typed by its OpenAPI description. */
import type { components } from "../../generated/api";

export type Schemas = components["schemas"];

/** An error response. */
export class ApiError extends Error {
  readonly problem: Schemas["Problem"];

  constructor(problem: Schemas["Problem"]) {
    super(problem.detail);
    this.problem = problem;
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
  if (!response.ok) throw new ApiError(answer as Schemas["Problem"]);
  return answer as T;
}
