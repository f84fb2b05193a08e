/** The overview of a course: where to go on, and its levels with what is solved. */
import { Play, Repeat } from "../game/icons.tsx";
import { type Stage, totals } from "./course.ts";
import { useSession } from "./hooks.ts";
import { StarRow } from "./stars.tsx";
import { t } from "./texts.ts";

/** A failure of the server, with a way to try again. */
export function Fault() {
  const session = useSession();
  if (session.fault === null) return null;
  return (
    <p class="g-problem learn-fault" role="alert">
      {session.fault}{" "}
      {session.canRetry && <button type="button" class="button quiet" onClick={() => void session.retry()}>{t("retry")}</button>}
    </p>
  );
}

/** Start or continue. */
export function Overview() {
  const session = useSession();
  const { course, levels, progress } = session;
  if (!course) return session.fault === null ? <p class="from" role="status">{t("loading")}</p> : <Fault />;
  const { solved, stars } = totals(levels, progress.stars);
  const next = session.next ?? levels[0];
  return (
    <div class="learn-start">
      <p class="buttons">
        {next && (
          <a class="button" href={`#${next.level.id}`}>
            {solved === 0 ? <Play /> : solved === levels.length ? <Repeat /> : <Play />} {t(solved === 0 ? "start" : solved === levels.length ? "again" : "continue")}
          </a>
        )}
      </p>
      {solved > 0 && (
        <p class="from">
          {solved === levels.length && <>{t("complete")} </>}
          {t("progress", { solved, count: levels.length, stars, most: 3 * levels.length })}
        </p>
      )}
    </div>
  );
}

export function Levels() {
  const { course } = useSession();
  if (!course) return null;
  return (
    <section class="learn-stages" aria-labelledby="learn-levels">
      <h2 id="learn-levels">{t("levels")}</h2>
      <ol>
        {course.stages.map((stage) => (
          <li key={stage.id}>
            <h3>{stage.title}</h3>
            <StageLevels stage={stage} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Links to levels: of one stage, or of all. */
export function StageLevels({ stage }: { stage?: Stage }) {
  const { levels, progress, open } = useSession();
  return (
    <ul class="learn-levels">
      {levels
        .filter((placed) => stage === undefined || placed.stage === stage)
        .map(({ level, stage, index }) => {
          const stars = progress.stars[level.id] ?? 0;
          const label = t("level_label", { number: index + 1, title: stage.title });
          const state = stars > 0 ? t("level_solved", { stars }) : t("level_open");
          return (
            <li key={level.id}>
              <a
                href={`#${level.id}`}
                data-solved={stars > 0 ? "" : undefined}
                aria-current={open?.index === index ? "step" : undefined}
                aria-label={`${label}, ${state}`}
                title={stage.title}
              >
                <span aria-hidden="true">{index + 1}</span>
                <StarRow count={stars} />
              </a>
            </li>
          );
        })}
    </ul>
  );
}
