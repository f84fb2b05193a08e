/** API tokens: created, shown once, revoked. */
import { useEffect, useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { copyText } from "../common/page.ts";
import { date } from "../common/dates.ts";
import { t } from "../common/texts.ts";
import { OutcomeMessage, Section, useRequest } from "./form_parts.tsx";

type Scope = Schemas["Scope"];
type Token = Schemas["Token"];

const SCOPES: readonly Scope[] = ["play", "read", "bot"];

function Secret({ secret }: { secret: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div class="secret">
      <p>{t("account.secret")}</p>
      <div class="secret-line">
        <input readOnly value={secret} aria-label={t("account.secret")} onFocus={(event) => event.currentTarget.select()} />
        <button
          class="button quiet"
          type="button"
          onClick={() => void copyText(secret).then(setCopied)}
        >
          {copied ? t("account.copied") : t("account.copy")}
        </button>
      </div>
    </div>
  );
}

export function Tokens() {
  const [tokens, setTokens] = useState<Token[] | null>(null);
  const [label, setLabel] = useState("");
  const [scopes, setScopes] = useState<Scope[]>(["play"]);
  const [secret, setSecret] = useState("");
  const outcome = useRequest();
  const refresh = async () => setTokens(await send<Token[]>("GET", "/api/tokens"));
  useEffect(() => void refresh().catch(() => undefined), []);
  if (!tokens) return null;
  const createToken = async () => {
    if (scopes.length === 0) throw new RangeError(t("account.no_scope"));
    const token = await send<Token>("POST", "/api/tokens", { label: label.trim(), scopes });
    setSecret(token.secret ?? "");
    setLabel("");
    await refresh();
  };
  const revoke = async (id: string) => {
    await send("DELETE", `/api/tokens/${id}`);
    setSecret("");
    await refresh();
  };
  return (
    <Section id="tokens" title={t("account.tokens")} hint={t("account.tokens_hint")}>
      {tokens.length === 0 ? (
        <p class="notice">{t("account.no_tokens")}</p>
      ) : (
        <ul class="tokens">
          {tokens.map((token) => (
            <li key={token.id}>
              <span>
                <strong>{token.label}</strong>
                <span class="hint">
                  {token.scopes.map((scope) => t(`account.scope_${scope}`)).join(", ")} ·{" "}
                  {t("account.since", { date: date(token.created_at) })}
                </span>
              </span>
              <button
                class="button danger small"
                type="button"
                aria-label={t("account.revoke_named", { label: token.label })}
                onClick={() => void outcome.run(() => revoke(token.id))}
              >
                {t("account.revoke")}
              </button>
            </li>
          ))}
        </ul>
      )}
      {secret && <Secret key={secret} secret={secret} />}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void outcome.run(createToken);
        }}
      >
        <div class="field">
          <label for="token-label">{t("account.label")}</label>
          <input
            id="token-label"
            required
            maxlength={60}
            placeholder={t("account.label_example")}
            value={label}
            onInput={(event) => setLabel(event.currentTarget.value)}
          />
        </div>
        <div>
          {SCOPES.map((scope) => (
            <label key={scope} class="check">
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={(event) =>
                  setScopes(
                    event.currentTarget.checked ? [...scopes, scope] : scopes.filter((other) => other !== scope),
                  )
                }
              />
              {t(`account.scope_${scope}`)}
            </label>
          ))}
        </div>
        {scopes.includes("bot") && <p class="hint">{t("account.bot_hint")}</p>}
        <OutcomeMessage outcome={outcome} />
        <div class="buttons">
          <button class="button" type="submit" disabled={outcome.isPending}>
            {t("account.make_token")}
          </button>
        </div>
      </form>
    </Section>
  );
}
