/** The forms to sign in, register, and recover an account. */
import { render } from "preact";
import { ApiError, type Schemas, send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { applySettings } from "../common/settings.ts";
import { t } from "../common/texts.ts";
import { recoveryCodePage } from "./recovery_codes.tsx";

type Account = Schemas["Account"];

/** The next page: the `next` of the address if it is a page of this site, else the home page. */
function nextPage(): string {
  const path = new URLSearchParams(location.search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(path) ? path : "/";
}

/** Lets the links between the two forms keep the next page. */
export function keepNextPage(): void {
  if (!location.search) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#sign a[href="/login"], #sign a[href="/register"]')) {
    link.search = location.search;
  }
}

/** The request of each form. If it `signsIn`, the response is the account that is now signed in. */
const FORMS: Record<string, { path: string; fields: readonly string[]; signsIn: boolean; successText?: string }> = {
  "register": { path: "/api/account/register", fields: ["name", "password"], signsIn: true },
  "sign-in": { path: "/api/account/sign-in", fields: ["name", "password", "code"], signsIn: true },
  "recover": { path: "/api/account/recover", fields: ["name", "recovery_code", "password", "code"], signsIn: true },
  "reset": { path: "/api/account/email/reset", fields: ["password", "code"], signsIn: true },
  "confirm-email": { path: "/api/account/email/confirm", fields: [], signsIn: false, successText: "account.confirmed" },
  "forgotten": { path: "/api/account/email/forgotten", fields: ["email"], signsIn: false, successText: "account.link_sent" },
};

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  credentials: "account.credentials",
  invalid: "account.invalid",
  reserved_name: "account.reserved",
  recovery: "account.bad_code",
  closed: "account.closed",
  banned: "account.banned",
  second_factor: "account.give_code",
  second_factor_wrong: "account.wrong_code",
};

/** The error messages of a form. */
function errorTextsOf(kind: string): Readonly<Record<string, string>> {
  const hasLink = kind === "reset" || kind === "confirm-email";
  return hasLink ? { ...ERROR_TEXTS, recovery: "account.bad_link" } : ERROR_TEXTS;
}

/** Shows the field for the second factor. */
function showCodeField(form: HTMLFormElement): void {
  const section = form.querySelector<HTMLElement>("#second-factor");
  const field = section?.querySelector("input");
  if (!section || !field) return;
  section.hidden = false;
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

function onSignedIn(form: HTMLFormElement, account: Account): void {
  applySettings(account.settings);
  if (account.player) showInBar(account.player);
  const code = account.recovery_code;
  if (!code) {
    location.assign(nextPage());
    return;
  }
  const container = document.createElement("div");
  form.parentElement?.replaceChildren(container);
  render(recoveryCodePage(account.player?.name ?? "", code, () => location.assign(nextPage())), container);
}

/** Attaches the submit handler to a form. */
export function attachSignInForm(form: HTMLFormElement): void {
  const kind = form.dataset.kind ?? "";
  const { path, fields, signsIn, successText } = FORMS[kind] ?? { path: "", fields: [], signsIn: false };
  const fault = form.querySelector<HTMLElement>(".fault");
  const outcome = form.querySelector<HTMLElement>(".done");
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  const label = button?.textContent ?? "";
  const setPending = (isPending: boolean): void => {
    if (!button) return;
    button.disabled = isPending;
    button.textContent = isPending ? t("account.working") : label;
  };
  // The button is disabled until this script runs, because the form does not work without it.
  setPending(false);
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
    setPending(true);
    send<Account | undefined>("POST", path, body).then(
      (account) => {
        if (signsIn && account) return onSignedIn(form, account);
        setPending(false);
        if (outcome) outcome.textContent = t(successText ?? "account.kept");
      },
      (error: unknown) => {
        setPending(false);
        const code = error instanceof ApiError ? error.problem.code : "";
        // A request for the code is not an error.
        const isCodeRequest = code === "second_factor";
        if (fault && !isCodeRequest) fault.textContent = errorText(error, errorTextsOf(kind));
        if (isCodeRequest || code === "second_factor_wrong") showCodeField(form);
      },
    );
  });
}
