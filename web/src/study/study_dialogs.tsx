/** Dialogs for a whole study: settings and members, links, PGN in and out, copies. */
import { useState } from "preact/hooks";
import { CopyButton } from "../analysis/share.tsx";
import { MAX_STUDY_PGN, type Schemas, send } from "../common/api.ts";
import { checkSize, errorText } from "../common/errors.ts";
import { Dialog } from "../game/dialog.tsx";
import { useSubmit } from "./chapter_form.tsx";
import { useStudy } from "./hooks.ts";
import { pathOfChapter } from "./names.ts";
import { type StudyDraft, StudyFields, fieldsOf } from "./study_fields.tsx";
import { t } from "./texts.ts";

export function EditStudy({ close }: { close: () => void }) {
  const { study } = useStudy();
  const [draft, setDraft] = useState<StudyDraft>({ ...study, tags: study.tags.join(" ") });
  const [isSure, setSure] = useState(false);
  const path = `/api/studies/${study.id}`;
  const { fault, isPending, submit } = useSubmit(async () => {
    await send("PUT", path, fieldsOf(draft));
    close();
  }, errorText);
  const remove = useSubmit(async () => {
    await send("DELETE", path);
    location.assign("/study?of=mine");
  }, errorText);
  return (
    <Dialog title={t("edit_study")} close={close}>
      <form class="s-form" onSubmit={(event) => void submit(event)}>
        <StudyFields draft={draft} change={setDraft} />
        {fault && <p class="g-problem" role="alert">{fault}</p>}
        <button type="submit" class="g-button g-good" disabled={isPending}>{t("save")}</button>
      </form>
      <Members />
      {isSure ? (
        <div class="g-bar g-sure" role="group" aria-label={t("delete_study_sure")}>
          <p>{t("delete_study_sure")}</p>
          <button type="button" class="g-button g-danger" onClick={() => void remove.submit()}>{t("yes_delete")}</button>
          <button type="button" class="g-button" onClick={() => setSure(false)}>{t("cancel")}</button>
        </div>
      ) : (
        <button type="button" class="g-button g-danger" onClick={() => setSure(true)}>{t("delete_study")}</button>
      )}
      {remove.fault && <p class="g-problem" role="alert">{remove.fault}</p>}
    </Dialog>
  );
}

/** The members, grouped by what they may do. Changes come by the study's socket. */
function Members() {
  const { study } = useStudy();
  const [name, setName] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const pathOf = (member: string): string => `/api/studies/${study.id}/members/${encodeURIComponent(member)}`;
  const submit = (work: Promise<unknown>): void => {
    setFault(null);
    work.then(() => setName("")).catch((failed: unknown) => setFault(errorText(failed)));
  };
  const add = (event: Event): void => {
    event.preventDefault();
    submit(send("PUT", pathOf(name.trim()), { writes: true }));
  };
  return (
    <section class="s-members" aria-labelledby="s-members">
      <h3 id="s-members">{t("members")}</h3>
      <ul>
        {study.members.map((member) => (
          <li key={member.name}>
            <a href={`/player/${member.name}`}>{member.name}</a>
            <span class="a-quiet">{t(member.writes ? "member_writes" : "member_reads")}</span>
            <button type="button" class="a-tool" onClick={() => submit(send("PUT", pathOf(member.name), { writes: !member.writes }))}>
              {t(member.writes ? "member_forbid" : "member_allow", { name: member.name })}
            </button>
            <button type="button" class="a-tool" onClick={() => submit(send("DELETE", pathOf(member.name)))}>
              {t("member_remove", { name: member.name })}
            </button>
          </li>
        ))}
      </ul>
      <form class="a-typed" onSubmit={add}>
        <label class="unseen" for="s-member">{t("member_name")}</label>
        <input
          id="s-member"
          type="text"
          required
          maxLength={20}
          autoCapitalize="off"
          autoComplete="off"
          spellcheck={false}
          placeholder={t("member_name")}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="g-button">{t("member_add")}</button>
      </form>
      {fault && <p class="g-problem" role="alert">{fault}</p>}
    </section>
  );
}

/** Reports the study to the host. */
export function ReportStudy({ close }: { close: () => void }) {
  const { study } = useStudy();
  const [reason, setReason] = useState("");
  const [isDone, setDone] = useState(false);
  const { fault, isPending, submit } = useSubmit(async () => {
    await send("POST", `/api/studies/${study.id}/report`, { reason });
    setDone(true);
  }, errorText);
  return (
    <Dialog title={t("report_study")} close={close}>
      {isDone ? (
        <>
          <p role="status">{t("reported")}</p>
          <button type="button" class="g-button" ref={(button) => button?.focus()} onClick={close}>{t("close")}</button>
        </>
      ) : (
        <form class="s-form" onSubmit={(event) => void submit(event)}>
          <label>
            {t("report_reason")}
            <textarea rows={3} required maxLength={500} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
          </label>
          {fault && <p class="g-problem" role="alert">{fault}</p>}
          <button type="submit" class="g-button" disabled={isPending || reason.trim() === ""}>{t("report_send")}</button>
        </form>
      )}
    </Dialog>
  );
}

/** Leaves a study of another owner. */
export function LeaveStudy({ close }: { close: () => void }) {
  const { study } = useStudy();
  const { fault, isPending, submit } = useSubmit(async () => {
    await send("DELETE", `/api/studies/${study.id}/members/${encodeURIComponent(study.member ?? "")}`);
    location.assign("/study?of=mine");
  }, errorText);
  return (
    <Dialog title={t("leave_study")} close={close}>
      <form class="s-form" onSubmit={(event) => void submit(event)}>
        <p>{t(study.visibility === "private" ? "leave_private" : "leave_sure")}</p>
        {fault && <p class="g-problem" role="alert">{fault}</p>}
        <div class="a-tools">
          <button type="submit" class="g-button g-danger" disabled={isPending}>{t("leave_yes")}</button>
          <button type="button" class="g-button" onClick={close}>{t("cancel")}</button>
        </div>
      </form>
    </Dialog>
  );
}

export function ShareStudy({ close }: { close: () => void }) {
  const { study, chapter, isReadOnly, start } = useStudy();
  const address = location.origin + pathOfChapter(study.id, chapter.id);
  const html = `<iframe src="${address}/embed" width="600" height="420" style="border:0" title="${study.name.replace(/[&"<>]/g, " ")}"></iframe>`;
  const clone = useSubmit(async () => {
    const { id } = await send<Schemas["StudyImport"]>("POST", `/api/studies/${study.id}/clone`);
    location.assign(`/study/${id}`);
  }, errorText);
  return (
    <Dialog title={t("share")} close={close}>
      <div class="g-answers">
        <CopyButton label={t("link")} text={() => Promise.resolve(address)} />
        <a class="g-button" href={`/api/studies/${study.id}.pgn`} download>{t("pgn_study")}</a>
        <a class="g-button" href={`/api/studies/${study.id}/chapters/${chapter.id}/pgn`} download>{t("pgn_chapter")}</a>
        {start.account && (
          <button type="button" class="g-button" title={t("clone_title")} disabled={clone.isPending} onClick={() => void clone.submit()}>
            {t("clone")}
          </button>
        )}
      </div>
      {clone.fault && <p class="g-problem" role="alert">{clone.fault}</p>}
      {study.visibility !== "private" && (
        <div class="s-form">
          <label>
            {t("embed")}
            <textarea rows={3} readOnly spellcheck={false} value={html} />
          </label>
          <CopyButton label={t("copy_embed")} text={() => Promise.resolve(html)} />
        </div>
      )}
      {!isReadOnly && <ImportPgn study={study.id} variant={chapter.tree.digest} />}
    </Dialog>
  );
}

/** Reads a PGN of several games; all faults are listed. */
function ImportPgn({ study, variant }: { study: string; variant: string }) {
  const [pgn, setPgn] = useState("");
  const [read, setRead] = useState<Schemas["StudyImport"] | null>(null);
  const { fault, isPending, submit } = useSubmit(async () => {
    setRead(null);
    checkSize(pgn, MAX_STUDY_PGN);
    setRead(await send<Schemas["StudyImport"]>("POST", `/api/studies/${study}/import-pgn`, { pgn, variant }));
  }, errorText);
  return (
    <form class="s-form" onSubmit={(event) => void submit(event)}>
      <label>
        {t("import_pgn")}
        <span class="a-quiet">{t("import_hint")}</span>
        <textarea rows={4} required spellcheck={false} value={pgn} onInput={(event) => setPgn(event.currentTarget.value)} />
      </label>
      <button type="submit" class="g-button" disabled={isPending || pgn.trim() === ""}>{t("import_pgn")}</button>
      {fault && <p class="g-problem" role="alert">{fault}</p>}
      {read && (
        <div role="status">
          <p>
            {t("import_done", { count: read.chapters.length })}{" "}
            {read.chapters[0] && <a href={pathOfChapter(study, read.chapters[0].id)}>{t("import_open")}</a>}
          </p>
          {read.faults.length > 0 && (
            <>
              <p>{t("import_faults", { count: read.faults.length })}</p>
              <ul class="a-faults">
                {read.faults.map(({ game, line, column, message }, index) => (
                  <li key={index}>{t("import_fault", { game, line, column, message })}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </form>
  );
}
