/** Measuring a game: the request, its place in the queue, its progress, its report. */
import { useEffect, useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { addTexts, t } from "../common/texts.ts";

addTexts({
  "measure.begin": "Measure this game",
  "measure.again": "Measure again",
  "measure.games": "Games",
  "measure.waiting": "Number {place} in the queue",
  "measure.running": "{done} of {total} games",
  "measure.cancel": "Cancel",
  "measure.failed": "The game could not be measured: {reason}",
  "measure.cancelled": "The measurement was canceled.",
  "measure.finished": "The report is ready.",
  "measure.report": "Balance report",
  "measure.only_two": "The engine measures games of two players.",
  "measure.lead": "The engine plays the game against itself: who wins, how long games last, what the pieces are worth.",
});

export type Measurement = Schemas["Measurement"];

/** Numbers of games that can be chosen, and the time between two requests for the progress, in milliseconds. */
const GAMES = [50, 100, 200, 500, 1_000] as const;
const DEFAULT_GAMES = 200;
const POLL_INTERVAL_MS = 1_500;

const isActive = (job: Measurement | null): job is Measurement => job?.state === "waiting" || job?.state === "running";

interface MeasureProps {
  /** Id or digest of the rules. */
  rules: string;
  /** Whether they are those of the text on the page: false while a change of it is being checked. */
  isChecked?: boolean;
  /** Their known measurement, or null; undefined if the page has to ask for it. */
  first?: Measurement | null;
  /** The report's address. */
  report: string;
}

export function Measure({ rules, isChecked = true, first, report }: MeasureProps) {
  const [job, setJob] = useState<Measurement | null>(first ?? null);
  const [games, setGames] = useState<number>(DEFAULT_GAMES);
  const [fault, setFault] = useState("");
  const failed = (error: unknown) => setFault(errorText(error));
  useEffect(() => {
    // A measurement of an earlier text goes on.
    if (first !== undefined || isActive(job)) return;
    let isCurrent = true;
    send<Measurement | null>("GET", `/api/rules/${rules}/measure`).then((job) => isCurrent && setJob(job), failed);
    return () => {
      isCurrent = false;
    };
  }, [rules]);
  useEffect(() => {
    if (!isActive(job)) return;
    // The answer to a request from before a cancellation is out of date.
    let isCurrent = true;
    const timer = setTimeout(() => {
      send<Measurement>("GET", `/api/lab/${job.id}`).then(
        (job) => {
          if (!isCurrent) return;
          setFault("");
          setJob(job);
        },
        (error: unknown) => {
          if (!isCurrent) return;
          setFault(errorText(error));
          setJob({ ...job });
        },
      );
    }, POLL_INTERVAL_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [job]);
  const start = (): void => {
    setFault("");
    send<Measurement>("POST", `/api/rules/${rules}/measure`, { games }).then(setJob, failed);
  };
  const cancel = (): void => {
    if (job) send("DELETE", `/api/lab/${job.id}`).then(() => setJob({ ...job, state: "cancelled" }), failed);
  };
  const isReady = job?.state === "finished";
  return (
    <div class="measure">
      {isActive(job) ? (
        <div class="measure-going">
          <progress aria-label={t("measure.begin")} max={job.total} value={job.done} />
          <span>
            {job.state === "waiting"
              ? t("measure.waiting", { place: job.place ?? 1 })
              : t("measure.running", { done: job.done, total: job.total })}
          </span>
          {job.yours && (
            <button class="button quiet small" type="button" onClick={cancel}>
              {t("measure.cancel")}
            </button>
          )}
        </div>
      ) : (
        <div class="measure-choice">
          {isReady && (
            <a class="button small" href={report}>
              {t("measure.report")}
            </a>
          )}
          <label>
            {t("measure.games")}{" "}
            <select value={games} onChange={(event) => setGames(Number(event.currentTarget.value))}>
              {GAMES.map((count) => (
                <option key={count} value={count}>
                  {count}
                </option>
              ))}
            </select>
          </label>
          <button class="button quiet small" type="button" disabled={!isChecked} onClick={start}>
            {t(isReady ? "measure.again" : "measure.begin")}
          </button>
        </div>
      )}
      <p class="hidden-text" role="status">
        {isReady ? t("measure.finished") : ""}
      </p>
      {job?.state === "failed" && <p class="fault">{t("measure.failed", { reason: job.fault ?? "" })}</p>}
      {job?.state === "cancelled" && <p class="soft">{t("measure.cancelled")}</p>}
      <p class="fault" role="alert">
        {fault}
      </p>
    </div>
  );
}
