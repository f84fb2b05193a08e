/** Makes a study of what is on the board. */
import { useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { hasAccount, signInAddress } from "../common/page.ts";
import { displayName } from "../common/player_names.ts";
import { Book } from "../game/icons.tsx";
import { useAnalysis } from "./hooks.ts";
import { writePgn } from "./share.tsx";
import { t } from "./texts.ts";

export function StudyButton() {
  const analysis = useAnalysis();
  const [isPending, setPending] = useState(false);
  const { game, tree } = analysis.start;
  const createStudy = async (): Promise<void> => {
    if (!hasAccount()) {
      location.assign(signInAddress("login"));
      return;
    }
    setPending(true);
    try {
      const name = game ? game.players.map(displayName).join(" – ") : analysis.start.variant_name;
      const chapter = { pgn: await writePgn(analysis), variant: tree.digest };
      const { id } = await send<Schemas["StudyImport"]>("POST", "/api/studies", { name, visibility: "private", chapter });
      location.assign(`/study/${id}`);
    } catch (fault) {
      analysis.fault = errorText(fault);
      analysis.notify();
      setPending(false);
    }
  };
  return (
    <button type="button" class="g-action" title={t("to_study_title")} disabled={isPending} onClick={() => void createStudy()}>
      <Book />
      <span>{t("to_study")}</span>
    </button>
  );
}
