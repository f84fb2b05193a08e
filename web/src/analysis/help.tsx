/** Help: keyboard shortcuts and mouse. */
import { Dialog } from "../game/dialog.tsx";
import { t as explorerText } from "./explorer_texts.ts";
import { type Text, t } from "./texts.ts";

const KEYS: readonly (readonly [keys: readonly string[], text: Text])[] = [
  [["←", "k"], "keys_back"],
  [["→", "j"], "keys_on"],
  [["↑", "↓", "0", "$"], "keys_ends"],
  [["⇧ ←", "⇧ →"], "keys_fork"],
  [["⇧ ↑", "⇧ ↓"], "keys_sibling"],
  [["l"], "keys_engine"],
  [["␣"], "keys_best"],
  [["x"], "keys_threat"],
  [["a"], "keys_arrow"],
  [["f"], "keys_flip"],
  [["z"], "keys_zen"],
  [["⇧ I"], "keys_inline"],
  [["b", "m", "i"], "keys_faults"],
  [["1", "…", "6"], "keys_nags"],
  [["d"], "keys_comment"],
  [["t"], "keys_type"],
  [["?"], "keys_help"],
];

const EXPLORER_KEYS: readonly (readonly [key: string, text: string])[] = [
  ["e", "keys_open"],
  ["⇧ ␣", "keys_play"],
];

interface HelpProps {
  close: () => void;
  /** Keys of the page, with what they do. */
  more?: readonly (readonly [keys: readonly string[], text: string])[];
}

export function Help({ close, more = [] }: HelpProps) {
  return (
    <Dialog title={t("help")} close={close}>
      <h3>{t("keys_title")}</h3>
      <dl class="g-keys">
        {[...KEYS.map(([keys, text]) => [keys, t(text)] as const), ...more].map(([keys, text]) => (
          <div key={text}>
            <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        {EXPLORER_KEYS.map(([key, text]) => (
          <div key={text}>
            <dt><kbd>{key}</kbd></dt>
            <dd>{explorerText(text)}</dd>
          </div>
        ))}
      </dl>
      <h3>{t("mouse_title")}</h3>
      <p>{t("mouse_draw")}</p>
      <p>{t("mouse_wheel")}</p>
    </Dialog>
  );
}
