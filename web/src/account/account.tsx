/** The account page: appearance, password, sessions, tokens, data. */
import { useEffect, useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import {
  BOARDS,
  type BoardColors,
  LANGUAGES,
  type Settings,
  setBoardColors,
  setSound,
  setTheme,
  type Theme,
  THEMES,
  onSoundChange,
} from "../common/settings.ts";
import { t } from "../common/texts.ts";
import { Choices } from "../home/form_fields.tsx";
import { Notifications } from "./notifications.tsx";
import { Password, OutcomeMessage, Section, useRequest } from "./form_parts.tsx";
import { unsubscribe } from "./push.ts";
import { Email, Recovery, SecondFactor } from "./security.tsx";
import { Tokens } from "./tokens.tsx";

type Account = Schemas["Account"];

function AppearanceSettings({ account }: { account: Account }) {
  const [settings, setSettings] = useState<Settings>(account.settings);
  const outcome = useRequest();
  // The preferences in the top bar change it too.
  useEffect(() => onSoundChange((sound) => setSettings((previous) => ({ ...previous, sound }))), []);
  const change = (part: Settings) => {
    const after = { ...settings, ...part };
    setSettings(after);
    return outcome.run(() => send("PUT", "/api/account/settings", after), t("account.kept"));
  };
  return (
    <Section id="looks" title={t("account.looks")} hint={t("account.looks_hint")}>
      <div class="stack">
        <Choices<Theme>
          name="theme"
          title={t("account.theme")}
          values={THEMES.map((name) => [name, t(`account.${name}`)] as const)}
          chosen={(settings.theme as Theme | null | undefined) ?? "auto"}
          choose={(theme) => {
            setTheme(theme);
            void change({ theme: theme === "auto" ? null : theme });
          }}
        />
        <fieldset class="field">
          <legend>{t("account.board")}</legend>
          <div class="swatches">
            {BOARDS.map((name) => (
              <label key={name}>
                <input
                  type="radio"
                  name="board"
                  checked={(settings.board ?? "heather") === name}
                  onChange={() => {
                    setBoardColors(name as BoardColors);
                    void change({ board: name });
                  }}
                />
                <span class="swatch" data-board={name} />
                {t(`frame.board.${name}`)}
              </label>
            ))}
          </div>
        </fieldset>
        <Choices
          name="sound"
          title={t("account.sound")}
          values={[
            ["on", t("account.on")],
            ["off", t("account.off")],
          ]}
          chosen={settings.sound === false ? "off" : "on"}
          choose={(sound) => {
            setSound(sound === "on");
            void change({ sound: sound === "on" });
          }}
        />
        <div class="field">
          <label for="language">{t("account.language")}</label>
          <select
            id="language"
            value={settings.language ?? ""}
            onChange={(event) => {
              const language = event.currentTarget.value || null;
              void change({ language }).then((isSaved) => isSaved && location.reload());
            }}
          >
            <option value="">{t("account.by_browser")}</option>
            {Object.entries(LANGUAGES).map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <OutcomeMessage outcome={outcome} />
      </div>
    </Section>
  );
}

function ChangePassword({ name }: { name: string }) {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const outcome = useRequest({ credentials: "account.wrong_password" });
  const submit = (event: Event) => {
    event.preventDefault();
    void outcome
      .run(() => send("POST", "/api/account/password", { old: currentPassword, new: newPassword }), t("account.changed"))
      .then((changed) => {
        if (!changed) return;
        setCurrentPassword("");
        setNewPassword("");
      });
  };
  return (
    <Section id="password" title={t("account.password")}>
      <form class="stack" method="post" onSubmit={submit}>
        <input type="text" name="username" autocomplete="username" value={name} readOnly hidden />
        <Password id="old" label={t("account.old")} autocomplete="current-password" value={currentPassword} change={setCurrentPassword} />
        <Password id="new" label={t("account.new")} autocomplete="new-password" value={newPassword} change={setNewPassword} />
        <OutcomeMessage outcome={outcome} />
        <div class="buttons">
          <button class="button" type="submit" disabled={outcome.isPending}>
            {t("account.change")}
          </button>
        </div>
      </form>
    </Section>
  );
}

function Sessions() {
  const outcome = useRequest();
  const signOut = (path: string) =>
    void outcome
      .run(async () => {
        // The next user of this browser must not get these notifications.
        await unsubscribe().catch(() => undefined);
        await send("POST", path);
      })
      .then((isSignedOut) => isSignedOut && location.assign("/"));
  return (
    <Section id="sessions" title={t("account.sessions")} hint={t("account.everywhere_hint")}>
      <OutcomeMessage outcome={outcome} />
      <div class="buttons">
        <button class="button" type="button" onClick={() => signOut("/api/account/sign-out")}>
          {t("account.sign_out")}
        </button>
        <button class="button quiet" type="button" onClick={() => signOut("/api/account/sign-out-everywhere")}>
          {t("account.everywhere")}
        </button>
      </div>
    </Section>
  );
}

function OwnData() {
  const [password, setPassword] = useState("");
  const outcome = useRequest({ credentials: "account.wrong_password" });
  const submit = (event: Event) => {
    event.preventDefault();
    void outcome
      .run(() => send("POST", "/api/account/delete", { password }))
      .then((deleted) => deleted && location.assign("/"));
  };
  return (
    <Section id="data" title={t("account.data")}>
      <p>
        <a class="button quiet" href="/api/account/data" download="lozenge.json">
          {t("account.download")}
        </a>
      </p>
      <details class="more-of">
        <summary>{t("account.delete")}</summary>
        <form class="stack" method="post" onSubmit={submit}>
          <p>{t("account.delete_hint")}</p>
          <Password
            id="delete-password"
            label={t("account.delete_sure")}
            autocomplete="current-password"
            value={password}
            change={setPassword}
          />
          <OutcomeMessage outcome={outcome} />
          <div class="buttons">
            <button class="button danger" type="submit" disabled={outcome.isPending}>
              {t("account.delete_now")}
            </button>
          </div>
        </form>
      </details>
    </Section>
  );
}

export function AccountPage({ account }: { account: Account }) {
  const name = account.player?.name ?? "";
  return (
    <>
      <p class="lead">
        <strong>{name}</strong> · <a href={`/player/${encodeURIComponent(name)}`}>{t("account.profile")}</a>
      </p>
      <div class="panels">
        <div class="panel-column">
          <AppearanceSettings account={account} />
          <Notifications />
          <Tokens />
          <OwnData />
        </div>
        <div class="panel-column">
          <ChangePassword name={name} />
          {account.security && <SecondFactor name={name} security={account.security} />}
          {account.security && <Recovery name={name} security={account.security} />}
          {account.security?.mail && <Email security={account.security} />}
          <Sessions />
        </div>
      </div>
    </>
  );
}
