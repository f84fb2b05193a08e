/** The security of an account: recovery code, second factor, e-mail address. */
import { useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { t } from "../common/texts.ts";
import { Codes } from "./recovery_codes.tsx";
import { Password, OutcomeMessage, Section, useRequest } from "./form_parts.tsx";

type Security = Schemas["Security"];
type Setup = Schemas["SecondFactorSetup"];

const ERROR_TEXTS = {
  credentials: "account.wrong_password",
  second_factor: "account.give_code",
  second_factor_wrong: "account.wrong_code",
};

function Code({ id, value, change, backup }: { id: string; value: string; change: (value: string) => void; backup?: boolean }) {
  return (
    <div class="field">
      <label for={id}>{t(backup ? "account.code_or_backup" : "account.code")}</label>
      <input
        id={id}
        required
        maxlength={20}
        inputmode={backup ? "text" : "numeric"}
        autocomplete="one-time-code"
        autocapitalize="characters"
        spellcheck={false}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </div>
  );
}

/** The recovery code: its status and renewal. */
export function Recovery({ name, security }: { name: string; security: Security }) {
  const [hasCode, setHasCode] = useState(security.recovery);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const outcome = useRequest(ERROR_TEXTS);
  const renew = async () => {
    const response = await send<Schemas["RecoveryCode"]>("POST", "/api/account/recovery-code", { password });
    setCode(response.recovery_code);
    setHasCode(true);
    setPassword("");
  };
  return (
    <Section id="recovery" title={t("account.recovery")} hint={t("account.recovery_hint")}>
      {!hasCode && <p class="notice">{t("account.recovery_none")}</p>}
      {code && (
        <div class="secret">
          <p>{t("account.recovery_keep", { name })}</p>
          <Codes name={name} codes={[code]} file="lozenge-recovery-code.txt" />
        </div>
      )}
      <details class="more-of" open={!hasCode}>
        <summary>{t(hasCode ? "account.recovery_new" : "account.recovery_make")}</summary>
        <form
          class="stack"
          method="post"
          onSubmit={(event) => {
            event.preventDefault();
            void outcome.run(renew);
          }}
        >
          {hasCode && <p>{t("account.recovery_old")}</p>}
          <Password
            id="recovery-password"
            label={t("account.old")}
            autocomplete="current-password"
            value={password}
            change={setPassword}
          />
          <OutcomeMessage outcome={outcome} />
          <div class="buttons">
            <button class="button" type="submit" disabled={outcome.isPending}>
              {t("account.recovery_make")}
            </button>
          </div>
        </form>
      </details>
    </Section>
  );
}

/** Set-up of the second factor: password, QR code, first code from the app. */
function SetUp({ onEnabled }: { onEnabled: (codes: string[]) => void }) {
  const [password, setPassword] = useState("");
  const [setup, setSetup] = useState<Setup | null>(null);
  const [code, setCode] = useState("");
  const outcome = useRequest(ERROR_TEXTS);
  const startSetup = async () => {
    setSetup(await send<Setup>("POST", "/api/account/second-factor", { password }));
    setPassword("");
  };
  const confirm = async () => {
    const response = await send<Schemas["BackupCodes"]>("POST", "/api/account/second-factor/confirm", { code: code.trim() });
    onEnabled(response.backup_codes);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void outcome.run(setup ? confirm : startSetup);
  };
  return (
    <form class="stack" method="post" onSubmit={submit}>
      {setup ? (
        <>
          <p>{t("account.factor_scan")}</p>
          <div class="factor">
            <img
              class="factor-qr"
              width={200}
              height={200}
              alt={t("account.factor_qr")}
              src={`data:image/svg+xml;utf8,${encodeURIComponent(setup.qr)}`}
            />
            <div class="field">
              <label for="factor-secret">{t("account.factor_secret")}</label>
              <textarea
                id="factor-secret"
                class="written-code"
                readOnly
                rows={2}
                value={setup.secret.replace(/(.{4})(?=.)/g, "$1 ")}
                onFocus={(event) => event.currentTarget.select()}
              />
            </div>
          </div>
          <Code id="factor-code" value={code} change={setCode} />
        </>
      ) : (
        <Password
          id="factor-password"
          label={t("account.old")}
          autocomplete="current-password"
          value={password}
          change={setPassword}
        />
      )}
      <OutcomeMessage outcome={outcome} />
      <div class="buttons">
        <button class="button" type="submit" disabled={outcome.isPending}>
          {t(setup ? "account.factor_confirm" : "account.factor_set_up")}
        </button>
      </div>
    </form>
  );
}

/** Changes of an active second factor: new backup codes, or off. Both need password and code. */
function Change({ onRenewed, onDisabled }: { onRenewed: (codes: string[]) => void; onDisabled: () => void }) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const outcome = useRequest(ERROR_TEXTS);
  const credentials = () => ({ password, code: code.trim() });
  const clear = () => {
    setPassword("");
    setCode("");
  };
  const renew = async () => {
    const response = await send<Schemas["BackupCodes"]>("POST", "/api/account/second-factor/backup-codes", credentials());
    clear();
    onRenewed(response.backup_codes);
  };
  const switchOff = async () => {
    await send("POST", "/api/account/second-factor/off", credentials());
    onDisabled();
  };
  return (
    <details class="more-of">
      <summary>{t("account.factor_change")}</summary>
      <form
        class="stack"
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          void outcome.run(event.submitter?.id === "factor-off" ? switchOff : renew);
        }}
      >
        <Password
          id="factor-password"
          label={t("account.old")}
          autocomplete="current-password"
          value={password}
          change={setPassword}
        />
        <Code id="factor-code" value={code} change={setCode} backup />
        <OutcomeMessage outcome={outcome} />
        <div class="buttons">
          <button class="button quiet" type="submit" disabled={outcome.isPending}>
            {t("account.backup_new")}
          </button>
          <button class="button danger" type="submit" id="factor-off" disabled={outcome.isPending}>
            {t("account.factor_off")}
          </button>
        </div>
      </form>
    </details>
  );
}

/** The second factor. */
export function SecondFactor({ name, security }: { name: string; security: Security }) {
  const [isEnabled, setEnabled] = useState(security.second_factor);
  const [remainingCodes, setRemainingCodes] = useState(security.backup_codes);
  const [codes, setCodes] = useState<string[]>([]);
  const showCodes = (newCodes: string[]) => {
    setEnabled(true);
    setRemainingCodes(newCodes.length);
    setCodes(newCodes);
  };
  return (
    <Section id="factor" title={t("account.factor")} hint={t("account.factor_hint")}>
      {isEnabled && <p class="done">{t("account.factor_on", { left: remainingCodes })}</p>}
      {codes.length > 0 && (
        <div class="secret">
          <p>{t("account.backup_keep")}</p>
          <Codes name={name} codes={codes} file="lozenge-backup-codes.txt" />
        </div>
      )}
      {isEnabled ? (
        <Change
          onRenewed={showCodes}
          onDisabled={() => {
            setEnabled(false);
            setCodes([]);
          }}
        />
      ) : (
        <details class="more-of">
          <summary>{t("account.factor_set_up")}</summary>
          <SetUp onEnabled={showCodes} />
        </details>
      )}
    </Section>
  );
}

/** The e-mail address, if the server can send mail. */
export function Email({ security }: { security: Security }) {
  const [email, setEmail] = useState(security.email ?? "");
  const [currentEmail, setCurrentEmail] = useState(security.email ?? "");
  const [password, setPassword] = useState("");
  const outcome = useRequest(ERROR_TEXTS);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const remove = event.submitter?.id === "email-remove";
    const body = remove ? { password } : { password, email: email.trim() };
    void outcome
      .run(() => send("POST", "/api/account/email", body), t(remove ? "account.email_removed" : "account.email_sent"))
      .then((isSuccess) => {
        if (!isSuccess) return;
        setPassword("");
        if (remove) {
          setCurrentEmail("");
          setEmail("");
        }
      });
  };
  return (
    <Section id="email" title={t("account.email")} hint={t("account.email_hint")}>
      {currentEmail && <p>{t("account.email_is", { email: currentEmail })}</p>}
      <details class="more-of">
        <summary>{t(currentEmail ? "account.email_change" : "account.email_add")}</summary>
        <form class="stack" method="post" onSubmit={submit}>
          <div class="field">
            <label for="email">{t("account.email")}</label>
            <input
              id="email"
              type="email"
              required
              maxlength={200}
              autocomplete="email"
              value={email}
              onInput={(event) => setEmail(event.currentTarget.value)}
            />
          </div>
          <Password
            id="email-password"
            label={t("account.old")}
            autocomplete="current-password"
            value={password}
            change={setPassword}
          />
          <OutcomeMessage outcome={outcome} />
          <div class="buttons">
            <button class="button" type="submit" disabled={outcome.isPending}>
              {t("account.email_confirm")}
            </button>
            {currentEmail && (
              <button class="button danger" type="submit" id="email-remove" disabled={outcome.isPending}>
                {t("account.email_remove")}
              </button>
            )}
          </div>
        </form>
      </details>
    </Section>
  );
}
