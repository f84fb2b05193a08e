/** The pages under `web/`, such as the board's demo, on vite's own server and a free port. */
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Starts the server; its address ends with a slash. */
export async function servePages() {
  const server = await createServer({ root, logLevel: "error", server: { port: 0, host: "127.0.0.1" } });
  await server.listen();
  return { server, address: server.resolvedUrls?.local[0] ?? "" };
}
