/** The form for pictures of pieces: one of our set, the letter, or an SVG of one's own. Each choice changes the text of the file. */
import { useEffect, useRef, useState } from "preact/hooks";
import { colorsOf } from "../board/colors.ts";
import type { Board, Color, Role } from "../board/index.ts";
import { ApiError } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { t } from "../common/texts.ts";
import { setPicture } from "./forms.ts";
import { data, deletePicture, MAX_SVG, type OwnPicture, ownPictures, sendPicture } from "./model.ts";
import { PieceSymbol, type SymbolRole } from "../common/piece_symbol.tsx";

/** A picture in the colors of all sides. */
function AllColors({ role, colors }: { role: SymbolRole; colors: readonly Color[] }) {
  return (
    <span class="both-sides">
      {colors.map((color) => (
        <PieceSymbol key={color} role={role} color={color} />
      ))}
    </span>
  );
}

interface FormProps {
  text: string;
  board: Board;
  change: (text: string) => void;
}

export function PicturesForm({ text, board, change }: FormProps) {
  const [letter, setLetter] = useState(board.roles[0]?.letter ?? "");
  const [userPictures, setUserPictures] = useState<readonly OwnPicture[]>([]);
  const [message, setMessage] = useState("");
  const [fault, setFault] = useState("");
  const file = useRef<HTMLInputElement>(null);
  // While a picture is on its way the text may change.
  const latestText = useRef(text);
  latestText.current = text;
  const listRequests = useRef(0);
  const role: Role | undefined = board.roles.find((one) => one.letter === letter) ?? board.roles[0];
  const failed = (error: unknown): void => setFault(errorText(error));
  /** Lists the user's pictures. An earlier request's answer may come late, and is ignored then. */
  const listOwn = async (): Promise<void> => {
    const request = (listRequests.current += 1);
    const pictures = await ownPictures();
    if (request === listRequests.current) setUserPictures(pictures);
  };
  useEffect(() => {
    if (data.account) listOwn().catch(failed);
  }, []);
  if (!role) return null;
  const choose = (name: string): void => {
    const changed = setPicture(latestText.current, role.letter, name);
    setFault(changed === null ? t("studio.picture_otherwise") : "");
    if (changed !== null) change(changed);
  };
  const upload = async (chosen: File | undefined): Promise<void> => {
    setMessage("");
    setFault("");
    if (!chosen) return;
    if (chosen.size > MAX_SVG) {
      setFault(t("studio.picture_large"));
      return;
    }
    try {
      const uploaded = await sendPicture(await chosen.text());
      if (uploaded.left_out.length > 0) setMessage(t("studio.picture_left_out", { names: uploaded.left_out.join(", ") }));
      choose(uploaded.digest);
      await listOwn();
    } catch (error) {
      const reason = error instanceof ApiError && error.problem.status === 422 ? error.problem.detail : null;
      setFault(reason === null ? errorText(error) : t("studio.picture_refused", { reason }));
    } finally {
      // The same file can be chosen again after it was changed.
      if (file.current) file.current.value = "";
    }
  };
  const remove = (digest: string): void => {
    deletePicture(digest).then(() => setUserPictures((all) => all.filter((one) => one.digest !== digest)), failed);
  };
  const choice = (glyph: string | null, name: string) => (
    <button
      key={name}
      type="button"
      class="picture-choice"
      title={name}
      aria-label={name}
      aria-pressed={(role.glyph ?? null) === glyph}
      onClick={() => choose(glyph ?? "")}
    >
      <AllColors role={{ glyph, letter: role.letter }} colors={colorsOf(board.players)} />
    </button>
  );
  return (
    <div class="pictures-form">
      <div class="chips" role="group" aria-label={t("studio.pieces")}>
        {board.roles.map((one) => (
          <button key={one.letter} type="button" class="chip" aria-pressed={one === role} onClick={() => setLetter(one.letter)}>
            {one.name}
          </button>
        ))}
      </div>
      <section>
        <h3>{t("studio.picture_own")}</h3>
        {data.account ? (
          <>
            <label class="button quiet small picture-send">
              {t("studio.picture_send")}
              <input ref={file} type="file" accept=".svg,image/svg+xml" onChange={(event) => void upload(event.currentTarget.files?.[0])} />
            </label>
            <p class="hint">{t("studio.picture_hint")}</p>
          </>
        ) : (
          <p class="hint">
            <a href="/login">{t("studio.picture_sign_in")}</a>
          </p>
        )}
        <p class="hint" role="status">
          {message}
        </p>
        <p class="fault" role="alert">
          {fault}
        </p>
        {userPictures.length > 0 && (
          <div class="picture-choices" role="group" aria-label={t("studio.picture_own")}>
            {userPictures.map(({ digest }, index) => (
              <span key={digest} class="picture-own">
                {choice(digest, t("studio.picture_number", { number: index + 1 }))}
                {!text.includes(digest) && (
                  <button type="button" class="picture-delete" aria-label={t("studio.picture_delete", { number: index + 1 })} onClick={() => remove(digest)}>
                    ×
                  </button>
                )}
              </span>
            ))}
          </div>
        )}
      </section>
      <section>
        <h3>{t("studio.picture_ours")}</h3>
        <div class="picture-choices" role="group" aria-label={t("studio.picture_of", { piece: role.name })}>
          {choice(null, t("studio.picture_letter"))}
          {data.pictures.map((name) => choice(name, name))}
        </div>
      </section>
    </div>
  );
}
