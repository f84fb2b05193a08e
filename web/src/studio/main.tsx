/** The studio: the games of an author, and the workbench for one. */
import "../common/every.ts";
import "../../styles/pages.css";
import "../board/index.ts";
import "../../styles/studio.css";
import "./texts.ts";
import { render } from "preact";
import { useState } from "preact/hooks";
import type { Schemas } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { t } from "../common/texts.ts";
import {
  changeDraft,
  createDraft,
  data,
  deleteDraft,
  type Draft,
  extension,
  deleteLocally,
  localDraft,
  type LocalDraft,
  localDrafts,
  gameName,
} from "./model.ts";
import { Workbench } from "./workbench.tsx";

/** The start of the workbench: a draft on the server, or perhaps one in this browser. */
type Open = { draft: Draft | null; source: string; local?: string };

/** One of the user's own games in the list, with its actions. */
function OwnGame({ draft, change, remove }: { draft: Draft; change: (draft: Draft) => void; remove: () => void }) {
  const [fault, setFault] = useState("");
  const failed = (error: unknown) => setFault(errorText(error));
  const archive = (archived: boolean) => void changeDraft(draft.id, { archived }).then(change, failed);
  const states = [
    draft.version > 0 ? t("studio.version", { version: draft.version }) : t("studio.draft"),
    t(`studio.${draft.visibility}`),
    ...(draft.status === "active" ? [] : [t(`studio.${draft.status}`)]),
  ];
  return (
    <li>
      <a href={`/studio/${draft.id}`}>{draft.name || t("studio.unnamed")}</a> <span class="from">{states.join(" · ")}</span>
      <span class="buttons">
        {draft.variant && (
          <a class="button quiet small" href={`/?game=${draft.variant}`}>
            {t("studio.play")}
          </a>
        )}
        {draft.version === 0 ? (
          <button class="button quiet small" type="button" onClick={() => void deleteDraft(draft.id).then(remove, failed)}>
            {t("studio.delete")}
          </button>
        ) : (
          <button class="button quiet small" type="button" onClick={() => archive(draft.status === "active")}>
            {t(draft.status === "archived" ? "studio.restore" : "studio.archive")}
          </button>
        )}
      </span>
      <span class="fault" role="alert">
        {fault}
      </span>
    </li>
  );
}

/** A draft that this browser keeps. An account takes it over when it is opened. */
function LocalDraftItem({ draft, open, remove }: { draft: LocalDraft; open: () => void; remove: () => void }) {
  return (
    <li>
      <button class="button quiet" type="button" onClick={open}>
        {gameName(draft.source) || t("studio.unnamed")}
      </button>{" "}
      <span class="from">{t("studio.here")}</span>
      <span class="buttons">
        <button class="button quiet small" type="button" onClick={remove}>
          {t("studio.delete")}
        </button>
      </span>
    </li>
  );
}

/** A choice of games to begin from. */
function GameSelect({ title, games, choose }: { title: string; games: readonly Schemas["GameName"][]; choose: (id: string, name: string) => void }) {
  if (games.length === 0) return null;
  return (
    <select
      aria-label={title}
      value=""
      onChange={(event) => {
        const game = games.find(({ id }) => id === event.currentTarget.value);
        if (game) choose(game.id, game.name);
      }}
    >
      <option value="">{title}</option>
      {games.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function List({ open }: { open: (opened: Open) => void }) {
  const [drafts, setDrafts] = useState(data.drafts);
  const [fault, setFault] = useState("");
  const [local, setLocal] = useState(localDrafts);
  const openDraft = (source: string, localId?: string): void => {
    if (!data.account) {
      open({ draft: null, source, ...(localId !== undefined && { local: localId }) });
      return;
    }
    createDraft(source).then(
      (draft) => {
        if (localId !== undefined) deleteLocally(localId);
        history.pushState(null, "", `/studio/${draft.id}`);
        open({ draft, source });
      },
      (error: unknown) => setFault(errorText(error)),
    );
  };
  const openExtension = (id: string, name: string) => openDraft(extension(id, name));
  return (
    <>
      <h1>{t("studio.title")}</h1>
      <p class="lead">{t("studio.lead")}</p>
      <section class="panel begin">
        <h2>{t("studio.begin")}</h2>
        <div class="buttons">
          <button class="button" type="button" onClick={() => openDraft(data.template)}>
            {t("studio.template")}
          </button>
          <GameSelect title={t("studio.built_in")} games={data.games} choose={openExtension} />
          <GameSelect title={t("studio.by_players")} games={data.published} choose={openExtension} />
        </div>
        <p class="fault" role="alert">
          {fault}
        </p>
      </section>
      <section>
        <h2>{t("studio.yours")}</h2>
        {!data.account && (
          <p class="notice">
            <a href="/login">{t("studio.sign_in")}</a>
          </p>
        )}
        {data.account && drafts.length + local.length === 0 && <p class="notice">{t("studio.none")}</p>}
        <ul class="drafts">
          {local.map((draft) => (
            <LocalDraftItem
              key={draft.id}
              draft={draft}
              open={() => openDraft(draft.source, draft.id)}
              remove={() => {
                deleteLocally(draft.id);
                setLocal(localDrafts());
              }}
            />
          ))}
          {drafts.map((draft) => (
            <OwnGame
              key={draft.id}
              draft={draft}
              change={(changed) => setDrafts((all) => all.map((one) => (one.id === draft.id ? { ...one, ...changed } : one)))}
              remove={() => setDrafts((all) => all.filter((one) => one.id !== draft.id))}
            />
          ))}
        </ul>
      </section>
    </>
  );
}

function initialState(): Open | null {
  if (data.open) return { draft: data.open, source: data.open.source ?? "" };
  // A guest's page that was loaded again.
  const stored = data.account ? undefined : localDraft(location.hash.slice(1));
  if (stored) return { draft: null, source: stored.source, local: stored.id };
  return data.source === null ? null : { draft: null, source: data.source };
}

function Studio() {
  const [opened, setOpened] = useState(initialState);
  if (!opened) return <List open={setOpened} />;
  return <Workbench opened={opened.draft} source={opened.source} local={opened.local} onLeave={() => location.assign("/studio")} />;
}

const root = document.getElementById("studio");
if (root) {
  root.replaceChildren();
  render(<Studio />, root);
}
