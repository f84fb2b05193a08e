/** Help: keyboard shortcuts, commands, mouse. */
import { rulesId } from "../common/rules_id.ts";
import { Dialog } from "./dialog.tsx";
import { type HelpText, helpText } from "./help_texts.ts";
import { type GameText, t } from "./texts.ts";
import { useSession } from "./hooks.ts";

const KEYS: readonly (readonly [keys: readonly string[], text: HelpText])[] = [
  [["←", "k"], "keys_back"],
  [["→", "j"], "keys_on"],
  [["↑", "Home", "0"], "keys_first"],
  [["↓", "End", "$"], "keys_last"],
  [["f"], "keys_flip"],
  [["z"], "keys_zen"],
  [["m"], "keys_type"],
  [["c"], "keys_chat"],
  [["?"], "keys_help"],
];

/** The commands in the language of the page, and their effect. */
const COMMANDS: readonly (readonly [words: GameText, text: HelpText])[] = [
  ["say_cancel", "words_cancel"],
  ["say_draw", "words_draw"],
  ["say_resign", "words_resign"],
  ["say_takeback", "words_takeback"],
  ["say_abort", "words_abort"],
  ["say_yes", "words_yes"],
  ["say_clock", "words_clock"],
  ["say_last", "words_last"],
];

export function Help({ close }: { close: () => void }) {
  const { game } = useSession();
  const example = game.state.moves[0] ?? game.history[0]?.uci ?? "e2e4";
  return (
    <Dialog title={t("help_title")} close={close}>
      <h3>{helpText("keys_title")}</h3>
      <dl class="g-keys">
        {KEYS.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{helpText(text)}</dd>
          </div>
        ))}
      </dl>
      <p>{helpText("keys_board")}</p>
      <h3>{helpText("words_title")}</h3>
      <dl class="g-keys">
        <div>
          <dt>
            <code>{example}</code>
          </dt>
          <dd>{helpText("words_move")}</dd>
        </div>
        {COMMANDS.map(([words, text]) => (
          <div key={text}>
            <dt>
              {t(words)
                .split(" ")
                .map((word) => (
                  <code key={word}>{word}</code>
                ))}
            </dt>
            <dd>{helpText(text)}</dd>
          </div>
        ))}
      </dl>
      <h3>{helpText("mouse_title")}</h3>
      <p>{helpText("mouse_draw")}</p>
      <p>{helpText("mouse_premove")}</p>
      <p>
        <a href={`/rules/${rulesId(game)}`}>{t("rules_of", { name: game.variant_name })}</a>
      </p>
    </Dialog>
  );
}
