/** The fields of a study: name, text, tags, and visibility. */
import type { Schemas } from "../common/api.ts";
import { t, type Text } from "./texts.ts";

export type Visibility = Schemas["StudyVisibility"];

const VISIBILITIES: readonly Visibility[] = ["private", "unlisted", "public"];

export interface StudyDraft {
  name: string;
  about: string;
  tags: string;
  visibility: Visibility;
}

/** The draft as it is sent. */
export const fieldsOf = ({ name, about, tags, visibility }: StudyDraft) => ({
  name,
  about,
  visibility,
  tags: tags.split(/\s+/).filter((tag) => tag !== ""),
});

export function StudyFields({ draft, change }: { draft: StudyDraft; change: (draft: StudyDraft) => void }) {
  const set = (changed: Partial<StudyDraft>): void => change({ ...draft, ...changed });
  return (
    <>
      <label>
        {t("name")}
        <input type="text" required maxLength={100} value={draft.name} onInput={(event) => set({ name: event.currentTarget.value })} />
      </label>
      <label>
        {t("visibility")}
        <select value={draft.visibility} onChange={(event) => set({ visibility: event.currentTarget.value as Visibility })}>
          {VISIBILITIES.map((visibility) => <option key={visibility} value={visibility}>{t(visibility as Text)}</option>)}
        </select>
      </label>
      <label>
        {t("about")}
        <textarea rows={3} maxLength={4_000} value={draft.about} onInput={(event) => set({ about: event.currentTarget.value })} />
      </label>
      <label>
        {t("tags")}
        <input type="text" placeholder={t("tags_hint")} value={draft.tags} onInput={(event) => set({ tags: event.currentTarget.value })} />
      </label>
    </>
  );
}
