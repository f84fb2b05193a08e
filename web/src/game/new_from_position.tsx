/** The dialog that starts a game against the engine from the position on the board. */
import { rulesId } from "../common/rules_id.ts";
import { useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { turnOf } from "../common/fen.ts";
import { Dialog } from "./dialog.tsx";
import { Play } from "./icons.tsx";
import { type Game, positionAt } from "./record.ts";
import { t } from "./texts.ts";
import { useSession } from "./hooks.ts";

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const SIDES: readonly Schemas["Side"][] = ["white", "black", "random"];

export function NewGameFromPosition({ close }: { close: () => void }) {
  const session = useSession();
  const { game } = session;
  const { fen } = positionAt(game, session.ply);
  const engine = [game.white, game.black].find((player) => player?.kind === "engine");
  const [level, setLevel] = useState(engine?.level ?? 3);
  const [side, setSide] = useState<Schemas["Side"]>(SIDES.find((side) => side === (game.you ?? turnOf(fen))) ?? "white");
  const [fault, setFault] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    setPending(true);
    try {
      const opponent = { kind: "engine", level } as const;
      const created = await send<Game>("POST", "/api/games", { variant: rulesId(game), opponent, side, fen });
      location.assign(`/game/${created.id}`);
    } catch (error) {
      setFault(errorText(error));
      setPending(false);
    }
  };
  return (
    <Dialog title={t("from_here")} close={close}>
      <form class="g-form" onSubmit={(event) => void start(event)}>
        <p>{t("from_here_about")}</p>
        <label>
          {t("level")}
          <select value={level} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
            {LEVELS.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t("side")}
          <select
            value={side}
            onChange={(event) => setSide(event.currentTarget.value as Schemas["Side"])}
          >
            {SIDES.map((value) => (
              <option key={value} value={value}>
                {t(value)}
              </option>
            ))}
          </select>
        </label>
        {fault && (
          <p class="g-problem" role="alert">
            {fault}
          </p>
        )}
        <button type="submit" class="g-button g-good" disabled={isPending}>
          <Play /> {t("start")}
        </button>
      </form>
    </Dialog>
  );
}
