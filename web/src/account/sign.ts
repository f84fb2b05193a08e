/** Signing in and registering. */
import { type Schemas, send } from "../common/api.ts";
import { inWords } from "../common/faults.ts";
import { adopt } from "../common/settings.ts";
import { t } from "../common/texts.ts";

/** Where to go afterwards: a page of this site that the address names, or the first. */
function next(): string {
  const wanted = new URLSearchParams(location.search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(wanted) ? wanted : "/";
}

/** Makes the form of the page work. */
export function handleSign(form: HTMLFormElement): void {
  const isNew = form.dataset.new === "true";
  const fault = form.querySelector<HTMLElement>(".fault");
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  const label = button?.textContent ?? "";
  const busy = (on: boolean): void => {
    if (!button) return;
    button.disabled = on;
    button.textContent = on ? t("account.working") : label;
  };
  const known = { credentials: "account.credentials", conflict: "account.taken", invalid: "account.invalid", reserved_name: "account.reserved" };
  // The page brings it disabled: sent without this script, the form would not sign anybody in.
  busy(false);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    const body = { name: String(fields.get("name") ?? "").trim(), password: String(fields.get("password") ?? "") };
    if (fault) fault.textContent = "";
    busy(true);
    send<Schemas["Account"]>("POST", `/api/account/${isNew ? "register" : "sign-in"}`, body).then(
      (account) => {
        adopt(account.settings);
        location.assign(next());
      },
      (error: unknown) => {
        if (fault) fault.textContent = inWords(error, known);
        busy(false);
      },
    );
  });
}
