/** The home page: new game, own games, challenges, lobby. */
import "../common/every.ts";
import "../../styles/pages.css";
import "./texts.ts";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isMulti } from "../board/colors.ts";
import { type Schemas, send } from "../common/api.ts";
import { pageData } from "../common/page.ts";
import { errorText } from "../common/errors.ts";
import { t } from "../common/texts.ts";
import { readAddress, type GameSetup, clockOf, isEmptyRange, playersIn, saveSetup, loadSetup, newGame, newMultiGame, newSeek } from "./game_setup.ts";
import { Challenges } from "./challenges.tsx";
import { Lobby } from "./lobby.tsx";
import { isTurnOf, OwnGames, type UserData, useOwnGames } from "./own_games.tsx";
import { Play, type VariantSummary } from "./setup_form.tsx";
import { createSeek, openGame } from "./seeks.ts";
import { LiveGames } from "./live_games.tsx";

const games = pageData<VariantSummary[]>("games");
const userData = pageData<UserData>("mine");
const me = userData.player;
const parameters = readAddress(location.search);
const isUnknownVariant = parameters.variant !== null && !games.some((game) => game.id === parameters.variant);

/** Creates a game or a seek. */
async function createGame(setup: GameSetup, signedIn: boolean): Promise<void> {
  const clock = clockOf(setup);
  if (clock === undefined) throw new RangeError(t("home.bad_clock"));
  if (setup.against === "anybody") {
    if (isEmptyRange(setup)) throw new RangeError(t("home.bad_range"));
    await createSeek(newSeek(setup, clock, signedIn));
    document.getElementById("lobby")?.scrollIntoView({ behavior: "smooth" });
    return;
  }
  const terms = isMulti(playersIn(games, setup.variant)) ? newMultiGame(setup, clock, signedIn) : newGame(setup, clock, signedIn);
  const game = await send<Schemas["Game"]>("POST", "/api/games", terms);
  openGame(game.id);
}

function Home() {
  const [setup, setSetup] = useState(() => loadSetup(games, parameters));
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState(isUnknownVariant ? t("home.no_such_game", { id: parameters.variant ?? "" }) : "");
  const ownGames = useOwnGames(userData);
  useEffect(() => {
    // The back button may restore the page in its former state.
    const onPageShow = () => setPending(false);
    addEventListener("pageshow", onPageShow);
    return () => removeEventListener("pageshow", onPageShow);
  }, []);
  const change = (part: Partial<GameSetup>) => {
    setFault("");
    setSetup((previous) => {
      const next = { ...previous, ...part };
      saveSetup(next);
      return next;
    });
  };
  const signedIn = me !== null && me.kind !== "guest";
  const submit = () => {
    if (isPending) return;
    setPending(true);
    setFault("");
    createGame(setup, signedIn)
      .catch((error: unknown) => setFault(error instanceof RangeError ? error.message : errorText(error)))
      .finally(() => setPending(false));
  };
  // Games in which it is the user's turn come first.
  const isOwnTurn = me !== null && ownGames.some((game) => isTurnOf(game, me.id));
  const list = me && <OwnGames me={me.id} games={ownGames} />;
  return (
    <>
      <Challenges first={userData.challenges} />
      {isOwnTurn && list}
      <Play
        games={games}
        setup={setup}
        change={change}
        signedIn={signedIn}
        isPending={isPending}
        fault={fault}
        submit={submit}
      />
      {!isOwnTurn && list}
      <Lobby games={games} setup={setup} signedIn={signedIn} me={me?.id ?? null} />
      <LiveGames />
    </>
  );
}

const root = document.getElementById("home");
if (root) render(<Home />, root);
