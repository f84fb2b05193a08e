/** A game on the screen, by its socket. */
import "../common/plain.ts";
import "../board/index.ts";
import type { Schemas } from "../common/api.ts";
import { data } from "../common/data.ts";

const root = document.getElementById("game");
const game = data<Schemas["Game"]>("data");
if (root) {
  const board = document.createElement("loz-board");
  board.board = data("board");
  board.setAttribute("sprite", "/men.svg");
  if (game.you === "black") board.setAttribute("flipped", "");
  const status = document.createElement("p");
  root.replaceChildren(board, status);
  const show = (state: Schemas["GameState"]): void => {
    board.men = state.men;
    board.last = state.last;
    board.check = state.check ?? null;
    board.turn = state.turn;
    board.destinations = state.turn === game.you ? state.moves : [];
    board.castlings = state.castlings;
    board.setAttribute("movable", game.you ?? "none");
    status.textContent = `${state.status} ${state.result} ${state.reason ?? ""}`;
  };
  show(game.state);
  let ply = game.state.ply;
  const socket = new WebSocket(`/api/games/${game.id}/socket`);
  socket.onmessage = (message) => {
    const event = JSON.parse(message.data as string) as Schemas["Event"];
    if (event.type === "state") {
      ply = event.state.ply;
      show(event.state);
    }
  };
  board.addEventListener("move", (event) => {
    socket.send(JSON.stringify({ type: "move", move: (event as CustomEvent).detail.move, ply }));
  });
}
