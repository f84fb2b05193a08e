/** What people are called on the pages. */
import type { Schemas } from "./api.ts";
import { learn, t } from "./texts.ts";

learn({
  "people.guest": "Guest",
});

/** The name of everybody without one, which nobody else can take. */
const GUEST = "Guest";

/** A name as the page's language has it. */
export const called = (name: string): string => (name === GUEST ? t("people.guest") : name);

/** The name of a player. */
export const nameOf = ({ name }: Schemas["Player"]): string => called(name);
