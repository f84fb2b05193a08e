/** The data of the studio: drafts, where they are saved, and the server's check of a file. */
import type { Board } from "../board/index.ts";
import { type Schemas, send } from "../common/api.ts";
import { load, store } from "../board/storage.ts";
import { pageData } from "../common/page.ts";

export type Fault = Schemas["VariantFault"];
export type Check = Omit<Schemas["VariantCheck"], "board"> & { board?: Board };
export type Draft = Schemas["VariantDraft"];
export type Published = Schemas["PublishedVariant"];
export type Visibility = Schemas["VariantVisibility"];

export interface StudioData {
  account: boolean;
  drafts: Draft[];
  open: Draft | null;
  source: string | null;
  games: Schemas["GameName"][];
  published: Schemas["GameName"][];
  template: string;
  pictures: string[];
  /** When public games are listed here, in a sentence. */
  listed_after: string;
}

export const data = pageData<StudioData>("data");

/** A draft that this browser keeps: those of guests, until they have an account. */
export interface LocalDraft {
  id: string;
  source: string;
}

const DRAFTS_KEY = "lozenge.studio.drafts";
/** The key of the only draft that earlier versions stored. */
const LEGACY_DRAFT_KEY = "lozenge.studio.draft";
/** Most drafts in a browser: the oldest make room. */
const MAX_LOCAL_DRAFTS = 20;

/** The drafts in this browser, the latest first. */
export function localDrafts(): LocalDraft[] {
  const drafts = readDrafts(load(DRAFTS_KEY));
  const single = load(LEGACY_DRAFT_KEY);
  return single === null ? drafts : [...drafts, { id: "first", source: single }];
}

function readDrafts(text: string | null): LocalDraft[] {
  try {
    const parsed: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(parsed) ? (parsed as LocalDraft[]).filter((one) => typeof one.source === "string" && typeof one.id === "string") : [];
  } catch {
    return [];
  }
}

const saveDrafts = (drafts: readonly LocalDraft[]): void => {
  store(DRAFTS_KEY, drafts.length > 0 ? JSON.stringify(drafts.slice(0, MAX_LOCAL_DRAFTS)) : null);
  store(LEGACY_DRAFT_KEY, null);
};

export const localDraft = (id: string): LocalDraft | undefined => localDrafts().find((one) => one.id === id);

export const saveLocally = (draft: LocalDraft): void => saveDrafts([draft, ...localDrafts().filter((one) => one.id !== draft.id)]);

export const deleteLocally = (id: string): void => saveDrafts(localDrafts().filter((one) => one.id !== id));

export const newLocalId = (): string => Date.now().toString(36);

/** The name of the game in a file. */
export const gameName = (source: string): string => /^\s*name\s*=\s*["']([^"'\n]+)["']/m.exec(source)?.[1] ?? "";

/** Checks a file; the answer also has its board. */
export const check = (source: string): Promise<Check> =>
  send<Check>("POST", "/api/variants/validate", { source, board: true });

export const createDraft = (source: string): Promise<Draft> => send<Draft>("POST", "/api/studio/variants", { source });

export const changeDraft = (id: string, change: Partial<Schemas["DraftChange"]>): Promise<Draft> =>
  send<Draft>("PUT", `/api/studio/variants/${id}`, change);

/** The same while the page is closing: the response is ignored. */
export const changeDraftOnLeave = (id: string, source: string): void => {
  const headers = { "content-type": "application/json" };
  void fetch(`/api/studio/variants/${id}`, { method: "PUT", headers, body: JSON.stringify({ source }), keepalive: true }).catch(() => undefined);
};

export const deleteDraft = (id: string): Promise<void> => send<void>("DELETE", `/api/studio/variants/${id}`);

export const publish = (source: string, visibility: Visibility, draft: string): Promise<Published> =>
  send<Published>("POST", "/api/variants", { source, visibility, draft });

export type Picture = Schemas["PiecePicture"];
export type OwnPicture = Schemas["OwnPiecePicture"];

/** Largest SVG that the server reads, in bytes. */
export const MAX_SVG = 32_768;

export const sendPicture = (svg: string): Promise<Picture> => send<Picture>("POST", "/api/pictures", { svg });
export const ownPictures = (): Promise<OwnPicture[]> => send<OwnPicture[]>("GET", "/api/pictures");
export const deletePicture = (digest: string): Promise<void> => send<void>("DELETE", `/api/pictures/${digest}`);

/** A file that extends a game and changes nothing yet. */
export function extension(id: string, name: string): string {
  const escaped = name.replace(/["\\]/g, "");
  return `# Everything that is not written here is as in ${escaped}.\nextends = "${id}"\n\nid = "my-game"\nname = "My ${escaped}"\nauthor = ""\n`;
}
