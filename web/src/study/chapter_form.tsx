/** The form for a new chapter: how it begins. */
import { useState } from "preact/hooks";
import { MAX_PGN, type Schemas } from "../common/api.ts";
import { checkSize } from "../common/errors.ts";
import { gameId } from "./names.ts";
import { t, type Text } from "./texts.ts";

export type NewChapter = Schemas["NewChapter"];

const KINDS = ["start", "fen", "game", "pgn"] as const;
export type Kind = (typeof KINDS)[number];

export interface ChapterDraft {
  kind: Kind;
  variant: string;
  fen: string;
  game: string;
  pgn: string;
}

export const chapterDraft = (values: Partial<ChapterDraft> & { variant: string }): ChapterDraft => ({
  kind: "start",
  fen: "",
  game: "",
  pgn: "",
  ...values,
});

/** The chapter as it is sent. Fails if its PGN is longer than the server reads. */
export function chapterOf({ kind, variant, fen, game, pgn }: ChapterDraft, name = ""): NewChapter {
  const nameField = name.trim() === "" ? {} : { name };
  switch (kind) {
    case "start":
      return { ...nameField, variant };
    case "fen":
      return { ...nameField, variant, fen: fen.trim() };
    case "game":
      return { ...nameField, game: gameId(game) };
    case "pgn":
      checkSize(pgn, MAX_PGN);
      return { ...nameField, variant, pgn };
  }
}

interface Props {
  draft: ChapterDraft;
  games: readonly Schemas["GameName"][];
  change: (draft: ChapterDraft) => void;
}

export function ChapterFields({ draft, games, change }: Props) {
  const set = (changed: Partial<ChapterDraft>): void => change({ ...draft, ...changed });
  return (
    <>
      <label>
        {t("from")}
        <select value={draft.kind} onChange={(event) => set({ kind: event.currentTarget.value as Kind })}>
          {KINDS.map((kind) => <option key={kind} value={kind}>{t(`from_${kind}` as Text)}</option>)}
        </select>
      </label>
      {draft.kind !== "game" && (
        <label>
          {t("game")}
          <select value={draft.variant} onChange={(event) => set({ variant: event.currentTarget.value })}>
            {games.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </select>
        </label>
      )}
      {draft.kind === "fen" && (
        <label>
          {t("from_fen")}
          <input type="text" required spellcheck={false} value={draft.fen} onInput={(event) => set({ fen: event.currentTarget.value })} />
        </label>
      )}
      {draft.kind === "game" && (
        <label>
          {t("from_game")}
          <input
            type="text"
            required
            spellcheck={false}
            placeholder={t("from_game_place")}
            value={draft.game}
            onInput={(event) => set({ game: event.currentTarget.value })}
          />
        </label>
      )}
      {draft.kind === "pgn" && (
        <label>
          {t("from_pgn")}
          <textarea rows={5} required spellcheck={false} value={draft.pgn} onInput={(event) => set({ pgn: event.currentTarget.value })} />
        </label>
      )}
    </>
  );
}

/** Submission of a form: the work, and its fault. */
export function useSubmit(work: () => Promise<void>, describe: (fault: unknown) => string) {
  const [fault, setFault] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const submit = async (event?: Event): Promise<void> => {
    event?.preventDefault();
    setPending(true);
    setFault(null);
    try {
      await work();
    } catch (error) {
      setFault(describe(error));
    }
    setPending(false);
  };
  return { fault, isPending, submit };
}
