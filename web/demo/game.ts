/**
 * The page of a game without a server, to try it and for its tests: the game of a fixture, seen by one of its players
 * (`?game=four&you=blue&theme=dark`). What the page sends is in `sent`; `receive` gives it an event of the server.
 */
const query = new URLSearchParams(location.search);
const theme = query.get("theme");
if (theme) document.documentElement.dataset.theme = theme;

const sent: unknown[] = [];
const sockets: DemoSocket[] = [];

/** An open socket that gets no answer. */
class DemoSocket {
  static readonly OPEN = 1;
  readonly readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;

  constructor() {
    sockets.push(this);
    setTimeout(() => this.onopen?.());
  }

  send(text: string): void {
    sent.push(JSON.parse(text));
  }

  close(): void {}

  receive(event: unknown): void {
    this.onmessage?.({ data: JSON.stringify(event) });
  }
}
Object.assign(window, { WebSocket: DemoSocket, sent, receive: (event: unknown) => sockets.at(-1)?.receive(event) });

const load = async (name: string): Promise<Record<string, unknown>> => (await fetch(`/fixtures/${name}.json`)).json();
const game = await load(`game-${query.get("game") ?? "four"}`);
const { board } = await load(String(game.variant));
const you = query.get("you");
const data = { ...game, you };

function embed(id: string, value: unknown): void {
  const script = Object.assign(document.createElement("script"), { id, type: "application/json", textContent: JSON.stringify(value) });
  document.body.append(script);
}
embed("data", data);
embed("board", board);
await import("../src/game/main.tsx");
document.querySelector("loz-board")?.setAttribute("sprite", "/fixtures/pieces.svg");
(window as never as { receive(event: unknown): void }).receive({ type: "game", game: data });

export {};
