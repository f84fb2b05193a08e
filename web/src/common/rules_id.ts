/** The id by which the rules of a game are requested. */

/** Games that users have made change with their versions: the digest names the version that is played. */
export const rulesId = ({ variant, digest }: { variant: string; digest: string }): string =>
  variant.startsWith("~") ? digest : variant;
