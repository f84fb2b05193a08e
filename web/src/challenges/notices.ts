/** Challenges as notices in a corner of the page, except on pages that list challenges. */
import { errorText, status } from "../common/errors.ts";
import { element } from "../common/page.ts";
import { t } from "../common/texts.ts";
import { accept, decline, rated, terms } from "./challenge.ts";
import { type Challenge, followEvents, type PlayerEvent } from "./events.ts";

const me = document.body.dataset.user ?? "";

/** Notices by the id of their challenge. */
const open = new Map<string, HTMLElement>();

let corner: HTMLElement | null = null;

/** The challenges whose notice was closed in this tab. */
const CLOSED = "lozenge.closed";

function closed(): string[] {
  try {
    return (sessionStorage.getItem(CLOSED) ?? "").split(" ");
  } catch {
    return [];
  }
}

function close(id: string): void {
  open.get(id)?.remove();
  open.delete(id);
}

function button(text: string, style: string, act: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", class: `button small ${style}` }, text);
  made.addEventListener("click", act);
  return made;
}

function show(id: string, title: string, text: string, ...buttons: Node[]): HTMLElement {
  close(id);
  corner ??= document.body.appendChild(element("div", { class: "notices", role: "status", "aria-live": "polite" }));
  const cross = element("button", { type: "button", class: "close", "aria-label": t("challenge.close") }, "×");
  cross.addEventListener("click", () => {
    close(id);
    try {
      sessionStorage.setItem(CLOSED, [...closed(), id].join(" "));
    } catch {
      // Without session storage the notice returns on the next page.
    }
  });
  const notice = element(
    "div",
    { class: "notice-card" },
    cross,
    element("strong", {}, title),
    element("span", { class: "hint" }, text),
    element("div", { class: "buttons" }, ...buttons),
  );
  open.set(id, notice);
  corner.append(notice);
  return notice;
}

function received(challenge: Challenge): void {
  const { id } = challenge;
  if (closed().includes(id)) return;
  const answer = (work: Promise<unknown>): void => {
    work.then(
      () => close(id),
      (fault: unknown) => {
        const text = status(fault) === 404 ? t("challenge.gone") : errorText(fault);
        notice.querySelector(".hint")?.replaceChildren(text);
        notice.querySelector(".buttons")?.remove();
      },
    );
  };
  const notice = show(
    id,
    t("challenge.from", { name: rated(challenge.challenger) }),
    terms(challenge, true),
    button(t("challenge.accept"), "", () => answer(accept(id))),
    button(t("challenge.decline"), "quiet", () => answer(decline(id))),
  );
}

function handle(event: PlayerEvent): void {
  if (!("challenge" in event)) return;
  const { challenge } = event;
  const mine = challenge.challenger.id === me;
  if (event.type === "challenge") {
    if (!mine) received(challenge);
    return;
  }
  close(challenge.id);
  if (!mine) return;
  const name = challenge.challenged.name;
  if (event.type === "challengeDeclined") show(challenge.id, t("challenge.declined", { name }), terms(challenge, false));
  if (event.type !== "challengeAccepted") return;
  const link = element("a", { class: "button small", href: `/game/${event.game.id}` }, t("challenge.to_board"));
  show(challenge.id, t("challenge.accepted", { name }), terms(challenge, false), link);
}

followEvents(handle);
