/** Dates, in the one form that all pages have: `23 November 2026`. */

/** The page's language; English dates have the day first, as the server writes them. */
const locale = (): string => {
  const { lang } = document.documentElement;
  return lang === "en" || lang === "" ? "en-GB" : lang;
};

/** A moment as a date, where the reader is. */
export const date = (ms: number): string => new Intl.DateTimeFormat(locale(), { dateStyle: "long" }).format(ms);

/** With the time of day. */
const exact = (ms: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeStyle: "short" }).format(ms);

/** The server does not know where the reader is: its dates are put into the reader's time zone. */
export function localizeDates(): void {
  for (const time of document.querySelectorAll("time")) {
    const ms = Date.parse(time.dateTime);
    if (Number.isNaN(ms)) continue;
    time.textContent = date(ms);
    time.title = exact(ms);
  }
}
