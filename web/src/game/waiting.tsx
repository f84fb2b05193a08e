/** A game without a second player: the link for its creator, and the button to join. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { rulesId } from "../common/rules_id.ts";
import { copyText, hasAccount, signInAddress } from "../common/page.ts";
import { Copy, Play } from "./icons.tsx";
import { ColorSign } from "../common/color_sign.tsx";
import type { Color, Game } from "./record.ts";
import { colorsOf, freeColors, isMulti, playerOf } from "./seats.ts";
import { t } from "./texts.ts";
import { useSession, useTick } from "./hooks.ts";
import { clockText, nameOf, playerName } from "./game_text.ts";

export function Waiting() {
  const { game } = useSession();
  if (game.you) return game.state.status === "waiting" ? <Invitation side={game.you} /> : null;
  return game.state.status === "waiting" ? <Join /> : <Taken watching />;
}

/** The place of four that the link is for, if there is one. */
function placeOfLink(game: Game): Color | undefined {
  const asked = new URLSearchParams(location.search).get("seat");
  return isMulti(game) ? colorsOf(game).find((color) => color === asked) : undefined;
}

/** Another player has the place that the link is for. */
function Taken({ watching }: { watching?: boolean }) {
  const { game } = useSession();
  const color = placeOfLink(game);
  if (!color || freeColors(game).includes(color)) return null;
  return <p class="g-taken" role="status">{t(watching ? "seat_taken_watching" : "seat_taken", { side: t(color) })}</p>;
}

/** Whether a link has just been copied, and how to copy it. */
function useCopy(link: string): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    if (!(await copyText(link))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2500);
  };
  return { copied, copy: () => void copy() };
}

/** The places of a game of four: who sits where, and what can be done with each free place. */
function Seats({ action }: { action: (color: Color) => ComponentChildren }) {
  const { game } = useSession();
  return (
    <ul class="g-seats">
      {colorsOf(game).map((color) => (
        <li key={color} data-mine={game.you === color ? "" : undefined}>
          <ColorSign color={color} />
          <b>{t(color)}</b>
          <span>{game.seats?.find((seat) => seat.color === color)?.open ? <em>{t("in_lobby")}</em> : nameOf(game, color)}</span>
          {!playerOf(game, color) && action(color)}
        </li>
      ))}
    </ul>
  );
}

/** How many of the four players are there. */
function Count() {
  const { game } = useSession();
  const all = colorsOf(game).length;
  return <p class="g-count" role="status">{t("players_of", { count: all - freeColors(game).length, all })}</p>;
}

/** When the engine takes the places that are still free. */
function EngineFills() {
  const { game, connection } = useSession();
  useTick(game.fill ? 1_000 : null);
  if (!game.fill) return null;
  const left = Math.ceil((game.created_at + game.fill.after_s * 1_000 - connection.now()) / 1_000);
  if (left <= 0) return <p class="g-fill">{t("engine_fills_now")}</p>;
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  return <p class="g-fill">{t("engine_fills", { time })}</p>;
}

/** Copies the link of one place. */
function SeatLink({ color, link }: { color: Color; link: string }) {
  const { copied, copy } = useCopy(`${link}?seat=${color}`);
  return (
    <button type="button" class="g-button" title={t("link_of", { side: t(color) })} aria-label={t("link_of", { side: t(color) })} onClick={copy}>
      <Copy /> <span aria-live="polite">{t(copied ? "copied" : "copy")}</span>
    </button>
  );
}

function Invitation({ side }: { side: Color }) {
  const session = useSession();
  const [hasQrCode, setHasQrCode] = useState(true);
  const link = `${location.origin}/game/${session.game.id}`;
  const { copied, copy } = useCopy(link);
  const hasSeats = isMulti(session.game);
  return (
    <section class="g-card g-waiting" aria-labelledby="g-invite">
      <h2 id="g-invite">{t("invite")}</h2>
      {hasSeats && <Count />}
      <EngineFills />
      <p>
        {t(hasSeats ? "invite_four" : "invite_about")} {!hasSeats && t("you_play", { side: t(side) })}
      </p>
      {hasSeats && <Seats action={(color) => <SeatLink color={color} link={link} />} />}
      <div class="g-link">
        <input
          type="text"
          readOnly
          value={link}
          aria-label={t("link")}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button type="button" class="g-button g-good" onClick={copy}>
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
  const [host] = colorsOf(game).flatMap((color) => playerOf(game, color) ?? []);
  const free = freeColors(game);
  const asked = placeOfLink(game);
  const side = free.find((color) => color === asked) ?? free[0] ?? "white";
  return (
    <section class="g-card g-waiting" aria-labelledby="g-invite">
      <h2 id="g-invite">{t("invited", { name: host ? playerName(host) : "?" })}</h2>
      <p>
        <strong>{game.variant_name}</strong> · {clockText(game)} · {t(game.rated ? "rated" : "casual")}
      </p>
      {isMulti(game) ? (
        <>
          <Taken />
          <Count />
          <EngineFills />
          <Seats
            action={(color) =>
              color !== side && (
                <button type="button" class="g-button" onClick={() => void session.join(color)}>
                  {t("join_as", { side: t(color) })}
                </button>
              )
            }
          />
        </>
      ) : (
        <p>{t("join_side", { side: t(side) })}</p>
      )}
      <a class="g-button" href={`/learn/${rulesId(game)}`}>{t("learn")}</a>
      {game.rated && !hasAccount() ? (
        <>
          <p>{t("rated_account")}</p>
          <a class="g-button g-good g-big" href={signInAddress("login")}>{t("sign_in")}</a>
          <a class="g-button" href={signInAddress("register")}>{t("register")}</a>
        </>
      ) : (
        <button type="button" class="g-button g-good g-big" onClick={() => void session.join(isMulti(game) ? side : null)}>
          <Play /> {isMulti(game) ? t("join_as", { side: t(side) }) : t("join")}
        </button>
      )}
    </section>
  );
}
