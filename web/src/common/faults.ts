/** What went wrong, in words for people. */
import { ApiError, type Schemas } from "./api.ts";
import { refusal } from "./refusals.ts";
import { learn, t } from "./texts.ts";

learn({
  "fault.network": "The server does not respond. Check your connection and try again.",
  "fault.wait": "Too many requests. Wait a moment and try again.",
  "fault.other": "Failed: {detail}",
  "fault.not_there": "This server does not support that.",
});

/** What the server has refused, as a sentence. */
export function problemWords(problem: Schemas["Problem"]): string {
  const own = refusal(problem);
  if (own === null && problem.status === 429) return t("fault.wait");
  return own ?? t("fault.other", { detail: problem.detail });
}

/** A fault as a sentence. `known` has sentences of the page for the codes that it expects. */
export function inWords(fault: unknown, known: Readonly<Record<string, string>> = {}): string {
  if (fault instanceof ApiError) {
    const own = known[fault.problem.code];
    if (own !== undefined) return t(own);
    return problemWords(fault.problem);
  }
  if (fault instanceof SyntaxError) return t("fault.not_there");
  return t("fault.network");
}

export function status(fault: unknown): number | null {
  return fault instanceof ApiError ? fault.problem.status : null;
}
