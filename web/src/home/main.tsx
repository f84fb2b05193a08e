/** The home page: new game, own games, challenges, lobby. */
import "../common/plain.ts";
import "./texts.ts";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { pageData } from "../common/page.ts";
import { errorText } from "../common/errors.ts";
import { t } from "../common/texts.ts";
import { readAddress, type GameSetup, clockOf, isEmptyRange, saveSetup, loadSetup, newGame, newSeek } from "./game_setup.ts";
import { Challenges } from "./challenges.tsx";
import { Lobby } from "./lobby.tsx";
import { isTurn, OwnGames, type UserData, useOwnGames } from "./own_games.tsx";
import { Play, type VariantSummary } from "./setup_form.tsx";
import { createSeek, openGame } from "./seeks.ts";
import { LiveGames } from "./live_games.tsx";

const games = pageData<VariantSummary[]>("games");
const own = pageData<UserData>("mine");
const me = own.player;
const wanted = readAddress(location.search);
const unknown = wanted.variant !== null && !games.some((game) => game.id === wanted.variant);

/** Creates a game or a seek. */
async function begin(setup: GameSetup, signedIn: boolean): Promise<void> {
  const clock = clockOf(setup);
  if (clock === undefined) throw new RangeError(t("home.bad_clock"));
  if (setup.against === "anybody") {
    if (isEmptyRange(setup)) throw new RangeError(t("home.bad_range"));
    await createSeek(newSeek(setup, clock, signedIn));
    document.getElementById("lobby")?.scrollIntoView({ behavior: "smooth" });
    return;
  }
  const game = await send<Schemas["Game"]>("POST", "/api/games", newGame(setup, clock, signedIn));
  openGame(game.id);
}

function Home() {
  const [setup, setSetup] = useState(() => loadSetup(games, wanted));
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState(unknown ? t("home.no_such_game", { id: wanted.variant ?? "" }) : "");
  const mine = useOwnGames(own);
  useEffect(() => {
    // The back button may restore the page in its former state.
    const again = () => setBusy(false);
    addEventListener("pageshow", again);
    return () => removeEventListener("pageshow", again);
  }, []);
  const change = (part: Partial<GameSetup>) => {
    setFault("");
    setSetup((before) => {
      const after = { ...before, ...part };
      saveSetup(after);
      return after;
    });
  };
  const signedIn = me !== null && me.kind !== "guest";
  const press = () => {
    if (busy) return;
    setBusy(true);
    setFault("");
    begin(setup, signedIn)
      .catch((error: unknown) => setFault(error instanceof RangeError ? error.message : errorText(error)))
      .finally(() => setBusy(false));
  };
  // Games in which it is the user's turn come first.
  const urgent = me !== null && mine.some((game) => isTurn(game, me.id));
  const list = me && <OwnGames me={me.id} games={mine} />;
  return (
    <>
      <Challenges first={own.challenges} />
      {urgent && list}
      <Play
        games={games}
        setup={setup}
        change={change}
        signedIn={signedIn}
        busy={busy}
        fault={fault}
        begin={press}
      />
      {!urgent && list}
      <Lobby games={games} setup={setup} signedIn={signedIn} />
      <LiveGames />
    </>
  );
}

const root = document.getElementById("home");
if (root) render(<Home />, root);
