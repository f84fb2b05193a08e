/** Keys, words and mouse, explained. */
import { Dialog } from "./dialog.tsx";
import { type GameText, t } from "./texts.ts";
import { useSession } from "./use.ts";

const KEYS: readonly (readonly [keys: readonly string[], text: GameText])[] = [
  [["←", "k"], "keys_back"],
  [["→", "j"], "keys_on"],
  [["↑", "Home", "0"], "keys_first"],
  [["↓", "End", "$"], "keys_last"],
  [["f"], "keys_flip"],
  [["m"], "keys_type"],
  [["c"], "keys_chat"],
  [["?"], "keys_help"],
];

const WORDS: readonly (readonly [words: readonly string[], text: GameText])[] = [
  [["cancel"], "words_cancel"],
  [["draw"], "words_draw"],
  [["resign"], "words_resign"],
  [["takeback"], "words_takeback"],
  [["abort"], "words_abort"],
  [["yes", "no"], "words_yes"],
  [["clock"], "words_clock"],
  [["last"], "words_last"],
];

export function Help({ close }: { close: () => void }) {
  const { game } = useSession();
  const example = game.state.moves[0] ?? game.history[0]?.uci ?? "e2e4";
  return (
    <Dialog title={t("help_title")} close={close}>
      <h3>{t("keys_title")}</h3>
      <dl class="g-keys">
        {KEYS.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <p>{t("keys_board")}</p>
      <h3>{t("words_title")}</h3>
      <dl class="g-keys">
        <div>
          <dt>
            <code>{example}</code>
          </dt>
          <dd>{t("words_move")}</dd>
        </div>
        {WORDS.map(([words, text]) => (
          <div key={text}>
            <dt>
              {words.map((word) => (
                <code key={word}>{word}</code>
              ))}
            </dt>
            <dd>{t(text)}</dd>
          </div>
        ))}
      </dl>
      <h3>{t("mouse_title")}</h3>
      <p>{t("mouse_draw")}</p>
      <p>{t("mouse_premove")}</p>
      <p>
        <a href={`/rules/${game.variant}`}>{t("rules_of", { name: game.variant_name })}</a>
      </p>
    </Dialog>
  );
}
