/** The first page: choose a game and play. */
import "../common/plain.ts";
import { render } from "preact";
import { type Schemas, send } from "../common/api.ts";
import { data } from "../common/data.ts";

async function play(variant: string): Promise<void> {
  const game = await send<Schemas["Game"]>("POST", "/api/games", {
    variant,
    opponent: { kind: "engine", level: 3 },
  });
  location.href = `/game/${game.id}`;
}

const games = data<Schemas["VariantSummary"][]>("games");
const root = document.getElementById("home");
if (root) {
  render(
    <div>
      {games.map((game) => (
        <button key={game.id} type="button" onClick={() => void play(game.id)}>
          {game.name}
        </button>
      ))}
    </div>,
    root,
  );
}
