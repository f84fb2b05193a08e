/** The form for a new study. */
import "../common/every.ts";
import "../../styles/pages.css";
import "../../styles/study.css";
import { render } from "preact";
import { useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { pageData, signInAddress } from "../common/page.ts";
import { ChapterFields, chapterDraft, chapterOf, useSubmit } from "./chapter_form.tsx";
import { type StudyDraft, StudyFields, fieldsOf } from "./study_fields.tsx";
import { t } from "./texts.ts";

interface Data {
  account: boolean;
  game: string | null;
  variant: string | null;
  fen: string | null;
  games: Schemas["GameName"][];
}

function NewStudy({ data }: { data: Data }) {
  const [study, setStudy] = useState<StudyDraft>({ name: t("new_study_name"), about: "", tags: "", visibility: "private" });
  const [chapter, setChapter] = useState(() =>
    chapterDraft({
      kind: data.game ? "game" : data.fen ? "fen" : "start",
      variant: data.variant ?? "diamond",
      game: data.game ?? "",
      fen: data.fen ?? "",
    }),
  );
  const { fault, isPending, submit } = useSubmit(async () => {
    const body = { ...fieldsOf(study), chapter: chapterOf(chapter) };
    const { id } = await send<Schemas["StudyImport"]>("POST", "/api/studies", body);
    location.assign(`/study/${id}`);
  }, errorText);
  if (!data.account) {
    return (
      <>
        <h1>{t("new_study")}</h1>
        <p>{t("sign_in_hint")}</p>
        <p><a class="button" href={signInAddress("login")}>{t("sign_in")}</a></p>
      </>
    );
  }
  return (
    <>
      <h1>{t("new_study")}</h1>
      <form class="s-form" onSubmit={(event) => void submit(event)}>
        <StudyFields draft={study} change={setStudy} />
        <ChapterFields draft={chapter} games={data.games} change={setChapter} />
        {fault && <p class="s-fault" role="alert">{fault}</p>}
        <button type="submit" class="button" disabled={isPending}>{t("make")}</button>
      </form>
    </>
  );
}

const root = document.getElementById("study-new");
if (root) {
  root.replaceChildren();
  render(<NewStudy data={pageData<Data>("data")} />, root);
}
