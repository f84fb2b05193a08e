/** Challenges as notices in a corner of the page, except on pages that list challenges. */
import "../../styles/notices.css";
import { errorText, status } from "../common/errors.ts";
import { element } from "../common/page.ts";
import { t } from "../common/texts.ts";
import { accept, decline, nameWithRating, terms } from "./challenge.ts";
import { type Challenge, followEvents, type PlayerEvent } from "./events.ts";

const me = document.body.dataset.user ?? "";

/** Notices by the id of their challenge. */
const openNotices = new Map<string, HTMLElement>();

let corner: HTMLElement | null = null;

/** The challenges whose notice was closed in this tab. */
const CLOSED_KEY = "lozenge.closed";

function closedIds(): string[] {
  try {
    return (sessionStorage.getItem(CLOSED_KEY) ?? "").split(" ");
  } catch {
    return [];
  }
}

function closeNotice(id: string): void {
  openNotices.get(id)?.remove();
  openNotices.delete(id);
}

function button(text: string, style: string, onClick: () => void): HTMLButtonElement {
  const button = element("button", { type: "button", class: `button small ${style}` }, text);
  button.addEventListener("click", onClick);
  return button;
}

function showNotice(id: string, title: string, text: string, ...buttons: Node[]): HTMLElement {
  closeNotice(id);
  corner ??= document.body.appendChild(element("div", { class: "notices", role: "status", "aria-live": "polite" }));
  const cross = element("button", { type: "button", class: "close", "aria-label": t("challenge.close") }, "×");
  cross.addEventListener("click", () => {
    closeNotice(id);
    try {
      sessionStorage.setItem(CLOSED_KEY, [...closedIds(), id].join(" "));
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
  openNotices.set(id, notice);
  corner.append(notice);
  return notice;
}

function showReceived(challenge: Challenge): void {
  const { id } = challenge;
  if (closedIds().includes(id)) return;
  const handleAnswer = (work: Promise<unknown>): void => {
    work.then(
      () => closeNotice(id),
      (fault: unknown) => {
        const text = status(fault) === 404 ? t("challenge.gone") : errorText(fault);
        notice.querySelector(".hint")?.replaceChildren(text);
        notice.querySelector(".buttons")?.remove();
      },
    );
  };
  const notice = showNotice(
    id,
    t("challenge.from", { name: nameWithRating(challenge.challenger) }),
    terms(challenge, true),
    button(t("challenge.accept"), "", () => handleAnswer(accept(id))),
    button(t("challenge.decline"), "quiet", () => handleAnswer(decline(id))),
  );
}

function handle(event: PlayerEvent): void {
  if (!("challenge" in event)) return;
  const { challenge } = event;
  const isOwn = challenge.challenger.id === me;
  if (event.type === "challenge") {
    if (!isOwn) showReceived(challenge);
    return;
  }
  closeNotice(challenge.id);
  if (!isOwn) return;
  const name = challenge.challenged.name;
  if (event.type === "challengeDeclined") showNotice(challenge.id, t("challenge.declined", { name }), terms(challenge, false));
  if (event.type !== "challengeAccepted") return;
  const link = element("a", { class: "button small", href: `/game/${event.game.id}` }, t("challenge.to_board"));
  showNotice(challenge.id, t("challenge.accepted", { name }), terms(challenge, false), link);
}

followEvents(handle);
