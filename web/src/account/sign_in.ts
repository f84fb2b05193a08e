/** The forms to sign in, register, and recover an account. */
import { render } from "preact";
import { ApiError, type Schemas, send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { applySettings } from "../common/settings.ts";
import { t } from "../common/texts.ts";
import { recoveryCodePage } from "./recovery_codes.tsx";

type Account = Schemas["Account"];

/** The next page: the `next` of the address if it is a page of this site, else the home page. */
function next(): string {
  const wanted = new URLSearchParams(location.search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(wanted) ? wanted : "/";
}

/** The request of each form. The answer to a `signed` one is the account that is now signed in. */
const KINDS: Record<string, { path: string; fields: readonly string[]; signed: boolean; done?: string }> = {
  "register": { path: "/api/account/register", fields: ["name", "password"], signed: true },
  "sign-in": { path: "/api/account/sign-in", fields: ["name", "password", "code"], signed: true },
  "recover": { path: "/api/account/recover", fields: ["name", "recovery_code", "password", "code"], signed: true },
  "reset": { path: "/api/account/email/reset", fields: ["password", "code"], signed: true },
  "confirm-email": { path: "/api/account/email/confirm", fields: [], signed: false, done: "account.confirmed" },
  "forgotten": { path: "/api/account/email/forgotten", fields: ["email"], signed: false, done: "account.link_sent" },
};

const FAULTS: Readonly<Record<string, string>> = {
  credentials: "account.credentials",
  conflict: "account.taken",
  invalid: "account.invalid",
  reserved_name: "account.reserved",
  recovery: "account.bad_code",
  closed: "account.closed",
  banned: "account.banned",
  second_factor: "account.give_code",
  second_factor_wrong: "account.wrong_code",
};

/** The error messages of a form. */
function faultsOf(kind: string): Readonly<Record<string, string>> {
  if (kind === "reset" || kind === "confirm-email") {
    return { ...FAULTS, recovery: "account.bad_link", invalid: "account.passwords" };
  }
  return kind === "recover" ? { ...FAULTS, invalid: "account.passwords" } : FAULTS;
}

/** Shows the field for the second factor. */
function askForCode(form: HTMLFormElement): void {
  const part = form.querySelector<HTMLElement>("#second-factor");
  const field = part?.querySelector("input");
  if (!part || !field) return;
  part.hidden = false;
  field.required = true;
  field.focus();
  field.select();
}

/** Shows the player's name in the bar at the top, as the server does from the next page on. */
function showInBar({ id, name }: Schemas["Player"]): void {
  document.body.dataset.user = id;
  const link = document.querySelector<HTMLAnchorElement>(".top .enter");
  const label = link?.querySelector("span");
  if (!link || !label) return;
  link.href = "/account";
  link.dataset.name = "";
  label.textContent = name;
}

function signedIn(form: HTMLFormElement, account: Account): void {
  applySettings(account.settings);
  if (account.player) showInBar(account.player);
  const code = account.recovery_code;
  if (!code) {
    location.assign(next());
    return;
  }
  const place = document.createElement("div");
  form.parentElement?.replaceChildren(place);
  render(recoveryCodePage(account.player?.name ?? "", code, () => location.assign(next())), place);
}

/** Attaches the submit handler to a form. */
export function attachSignInForm(form: HTMLFormElement): void {
  const kind = form.dataset.kind ?? "";
  const { path, fields, signed, done } = KINDS[kind] ?? { path: "", fields: [], signed: false };
  const fault = form.querySelector<HTMLElement>(".fault");
  const outcome = form.querySelector<HTMLElement>(".done");
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  const label = button?.textContent ?? "";
  const busy = (on: boolean): void => {
    if (!button) return;
    button.disabled = on;
    button.textContent = on ? t("account.working") : label;
  };
  // The button is disabled until this script runs, because the form does not work without it.
  busy(false);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(form);
    const body: Record<string, string> = {};
    for (const name of fields) {
      const value = String(data.get(name) ?? "");
      const text = name === "password" ? value : value.trim();
      if (text || name !== "code") body[name] = text;
    }
    // Links carry their token after the `#`, which browsers do not send to servers.
    if (kind === "reset" || kind === "confirm-email") body.token = location.hash.slice(1);
    if (fault) fault.textContent = "";
    if (outcome) outcome.textContent = "";
    busy(true);
    send<Account | undefined>("POST", path, body).then(
      (account) => {
        if (signed && account) return signedIn(form, account);
        busy(false);
        if (outcome) outcome.textContent = t(done ?? "account.kept");
      },
      (error: unknown) => {
        busy(false);
        const code = error instanceof ApiError ? error.problem.code : "";
        // A request for the code is not an error.
        const asked = code === "second_factor";
        if (fault && !asked) fault.textContent = errorText(error, faultsOf(kind));
        if (asked || code === "second_factor_wrong") askForCode(form);
      },
    );
  });
}
