/** Actions on the move on the board: promote and delete its line, comment on it, annotate it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { useAnalysis } from "./hooks.ts";
import { MOVE_NAGS, POSITION_NAGS, POSITION_NAGS_OF_FOUR } from "./nags.ts";
import { t, type Text } from "./texts.ts";
import { isMain } from "./tree.ts";

export function Notes() {
  const analysis = useAnalysis();
  const { node } = analysis;
  const main = isMain(node);
  return (
    <section class="a-notes" aria-label={t("line_actions")}>
      <div class="a-tools">
        {!main && (
          <>
            <button type="button" class="a-tool" onClick={() => analysis.promote(node, false)}>
              {t("promote")}
            </button>
            <button type="button" class="a-tool" onClick={() => analysis.promote(node, true)}>
              {t("make_main")}
            </button>
          </>
        )}
        {node.parent && (
          <button type="button" class="a-tool" onClick={() => analysis.remove(node)}>
            {t("remove")}
          </button>
        )}
      </div>
      <Comment />
      <details class="a-glyphs">
        <summary>{t("glyphs")}</summary>
        <div role="group" aria-label={t("glyphs")}>
          {[MOVE_NAGS, analysis.isMulti ? POSITION_NAGS_OF_FOUR : POSITION_NAGS].map((group) =>
            group.map(([nag, text]) => (
              <button
                type="button"
                key={nag}
                title={t(`nag_${nag}` as Text)}
                aria-label={t(`nag_${nag}` as Text)}
                aria-pressed={node.nags.includes(nag)}
                disabled={!node.parent}
                onClick={() => analysis.toggleNag(nag, group.map(([id]) => id))}
              >
                {text}
              </button>
            )),
          )}
        </div>
      </details>
    </section>
  );
}

/** The comment; stored as it is typed. */
function Comment() {
  const analysis = useAnalysis();
  const { node } = analysis;
  const [text, setText] = useState(node.comments.join("\n"));
  // The comments in the text field: others may arrive while the user types.
  const editedComments = useRef<readonly string[]>(node.comments);
  const resetText = (): void => {
    editedComments.current = node.comments;
    setText(node.comments.join("\n"));
  };
  const field = useRef<HTMLTextAreaElement>(null);
  // Another move, or another user's comment.
  useEffect(() => {
    if (document.activeElement !== field.current || node.comments.length === 0) resetText();
  }, [node, node.comments]);
  return (
    <textarea
      id="a-comment"
      ref={field}
      rows={1}
      maxLength={1_000}
      aria-label={t("comment")}
      placeholder={t("comment_place")}
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value);
        editedComments.current = analysis.setComment(event.currentTarget.value, editedComments.current);
      }}
      onBlur={resetText}
    />
  );
}
