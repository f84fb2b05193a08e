/** The workbench: forms and pictures of a game, its file beside them, and the faults of the file. */
import { useEffect, useRef, useState } from "preact/hooks";
import { isMulti } from "../board/colors.ts";
import type { Board } from "../board/index.ts";
import { ApiError } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { t } from "../common/texts.ts";
import { Choices } from "../home/form_fields.tsx";
import { Measure } from "../gallery/measure.tsx";
import type { Editor } from "./editor.ts";
import {
  changeDraft,
  changeDraftOnLeave,
  check,
  createDraft,
  data,
  type Draft,
  type Fault,
  newLocalId,
  publish,
  type Published,
  saveLocally,
  type Visibility,
} from "./model.ts";
import { localFaults } from "./local_check.ts";
import { Preview, type View } from "./preview.tsx";
import { persist } from "./retry.ts";

/** How long typing has to pause before the file is checked, and before it is saved, in milliseconds. */
const CHECK_DEBOUNCE_MS = 200;
const SAVE_DEBOUNCE_MS = 1_000;
/** Longest time in which typing without a pause is not saved, in milliseconds. */
const MAX_SAVE_DELAY_MS = 5_000;

interface CheckResult {
  faults: readonly Fault[];
  board: Board | null;
  checking: boolean;
  problem: string;
  /** Identity of the rules of a text without faults. */
  digest: string | null;
}

/** The faults and the board of a text, some time after it was typed. */
function useValidation(text: string): CheckResult {
  const [result, setResult] = useState<CheckResult>({ faults: [], board: null, checking: true, problem: "", digest: null });
  // The rules are loaded into the browser when something is typed.
  const first = useRef(text);
  useEffect(() => {
    let isCurrent = true;
    let stop = (): void => undefined;
    setResult((before) => ({ ...before, checking: true }));
    const timer = setTimeout(() => {
      let isAnswered = false;
      if (text !== first.current) {
        void localFaults(text).then((faults) => {
          // Without faults there is the server's answer to wait for.
          if (!isCurrent || isAnswered || !faults?.length) return;
          setResult((before) => ({ ...before, faults, checking: false, digest: null }));
        });
      }
      stop = persist(() => check(text), {
        answered: ({ faults, board, digest }) => {
          isAnswered = true;
          setResult((before) => ({ faults, board: board ?? before.board, checking: false, problem: "", digest: digest ?? null }));
        },
        failed: (error, again) => {
          const problem = t("studio.offline", { reason: errorText(error) });
          setResult((before) => ({ ...before, checking: false, problem: again ? `${problem} ${t("studio.retrying")}` : problem }));
        },
      });
    }, CHECK_DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      // An answer to an older text is dropped.
      stop();
    };
  }, [text]);
  return result;
}

/** Saves a text some time after it was typed, and when the page is left: on the server for accounts, otherwise in the browser. */
function useAutosave(text: string, draft: Draft | null, local: string | undefined, setDraft: (draft: Draft) => void): string {
  const [state, setState] = useState("");
  const savedText = useRef<string | null>(text);
  const latestText = useRef(text);
  latestText.current = text;
  const unsavedSince = useRef(0);
  const current = useRef(draft);
  if (draft) current.current = draft;
  const localId = useRef(local);
  // One request after the other: the first makes the draft that the others change.
  const requests = useRef(Promise.resolve());
  const save = async (source: string): Promise<void> => {
    const { current: currentDraft } = current;
    try {
      const updated = currentDraft ? await changeDraft(currentDraft.id, { source }) : await createDraft(source);
      if (!currentDraft) history.replaceState(null, "", `/studio/${updated.id}`);
      current.current = updated;
      setDraft(updated);
      setState(t("studio.saved"));
    } catch (error) {
      setState(t("studio.not_saved", { reason: errorText(error) }));
      // The next change, or leaving the page, tries again.
      if (savedText.current === source) savedText.current = null;
    }
  };
  const saveInBrowser = (source: string): void => {
    localId.current ??= newLocalId();
    saveLocally({ id: localId.current, source });
  };
  useEffect(() => {
    if (text === savedText.current) return;
    const now = Date.now();
    unsavedSince.current ||= now;
    const delay = Math.min(SAVE_DEBOUNCE_MS, Math.max(0, unsavedSince.current + MAX_SAVE_DELAY_MS - now));
    const timer = setTimeout(() => {
      savedText.current = text;
      unsavedSince.current = 0;
      if (data.account) {
        setState(t("studio.saving"));
        requests.current = requests.current.then(() => save(text));
      } else {
        saveInBrowser(text);
        history.replaceState(null, "", `${location.pathname}#${localId.current ?? ""}`);
        setState(t("studio.saved_here"));
      }
    }, delay);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const onPageHide = (): void => {
      const source = latestText.current;
      if (source === savedText.current) return;
      savedText.current = source;
      if (!data.account) saveInBrowser(source);
      else if (current.current) changeDraftOnLeave(current.current.id, source);
    };
    addEventListener("pagehide", onPageHide);
    return () => removeEventListener("pagehide", onPageHide);
  }, []);
  return state;
}

interface TextProps {
  text: string;
  faults: readonly Fault[];
  change: (text: string) => void;
  onReady: (editor: Editor) => void;
}

/** A plain text field until the editor has been loaded. */
function Text({ text, faults, change, onReady }: TextProps) {
  const host = useRef<HTMLDivElement>(null);
  const latestText = useRef(text);
  latestText.current = text;
  const [editor, setEditor] = useState<Editor | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const load = (): void => {
      void import("./editor.ts").then(({ edit }) => {
        if (!isCurrent || !host.current) return;
        const created = edit(host.current, {
          text: latestText.current,
          label: t("studio.file"),
          names: { pictures: data.pictures, games: [...data.games, ...data.published] },
          fixLabel: (word) => t("studio.use", { word }),
          onChange: change,
        });
        setEditor(created);
        onReady(created);
      });
    };
    // After the first paint.
    requestAnimationFrame(() => setTimeout(load));
    return () => {
      isCurrent = false;
    };
  }, []);
  useEffect(() => editor?.showFaults(faults), [editor, faults]);
  return (
    <div class="file">
      {!editor && (
        <textarea
          aria-label={t("studio.file")}
          spellcheck={false}
          value={text}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      <div class="code" ref={host} />
    </div>
  );
}

function Faults({ faults, editor }: { faults: readonly Fault[]; editor: Editor | null }) {
  if (faults.length === 0) return null;
  return (
    <ol class="faults">
      {faults.map((fault) => (
        <li key={`${fault.from} ${fault.message}`}>
          <button type="button" onClick={() => editor?.goTo(fault.from)}>
            {t("studio.line", { line: fault.line })}
          </button>{" "}
          <span lang="en">{fault.message}</span>{" "}
          {fault.suggestion && editor && (
            <button type="button" class="fix" onClick={() => editor.replace(fault.from, fault.to, fault.suggestion ?? "")}>
              {t("studio.use", { word: fault.suggestion })}
            </button>
          )}
        </li>
      ))}
    </ol>
  );
}

interface PublishProps {
  text: string;
  draft: Draft | null;
  valid: boolean;
  setDraft: (draft: Draft) => void;
}

/** Publishing a version, and the actions on it afterwards. */
function Publish({ text, draft, valid, setDraft }: PublishProps) {
  const [visibility, setVisibility] = useState<Visibility>(draft?.visibility ?? "unlisted");
  const [published, setPublished] = useState<Published | null>(null);
  const [fault, setFault] = useState("");
  const [isPending, setPending] = useState(false);
  if (!data.account) {
    return (
      <p class="notice">
        <a href="/login">{t("studio.sign_in")}</a>
      </p>
    );
  }
  const submit = async (): Promise<void> => {
    setPending(true);
    setFault("");
    try {
      const savedDraft = draft ?? (await createDraft(text));
      const published = await publish(text, visibility, savedDraft.id);
      setPublished(published);
      setDraft({ ...savedDraft, ...published, id: savedDraft.id, variant: published.id, visibility, source: text });
      history.replaceState(null, "", `/studio/${savedDraft.id}`);
    } catch (error) {
      setFault(error instanceof ApiError && error.problem.status !== 429 ? error.problem.detail : errorText(error));
    } finally {
      setPending(false);
    }
  };
  const id = published?.id ?? draft?.variant;
  return (
    <section class="publish panel">
      <Choices<Visibility>
        name="visibility"
        title={t("studio.visibility")}
        values={[
          ["private", t("studio.private")],
          ["unlisted", t("studio.unlisted")],
          ["public", t("studio.public")],
        ]}
        chosen={visibility}
        choose={setVisibility}
      >
        {visibility === "public" && <p class="hint">{data.listed_after}</p>}
      </Choices>
      <div class="buttons">
        <button class="button" type="button" disabled={!valid} aria-busy={isPending} onClick={() => !isPending && void submit()}>
          {t((draft?.version ?? 0) > 0 ? "studio.publish_again" : "studio.publish")}
        </button>
        {id && (
          <>
            <a class="button quiet" href={`/?game=${id}`}>
              {t("studio.play")}
            </a>
            <a class="button quiet" href={`/variants/${id}`}>
              {t("studio.page")}
            </a>
          </>
        )}
      </div>
      <p role="status">{published && t("studio.published", { version: published.version })}</p>
      <p class="fault" role="alert">
        {fault}
      </p>
    </section>
  );
}

type Pane = "text" | View;

interface WorkbenchProps {
  opened: Draft | null;
  source: string;
  /** The draft in this browser that it is. */
  local?: string | undefined;
  onLeave: () => void;
}

export function Workbench({ opened, source, local, onLeave }: WorkbenchProps) {
  const [text, setText] = useState(source);
  const [draft, setDraft] = useState(opened);
  const [editor, setEditor] = useState<Editor | null>(null);
  const [pane, setPane] = useState<Pane>("draw");
  const { faults, board, checking, problem, digest } = useValidation(text);
  const saved = useAutosave(text, draft, local, setDraft);
  // On a wide page the text is always there, beside the form.
  const view: View = pane === "text" ? "draw" : pane;
  // By the editor, where there is one: its history has each step.
  const draw = (changed: string): void => (editor ? editor.setText(changed) : setText(changed));
  const count = faults.length;
  const isValid = !checking && count === 0 && !problem;
  const status = checking
    ? t("studio.checking")
    : count === 0
      ? t("studio.valid")
      : count === 1
        ? t("studio.faults_one")
        : t("studio.faults", { count });
  return (
    <div class="workbench" data-pane={pane}>
      <div class="workbench-head">
        <button type="button" class="button quiet small" onClick={onLeave}>
          {t("studio.back")}
        </button>
        <p class={count > 0 ? "state bad" : "state"} role="status" data-checked={!checking}>
          {problem || status}
        </p>
        <p class="state soft">{saved}</p>
      </div>
      <div class="segments panes" role="radiogroup" aria-label={t("studio.view")}>
        {(["draw", "board", "pictures", "pieces", "rules", "text"] as const).map((one) => (
          <label key={one} data-pane={one}>
            <input type="radio" name="pane" checked={one === pane} onChange={() => setPane(one)} />
            {t(`studio.${one}`)}
          </label>
        ))}
      </div>
      <div class="preview">
        <Preview text={text} change={draw} board={board} view={view} isOutdated={!checking && count > 0} />
      </div>
      <div class="text-half">
        <Text text={text} faults={faults} change={setText} onReady={setEditor} />
        <Faults faults={faults} editor={editor} />
      </div>
      <Publish text={text} draft={draft} valid={isValid} setDraft={setDraft} />
      {data.account && digest && (
        <section class="panel balance">
          <h2>{t("measure.report")}</h2>
          {isMulti(board?.players) ? (
            <p class="hint">{t("measure.only_two")}</p>
          ) : (
            <>
              <p class="hint">{t("measure.lead")}</p>
              <Measure rules={digest} isChecked={isValid} report={`/variants/${digest}/report`} />
            </>
          )}
        </section>
      )}
    </div>
  );
}
