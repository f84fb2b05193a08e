/** A game without a second player: the link for its creator, and the button to join. */
import { useState } from "preact/hooks";
import { rulesId } from "../common/rules_id.ts";
import { copyText, hasAccount, signInAddress } from "../common/page.ts";
import { Copy, Play } from "./icons.tsx";
import { type Color, opposite } from "./record.ts";
import { t } from "./texts.ts";
import { useSession } from "./hooks.ts";
import { clockText, playerName } from "./game_text.ts";

export function Waiting() {
  const { game } = useSession();
  if (game.state.status !== "waiting") return null;
  return game.you ? <Invitation side={game.you} /> : <Join />;
}

function Invitation({ side }: { side: Color }) {
  const session = useSession();
  const [copied, setCopied] = useState(false);
  const [hasQrCode, setHasQrCode] = useState(true);
  const link = `${location.origin}/game/${session.game.id}`;
  const copy = async (): Promise<void> => {
    if (!(await copyText(link))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2500);
  };
  return (
    <section class="g-card g-waiting" aria-labelledby="g-invite">
      <h2 id="g-invite">{t("invite")}</h2>
      <p>
        {t("invite_about")} {t("you_play", { side: t(side) })}
      </p>
      <div class="g-link">
        <input
          type="text"
          readOnly
          value={link}
          aria-label={t("link")}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" class="g-button g-good" onClick={() => void copy()}>
          <Copy /> <span aria-live="polite">{t(copied ? "copied" : "copy")}</span>
        </button>
      </div>
      {hasQrCode && (
        <img
          class="g-qr"
          src={`/api/games/${session.game.id}/qr.svg`}
          alt={t("qr")}
          onError={() => setHasQrCode(false)}
        />
      )}
      <button type="button" class="g-button" onClick={() => session.sendAction({ type: "abort" })}>
        {t("cancel")}
      </button>
    </section>
  );
}

function Join() {
  const session = useSession();
  const { game } = session;
  const host = game.white ?? game.black;
  const side: Color = game.white ? opposite("white") : "white";
  return (
    <section class="g-card g-waiting" aria-labelledby="g-invite">
      <h2 id="g-invite">{t("invited", { name: host ? playerName(host) : "?" })}</h2>
      <p>
        <strong>{game.variant_name}</strong> · {clockText(game)} · {t(game.rated ? "rated" : "casual")}
      </p>
      <p>{t("join_side", { side: t(side) })}</p>
      <a class="g-button" href={`/learn/${rulesId(game)}`}>{t("learn")}</a>
      {game.rated && !hasAccount() ? (
        <>
          <p>{t("rated_account")}</p>
          <a class="g-button g-good g-big" href={signInAddress("login")}>{t("sign_in")}</a>
          <a class="g-button" href={signInAddress("register")}>{t("register")}</a>
        </>
      ) : (
        <button type="button" class="g-button g-good g-big" onClick={() => void session.join()}>
          <Play /> {t("join")}
        </button>
      )}
    </section>
  );
}
