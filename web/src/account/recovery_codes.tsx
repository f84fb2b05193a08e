/** Recovery and backup codes, which are shown only once. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { copyText } from "../common/page.ts";
import { t } from "../common/texts.ts";

/** A list of codes, with buttons to copy, save and print it. */
export function Codes({ name, codes, file }: { name: string; codes: readonly string[]; file: string }) {
  const [copied, setCopied] = useState(false);
  const text = codes.join("\n");
  const saved = `data:text/plain;charset=utf-8,${encodeURIComponent(`Lozenge, ${location.host}, ${name}\n\n${text}\n`)}`;
  return (
    <>
      <ul class={codes.length > 1 ? "codes codes-grid" : "codes"} translate={false}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class="buttons code-ways">
        <button class="button quiet small" type="button" onClick={() => void copyText(text).then(setCopied)}>
          {copied ? t("account.copied") : t("account.copy")}
        </button>
        <a class="button quiet small" href={saved} download={file}>
          {t("account.save")}
        </a>
        <button class="button quiet small" type="button" onClick={() => window.print()}>
          {t("account.print")}
        </button>
      </div>
    </>
  );
}

function RecoveryCodePage({ name, code, onContinue }: { name: string; code: string; onContinue: () => void }) {
  const [isStored, setStored] = useState(false);
  return (
    <section class="form keep" aria-labelledby="keep-title">
      <h1 id="keep-title">{t("account.recovery")}</h1>
      <p>{t("account.recovery_keep", { name })}</p>
      <Codes name={name} codes={[code]} file="lozenge-recovery-code.txt" />
      <label class="check">
        <input type="checkbox" checked={isStored} onChange={(event) => setStored(event.currentTarget.checked)} />
        {t("account.recovery_kept")}
      </label>
      <button class="button" type="button" disabled={!isStored} onClick={onContinue}>
        {t("account.go_on")}
      </button>
    </section>
  );
}

/** The page that shows a new recovery code until the user confirms having saved it. */
export const recoveryCodePage = (name: string, code: string, onContinue: () => void): VNode => <RecoveryCodePage name={name} code={code} onContinue={onContinue} />;
