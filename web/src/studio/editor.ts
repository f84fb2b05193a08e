/**
 * The editor: CodeMirror in a shadow root, where the content security policy lets it add its styles. Loaded after the
 * page, which begins with a plain text field.
 */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { completions, type Names } from "./complete.ts";
import type { Fault } from "./model.ts";

const theme = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--surface)", height: "100%", fontSize: "0.9375rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--accent)", padding: "0.5rem 0" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--soft)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--chosen) 55%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--chosen)" },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "var(--r1)",
    maxWidth: "28rem",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "0.875rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.2rem 0.5rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--chosen)", color: "var(--ink)" },
  ".cm-completionDetail": { fontStyle: "normal", fontFamily: "var(--sans)", color: "var(--soft)" },
  ".cm-diagnostic": { padding: "0.4rem 0.6rem", fontFamily: "var(--sans)" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--bad)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    borderRadius: "var(--r1)",
    padding: "0.2rem 0.6rem",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textDecorationSkipInk: "none",
  },
});

const highlight = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--link)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.atom, tags.bool], color: "var(--accent)", fontWeight: "600" },
  { tag: tags.number, color: "var(--accent)" },
]);

/**
 * Typing over a selection is done here: the browser would give the new text the color of the old one by a style attribute,
 * which the content security policy refuses.
 */
const replaceSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== "insertText" || !data || empty || view.composing || view.state.selection.ranges.length > 1) return false;
    const insert = () =>
      view.state.update({
        changes: { from, to, insert: data },
        selection: { anchor: from + data.length },
        scrollIntoView: true,
        userEvent: "input.type",
      });
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

export interface Editor {
  /** Replaces the text where it differs; the history stays. */
  setText: (text: string) => void;
  showFaults: (faults: readonly Fault[]) => void;
  goTo: (offset: number) => void;
  /** Changes a part of the text. */
  replace: (from: number, to: number, insert: string) => void;
}

interface Options {
  text: string;
  label: string;
  names: Names;
  fixLabel: (word: string) => string;
  onChange: (text: string) => void;
}

/** Puts an editor into an element. */
export function edit(host: HTMLElement, { text, label, names, fixLabel, onChange }: Options): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      replaceSelection,
      lintGutter(),
      // Comments are there to be read: none is cut at the edge.
      EditorView.lineWrapping,
      StreamLanguage.define(toml),
      syntaxHighlighting(highlight),
      autocompletion({ override: [completions(names)], icons: false }),
      // The Tab key leaves the editor, as everywhere on the page: a variant file needs no indentation.
      keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ "aria-label": label }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
      theme,
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  // It scrolls by the arrow keys, too.
  view.scrollDOM.tabIndex = 0;
  const replace = (from: number, to: number, insert: string): void => view.dispatch({ changes: { from, to, insert } });
  return {
    replace,
    setText: (changed) => {
      const current = view.state.doc.toString();
      if (current === changed) return;
      let from = 0;
      while (from < current.length && from < changed.length && current[from] === changed[from]) from += 1;
      let end = 0;
      const maxCommon = Math.min(current.length, changed.length) - from;
      while (end < maxCommon && current[current.length - 1 - end] === changed[changed.length - 1 - end]) end += 1;
      replace(from, current.length - end, changed.slice(from, changed.length - end));
    },
    showFaults: (faults) => {
      const { length } = view.state.doc;
      const diagnostics = faults.map((fault): Diagnostic => {
        const from = Math.min(fault.from, length);
        const to = Math.min(Math.max(fault.to, from), length);
        const { suggestion } = fault;
        const actions = suggestion
          ? [{ name: fixLabel(suggestion), apply: (_: EditorView, start: number, stop: number) => replace(start, stop, suggestion) }]
          : [];
        return { from, to, severity: "error", message: fault.message, actions };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    goTo: (offset) => {
      const at = Math.min(offset, view.state.doc.length);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
  };
}
