/** The classes of endings, with what has been won of each. */
import { WHITE_AND_BLACK } from "../board/colors.ts";
import { type DrillClass } from "./session.ts";
import { useSession } from "./hooks.ts";
import { PieceSymbol } from "../common/piece_symbol.tsx";
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

export function Classes() {
  const session = useSession();
  const { classes, fault } = session;
  if (!classes) return fault === null ? <p class="from" role="status">{t("loading")}</p> : <Fault />;
  if (classes.length === 0) return <p class="notice">{t("none")}</p>;
  return (
    <ul class="drill-classes" aria-label={t("classes")}>
      {classes.map((drill) => <ClassCard key={drill.name} drill={drill} />)}
    </ul>
  );
}

function ClassCard({ drill }: { drill: DrillClass }) {
  const session = useSession();
  const record = session.records[drill.name];
  return (
    <li>
      <a href={`#${drill.name}`}>
        <ClassPieces name={drill.name} />
        <strong>{session.nameOf(drill.name)}</strong>
      </a>
      <p>{t("longest", { moves: Math.ceil(drill.longest / 2) })}</p>
      {record && (
        <p class="drill-record">
          {t("wins", { wins: record.wins })}
          {record.best !== null && <> · {bestText(record.best)}</>}
        </p>
      )}
    </li>
  );
}

export const bestText = (best: number): string => (best === 0 ? t("best_par") : t("best_over", { moves: best }));

/** The pieces of both sides as pictures. */
export function ClassPieces({ name }: { name: string }) {
  const pieces = useSession().piecesOf(name);
  return (
    <span class="drill-pieces" aria-hidden="true">
      {WHITE_AND_BLACK.map((color) => (
        <span key={color}>
          {pieces[color].map((role, index) => (
            <PieceSymbol key={index} role={role} color={color} />
          ))}
        </span>
      ))}
    </span>
  );
}
