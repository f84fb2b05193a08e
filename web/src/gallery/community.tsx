/** Feedback on a game that a user has made: likes, comments, reports. */
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Schemas, send } from "../common/api.ts";
import { errorText } from "../common/errors.ts";
import { pageData } from "../common/page.ts";
import { addTexts, t } from "../common/texts.ts";
import { Measure, type Measurement } from "./measure.tsx";

addTexts({
  "community.like": "Like",
  "community.liked": "Liked",
  "community.edit": "Edit in the studio",
  "community.report": "Report",
  "community.reason": "What is wrong with this game?",
  "community.reason_comment": "What is wrong with this comment?",
  "community.reported": "Thank you. The host of this site can now read your report.",
  "community.comments": "Comments",
  "community.none": "No comments yet.",
  "community.write": "Your comment",
  "community.send": "Send",
  "community.delete": "Delete",
  "community.sign_in": "Sign in to like and to comment.",
  "community.older": "Older comments",
});

interface Data {
  id: string;
  liked: boolean;
  likes: number;
  account: boolean;
  draft: string | null;
  digest: string;
  /** Whether the engine can measure the game. */
  measurable: boolean;
  measurement: Measurement | null;
}

type Comment = Schemas["VariantComment"];

const data = pageData<Data>("community-data");
const path = `/api/variants/${data.id}`;
/** Comments of one answer. */
const PAGE_SIZE = 50;

async function report(reason: string | null, comment?: string): Promise<string> {
  if (!reason?.trim()) return "";
  await send("POST", `${path}/report`, comment ? { reason, comment } : { reason });
  return t("community.reported");
}

function Bar() {
  const [liked, setLiked] = useState(data.liked);
  const [likes, setLikes] = useState(data.likes);
  const [message, setMessage] = useState("");
  const failed = (error: unknown) => setMessage(errorText(error));
  const like = (): void => {
    send(liked ? "DELETE" : "PUT", `${path}/like`).then(() => {
      setLikes(likes + (liked ? -1 : 1));
      setLiked(!liked);
    }, failed);
  };
  return (
    <p class="community-bar">
      {data.account && (
        <>
          <button class="button quiet small" type="button" aria-pressed={liked} onClick={like}>
            {t(liked ? "community.liked" : "community.like")} {likes > 0 && likes}
          </button>
          {data.draft ? (
            <a class="button quiet small" href={`/studio/${data.draft}`}>
              {t("community.edit")}
            </a>
          ) : (
            <button
              class="button quiet small"
              type="button"
              onClick={() => void report(prompt(t("community.reason"))).then(setMessage, failed)}
            >
              {t("community.report")}
            </button>
          )}
        </>
      )}
      <span role="status">{message}</span>
    </p>
  );
}

function Comments() {
  const [comments, setComments] = useState<readonly Comment[]>([]);
  const [hasMore, setHasMore] = useState(false);
  const [text, setText] = useState("");
  const [message, setMessage] = useState("");
  const failed = (error: unknown) => setMessage(errorText(error));
  const load = (before?: number): void => {
    send<Comment[]>("GET", `${path}/comments${before ? `?before=${before}` : ""}`).then((older) => {
      setComments((previous) => [...previous, ...older]);
      setHasMore(older.length === PAGE_SIZE);
    }, failed);
  };
  useEffect(() => load(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    send<Comment>("POST", `${path}/comments`, { text }).then((added) => {
      setComments((previous) => [added, ...previous]);
      setText("");
      setMessage("");
    }, failed);
  };
  const remove = (id: string): void => {
    send("DELETE", `${path}/comments/${id}`).then(
      () => setComments((previous) => previous.filter((comment) => comment.id !== id)),
      failed,
    );
  };
  const last = comments[comments.length - 1];
  return (
    <>
      <h2>{t("community.comments")}</h2>
      {data.account ? (
        <form class="comment-form" onSubmit={submit}>
          <label for="comment">{t("community.write")}</label>
          <textarea id="comment" rows={3} maxLength={2000} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
          <div class="buttons">
            <button class="button small" type="submit">
              {t("community.send")}
            </button>
          </div>
        </form>
      ) : (
        <p class="hint">
          <a href="/login">{t("community.sign_in")}</a>
        </p>
      )}
      <p class="fault" role="status">
        {message}
      </p>
      {comments.length === 0 && <p class="soft">{t("community.none")}</p>}
      <ol class="comments">
        {comments.map((comment) => (
          <li key={comment.id}>
            <p class="from">
              {comment.author_kind === "guest" ? (
                comment.author
              ) : (
                <a href={`/player/${encodeURIComponent(comment.author)}`}>{comment.author}</a>
              )}{" "}
              · {new Date(comment.at).toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" })}
              {comment.removable && (
                <button type="button" onClick={() => remove(comment.id)}>
                  {t("community.delete")}
                </button>
              )}
              {data.account && !comment.removable && (
                <button
                  type="button"
                  onClick={() => void report(prompt(t("community.reason_comment")), comment.id).then(setMessage, failed)}
                >
                  {t("community.report")}
                </button>
              )}
            </p>
            <p class="comment">{comment.text}</p>
          </li>
        ))}
      </ol>
      {hasMore && last && (
        <button class="button quiet" type="button" onClick={() => load(last.at)}>
          {t("community.older")}
        </button>
      )}
    </>
  );
}

function Balance() {
  return (
    <>
      <h2>{t("measure.report")}</h2>
      {data.measurable ? (
        <>
          <p class="hint">{t("measure.lead")}</p>
          <Measure rules={data.digest} first={data.measurement} report={`/variants/${data.id}/report`} />
        </>
      ) : (
        <p class="hint">{t("measure.only_two")}</p>
      )}
    </>
  );
}

const balance = document.getElementById("balance");
if (balance && (data.account || data.measurement)) render(<Balance />, balance);
const bar = document.getElementById("community-bar");
if (bar) render(<Bar />, bar);
const root = document.getElementById("community");
if (root) render(<Comments />, root);
