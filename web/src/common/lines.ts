/** Streams of newline-delimited JSON. */

/**
 * Yields the objects of a stream. The server sends empty lines to keep the connection alive; `onData` is called for
 * everything received.
 */
export async function* lines<T>(path: string, signal: AbortSignal, alive?: () => void): AsyncGenerator<T> {
  const response = await fetch(path, { signal, headers: { accept: "application/x-ndjson" } });
  if (!response.ok || !response.body) throw new Error(`expected a stream, found ${response.status}`);
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive?.();
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) if (part.trim() !== "") yield JSON.parse(part) as T;
  }
}
