/** The name of a player, as a link to the profile of an account. */
import type { Schemas } from "./api.ts";
import { nameOf } from "./player_names.ts";

/** The rating of a player; `?` behind one of few games. Empty without one. */
export const ratingOf = ({ rating, provisional }: Schemas["Player"]): string =>
  rating === null || rating === undefined ? "" : `${rating}${provisional ? "?" : ""}`;

/** The path of the profile of an account; null for guests and the engine. */
export const profileOf = ({ kind, name }: Schemas["Player"]): string | null =>
  kind === "user" || kind === "bot" ? `/player/${encodeURIComponent(name)}` : null;

export function PlayerLink({ player }: { player: Schemas["Player"] }) {
  const profile = profileOf(player);
  return profile === null ? <>{nameOf(player)}</> : <a href={profile}>{nameOf(player)}</a>;
}
