/** Dates, in the form that all pages use: `23 November 2026`. */

/** The page's language; English dates have the day first, as the server writes them. */
const locale = (): string => {
  const { lang } = document.documentElement;
  return lang === "en" || lang === "" ? "en-GB" : lang;
};

/** A timestamp as a date in the user's time zone. */
export const date = (ms: number): string => new Intl.DateTimeFormat(locale(), { dateStyle: "long" }).format(ms);

/** With the time of day. */
const dateTime = (ms: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeStyle: "short" }).format(ms);

/** Converts the server's dates to the user's time zone, which the server does not know. */
export function localizeDates(): void {
  for (const time of document.querySelectorAll("time")) {
    const ms = Date.parse(time.dateTime);
    if (Number.isNaN(ms)) continue;
    time.textContent = date(ms);
    time.title = dateTime(ms);
  }
}
