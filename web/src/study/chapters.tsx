/** The chapters of a study: a list to step through, and the actions on each. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { pageData } from "../common/page.ts";
import { follow } from "../analysis/tree.ts";
import { Dialog } from "../game/dialog.tsx";
import { ChapterFields, chapterDraft, chapterOf, useSubmit } from "./chapter_form.tsx";
import { useStudy } from "./hooks.ts";
import type { Place } from "./members.ts";
import { chapterName, CONCEAL, conceals, MODE_TAG, pathOfChapter } from "./names.ts";
import { t, type Text } from "./texts.ts";

export function Chapters({ add, edit }: { add: () => void; edit: () => void }) {
  const { study, chapter, isReadOnly, members } = useStudy();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const scroller = list.current;
    const currentItem = scroller?.querySelector<HTMLElement>("[aria-current]");
    // Only the list scrolls, never the page.
    if (scroller && currentItem) scroller.scrollTo({ top: currentItem.offsetTop - scroller.clientHeight / 2 });
  }, [chapter]);
  return (
    <section class="s-chapters" aria-labelledby="s-chapters">
      <h2 id="s-chapters">{t("chapters")}</h2>
      <ol ref={list} lang={study.language ?? undefined}>
        {study.list.map(({ id }) => (
          <li key={id}>
            <a href={pathOfChapter(study.id, id)} aria-current={id === chapter.id ? "page" : undefined}>{chapterName(study.list, id)}</a>
            {members.at(id).map((name) => (
              <span key={name} class="s-at" lang="">{name}</span>
            ))}
          </li>
        ))}
      </ol>
      <Here />
      {!isReadOnly && (
        <div class="a-tools">
          <button type="button" class="a-tool" onClick={add}>{t("add_chapter")}</button>
          <button type="button" class="a-tool" onClick={edit}>{t("edit_chapter")}</button>
        </div>
      )}
    </section>
  );
}

/** The other members who have the study open, each with a switch to follow them. */
function Here() {
  const session = useStudy();
  const { analysis, chapter, members, study } = session;
  const { others, following } = members;
  const isAway = following !== null && !others.some(([name]) => name === following);
  const all: readonly (readonly [string, Place | null])[] = isAway ? [...others, [following, null]] : others;
  if (all.length === 0) return null;
  const where = (place: Place | null): string => {
    if (!place) return "";
    if (place.chapter !== chapter.id) return chapterName(study.list, place.chapter);
    const node = follow(analysis.root, place.path);
    return node.parent ? analysis.moveText(node) : "";
  };
  return (
    <div class="s-here">
      <h3 id="s-here">{t("here")}</h3>
      <ul aria-labelledby="s-here">
        {all.map(([name, place]) => (
          <li key={name}>
            <span class="s-at">{name}</span>
            <span class="s-where">{where(place)}</span>
            <button
              type="button"
              class="a-tool"
              aria-label={t("follow_name", { name })}
              aria-pressed={following === name}
              onClick={() => session.follow(following === name ? null : name)}
            >
              {t("follow")}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The form for a new chapter of a study. */
export function AddChapter({ study, variant, close }: { study: string; variant: string; close: () => void }) {
  const games = pageData<Schemas["GameName"][]>("variants");
  const allGames = games.some(({ id }) => id === variant) ? games : [{ id: variant, name: variant }, ...games];
  const [name, setName] = useState("");
  const [draft, setDraft] = useState(() => chapterDraft({ variant }));
  const { fault, isPending, submit } = useSubmit(async () => {
    const created = await send<Schemas["StudyImport"]>("POST", `/api/studies/${study}/chapters`, chapterOf(draft, name));
    const [first] = created.chapters;
    if (first) location.assign(pathOfChapter(study, first.id));
  }, errorText);
  return (
    <Dialog title={t("add_chapter")} close={close}>
      <form class="s-form" onSubmit={(event) => void submit(event)}>
        <label>
          {t("chapter_name")}
          <input type="text" maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <ChapterFields draft={draft} games={allGames} change={setDraft} />
        {fault && <p class="g-problem" role="alert">{fault}</p>}
        <button type="submit" class="g-button g-good" disabled={isPending}>{t("make")}</button>
      </form>
    </Dialog>
  );
}

/** The tags that the form of a chapter offers, by their names in PGN. */
const TAGS: readonly (readonly [name: string, text: Text])[] = [
  ["White", "tag_white"],
  ["Black", "tag_black"],
  ["Event", "tag_event"],
  ["Date", "tag_date"],
  ["Result", "tag_result"],
];

export function EditChapter({ close }: { close: () => void }) {
  const session = useStudy();
  const { study, chapter } = session;
  const index = study.list.findIndex(({ id }) => id === chapter.id);
  const [name, setName] = useState(study.list[index]?.name ?? "");
  const [isSure, setSure] = useState(false);
  const path = `/api/studies/${study.id}/chapters/${chapter.id}`;
  const { fault, isPending, submit } = useSubmit(async () => {
    if (name.trim() !== "" && name !== study.list[index]?.name) await send("PUT", path, { name });
    close();
  }, errorText);
  const [moveFault, setMoveFault] = useState<string | null>(null);
  const moveTo = (index: number): void => {
    setMoveFault(null);
    send("PUT", path, { place: index }).catch((failed: unknown) => setMoveFault(errorText(failed)));
  };
  const remove = useSubmit(async () => {
    await send("DELETE", path);
    location.assign(`/study/${study.id}`);
  }, errorText);
  const tagOf = (tag: string): string => session.tags.find((candidate) => candidate.name === tag)?.value ?? "";
  return (
    <Dialog title={t("edit_chapter")} close={close}>
      <form class="s-form" onSubmit={(event) => void submit(event)}>
        <label>
          {t("chapter_name")}
          <input type="text" maxLength={100} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <fieldset>
          <legend>{t("tags_of_game")}</legend>
          {TAGS.map(([tag, text]) => (
            <label key={tag}>
              {t(text)}
              <input type="text" maxLength={100} value={tagOf(tag)} onChange={(event) => session.setTag(tag, event.currentTarget.value.trim())} />
            </label>
          ))}
        </fieldset>
        <label class="s-check">
          <input
            type="checkbox"
            checked={conceals(session.tags)}
            onChange={(event) => session.setTag(MODE_TAG, event.currentTarget.checked ? CONCEAL : "")}
          />
          {t("conceal")}
        </label>
        {(fault ?? moveFault) && <p class="g-problem" role="alert">{fault ?? moveFault}</p>}
        <div class="a-tools">
          <button type="button" class="a-tool" disabled={index <= 0} onClick={() => moveTo(index - 1)}>{t("move_up")}</button>
          <button type="button" class="a-tool" disabled={index + 1 >= study.list.length} onClick={() => moveTo(index + 1)}>{t("move_down")}</button>
        </div>
        <button type="submit" class="g-button g-good" disabled={isPending}>{t("save")}</button>
      </form>
      {isSure ? (
        <div class="g-bar g-sure" role="group" aria-label={t("delete_chapter_sure")}>
          <p>{t("delete_chapter_sure")}</p>
          <button type="button" class="g-button g-danger" onClick={() => void remove.submit()}>{t("yes_delete")}</button>
          <button type="button" class="g-button" onClick={() => setSure(false)}>{t("cancel")}</button>
        </div>
      ) : (
        <button type="button" class="g-button g-danger" onClick={() => setSure(true)}>{t("delete_chapter")}</button>
      )}
      {remove.fault && <p class="g-problem" role="alert">{remove.fault}</p>}
    </Dialog>
  );
}
