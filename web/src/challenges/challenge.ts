/** Answers to challenges, and their description. */
import { opposite } from "../board/colors.ts";
import { type Schemas, send } from "../common/api.ts";
import { timeControlText } from "../common/time_control.ts";
import { addTexts, t } from "../common/texts.ts";
import type { Challenge } from "./events.ts";

addTexts({
  "challenge.accept": "Accept",
  "challenge.decline": "Decline",
  "challenge.cancel": "Cancel",
  "challenge.from": "{name} challenges you",
  "challenge.to": "You challenge {name}",
  "challenge.rated": "rated",
  "challenge.casual": "casual",
  "challenge.you_white": "you play White",
  "challenge.you_black": "you play Black",
  "challenge.accepted": "{name} has accepted your challenge.",
  "challenge.declined": "{name} has declined your challenge.",
  "challenge.gone": "This challenge is no longer open.",
  "challenge.to_board": "Go to the game",
  "challenge.close": "Close",
  "challenge.title": "Challenges",
});

/** A challenge in one line, as one of its players sees it. */
export function terms(challenge: Challenge, isReceived: boolean): string {
  const { side: chosen } = challenge;
  const side = chosen === "random" ? "" : isReceived ? opposite(chosen) : chosen;
  return [
    challenge.variant_name,
    timeControlText(challenge.clock),
    t(challenge.rated ? "challenge.rated" : "challenge.casual"),
    side === "" ? "" : t(`challenge.you_${side}`),
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

/** A player's name and rating. */
export const nameWithRating = ({ name, rating, provisional }: Schemas["Player"]): string =>
  rating === undefined || rating === null ? name : `${name} (${rating}${provisional ? "?" : ""})`;

const address = (id: string, answer: string): string => `/api/challenge/${id}/${answer}`;

/** Accepts a challenge and opens its game. */
export async function accept(id: string): Promise<void> {
  const { game } = await send<Schemas["Accepted"]>("POST", address(id, "accept"));
  location.assign(`/game/${game}`);
}

export const decline = (id: string): Promise<unknown> => send("POST", address(id, "decline"));

export const cancel = (id: string): Promise<unknown> => send("POST", address(id, "cancel"));
