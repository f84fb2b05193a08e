/** The home page: new game, own games, challenges, lobby. */
import "../common/plain.ts";
import "./texts.ts";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { data } from "../common/data.ts";
import { inWords } from "../common/faults.ts";
import { t } from "../common/texts.ts";
import { asked, type Choice, clockOf, isEmptyRange, keepChoice, lastChoice, newGame, newSeek } from "./choice.ts";
import { Challenges } from "./challenges.tsx";
import { Lobby } from "./lobby.tsx";
import { isTurn, Mine, type Own, useOwnGames } from "./mine.tsx";
import { Play, type VariantSummary } from "./play.tsx";
import { goTo, seek } from "./seeks.ts";
import { Watch } from "./watch.tsx";

const games = data<VariantSummary[]>("games");
const own = data<Own>("mine");
const me = own.player;
const wanted = asked(location.search);
const unknown = wanted.variant !== null && !games.some((game) => game.id === wanted.variant);

/** Creates a game or a seek. */
async function begin(choice: Choice, signedIn: boolean): Promise<void> {
  const clock = clockOf(choice);
  if (clock === undefined) throw new RangeError(t("home.bad_clock"));
  if (choice.against === "anybody") {
    if (isEmptyRange(choice)) throw new RangeError(t("home.bad_range"));
    await seek(newSeek(choice, clock, signedIn));
    document.getElementById("lobby")?.scrollIntoView({ behavior: "smooth" });
    return;
  }
  const game = await send<Schemas["Game"]>("POST", "/api/games", newGame(choice, clock, signedIn));
  goTo(game.id);
}

function Home() {
  const [choice, setChoice] = useState(() => lastChoice(games, wanted));
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState(unknown ? t("home.no_such_game", { id: wanted.variant ?? "" }) : "");
  const mine = useOwnGames(own);
  useEffect(() => {
    // The back button may restore the page in its former state.
    const again = () => setBusy(false);
    addEventListener("pageshow", again);
    return () => removeEventListener("pageshow", again);
  }, []);
  const change = (part: Partial<Choice>) => {
    setFault("");
    setChoice((before) => {
      const after = { ...before, ...part };
      keepChoice(after);
      return after;
    });
  };
  const signedIn = me !== null && me.kind !== "guest";
  const press = () => {
    if (busy) return;
    setBusy(true);
    setFault("");
    begin(choice, signedIn)
      .catch((error: unknown) => setFault(error instanceof RangeError ? error.message : inWords(error)))
      .finally(() => setBusy(false));
  };
  // Games in which it is the user's turn come first.
  const urgent = me !== null && mine.some((game) => isTurn(game, me.id));
  const list = me && <Mine me={me.id} games={mine} />;
  return (
    <>
      <Challenges first={own.challenges} />
      {urgent && list}
      <Play
        games={games}
        choice={choice}
        change={change}
        signedIn={signedIn}
        busy={busy}
        fault={fault}
        begin={press}
      />
      {!urgent && list}
      <Lobby games={games} choice={choice} signedIn={signedIn} />
      <Watch />
    </>
  );
}

const root = document.getElementById("home");
if (root) render(<Home />, root);
