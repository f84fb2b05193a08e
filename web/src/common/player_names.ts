/** Names of players in the language of the page. */
import type { Schemas } from "./api.ts";
import { addTexts, t } from "./texts.ts";

addTexts({
  "people.guest": "Guest",
  "people.guest_number": "Guest {number}",
});

/** The names of guests; deleted guests have no number. Accounts cannot have such a name. */
const GUEST = /^Guest(?: (\d+))?$/;

/** Whether a name is that of a guest, who has no profile. */
export const isGuestName = (name: string): boolean => GUEST.test(name);

/** Translates the name of a guest; other names stay. */
export function displayName(name: string): string {
  const guest = GUEST.exec(name);
  if (!guest) return name;
  return guest[1] ? t("people.guest_number", { number: guest[1] }) : t("people.guest");
}

/** The name of a player. */
export const nameOf = ({ name }: Schemas["Player"]): string => displayName(name);
