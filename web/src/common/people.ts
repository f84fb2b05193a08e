/** What people are called on the pages. */
import type { Schemas } from "./api.ts";
import { learn, t } from "./texts.ts";

learn({
  "people.guest": "Guest",
  "people.guest_number": "Guest {number}",
});

/** The names of guests: with a number, without one where the guest is gone. No account can take such a name. */
const GUEST = /^Guest(?: (\d+))?$/;

/** A name as the page's language has it. */
export function called(name: string): string {
  const guest = GUEST.exec(name);
  if (!guest) return name;
  return guest[1] ? t("people.guest_number", { number: guest[1] }) : t("people.guest");
}

/** The name of a player. */
export const nameOf = ({ name }: Schemas["Player"]): string => called(name);
