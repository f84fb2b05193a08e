/** The data of the studio: drafts, where they are saved, and what the server finds in a file. */
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
  games: [id: string, name: string][];
  published: [id: string, name: string][];
  template: string;
  pictures: string[];
}

export const data = pageData<StudioData>("data");

/** The draft of those without an account. */
const LOCAL = "lozenge.studio.draft";

export const localDraft = (): string | null => load(LOCAL);
export const saveLocally = (source: string): void => store(LOCAL, source);

/** Checks a file; the answer also has its board. */
export const check = (source: string): Promise<Check> =>
  send<Check>("POST", "/api/variants/validate", { source, board: true });

export const createDraft = (source: string): Promise<Draft> => send<Draft>("POST", "/api/studio/variants", { source });

export const changeDraft = (id: string, change: Partial<Schemas["DraftChange"]>): Promise<Draft> =>
  send<Draft>("PUT", `/api/studio/variants/${id}`, change);

export const deleteDraft = (id: string): Promise<void> => send<void>("DELETE", `/api/studio/variants/${id}`);

export const publish = (source: string, visibility: Visibility, draft: string): Promise<Published> =>
  send<Published>("POST", "/api/variants", { source, visibility, draft });

export type Picture = Schemas["PiecePicture"];
export type OwnPicture = Schemas["OwnPiecePicture"];

/** Largest SVG that the server reads, in bytes. */
export const MOST_SVG = 32_768;

export const sendPicture = (svg: string): Promise<Picture> => send<Picture>("POST", "/api/pictures", { svg });
export const ownPictures = (): Promise<OwnPicture[]> => send<OwnPicture[]>("GET", "/api/pictures");
export const deletePicture = (digest: string): Promise<void> => send<void>("DELETE", `/api/pictures/${digest}`);

/** A file that extends a game and changes nothing yet. */
export function extension(id: string, name: string): string {
  const plain = name.replace(/["\\]/g, "");
  return `# Everything that is not written here is as in ${plain}.\nextends = "${id}"\n\nid = "my-game"\nname = "My ${plain}"\nauthor = ""\n`;
}
