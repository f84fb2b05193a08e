/**
 * Completion: keys of the tables of a variant file, words that values have, and the letters of Betza notation. The keys are in
 * `keys.json`, of which `docs/variants/reference.md` is made, too.
 */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Schemas } from "../common/api.ts";
import { t } from "../common/texts.ts";
import { tables, values } from "./keys.json";

/** A key of a table: the key of its sentence, what is typed after it, and for a table of its own its header. */
interface Key {
  key: string;
  detail?: string;
  rest?: string;
  header?: string;
}

/** Keys by table. Those without a sentence stand within a line. */
const KEYS: Readonly<Record<string, readonly Key[]>> = tables;
const GROUP: Key = { key: "moves", detail: "key.table_group", rest: "\n", header: "[[roles.X.moves]]" };

/** A word with the key of its sentence. */
type KeyValue = readonly string[];

/** The words that values can be, by key. */
const KEY_VALUES: Readonly<Record<string, readonly KeyValue[]>> = values;

const BETZA: readonly KeyValue[] = [
  ["K", "betza.king"],
  ["W", "betza.wazir"],
  ["F", "betza.ferz"],
  ["N", "betza.knight"],
  ["D", "betza.dabbaba"],
  ["A", "betza.alfil"],
  ["H", "betza.threeleaper"],
  ["C", "betza.camel"],
  ["Z", "betza.zebra"],
  ["G", "betza.tripper"],
  ["R", "betza.rook"],
  ["B", "betza.bishop"],
  ["Q", "betza.queen"],
  ["(3,1)", "betza.leap"],
  ["m", "betza.only_move"],
  ["c", "betza.only_capture"],
  ["i", "betza.initial"],
  ["f", "betza.forward"],
  ["b", "betza.backward"],
  ["l", "betza.left"],
  ["r", "betza.right"],
  ["s", "betza.sideways"],
  ["v", "betza.vertical"],
  ["h", "betza.half"],
  ["n", "betza.lame"],
  ["j", "betza.jump"],
  ["pR", "betza.hopper"],
  ["gQ", "betza.grasshopper"],
  ["zR", "betza.crooked"],
  ["[F?fR]", "betza.bent"],
];

/** The pictures and games that a file can name. */
export interface Names {
  pictures: readonly string[];
  games: readonly Schemas["GameName"][];
}

/**
 * The name of the table that a position is in: `roles` for `[roles.K]`, `group` for `[[roles.K.moves]]`; empty above all
 * tables.
 */
export function tableAt(text: string, offset: number): string {
  let table = "";
  let quoted = false;
  for (const line of text.slice(0, offset).split("\n").slice(0, -1)) {
    const header = quoted ? null : /^\s*\[\[?\s*([\w-]+)(?:\s*\.\s*[\w-]+\s*\.\s*(moves))?/.exec(line);
    if (header) table = header[2] ? "group" : (header[1] ?? "");
    if ((line.match(/"""|'''/g) ?? []).length % 2 === 1) quoted = !quoted;
  }
  return table;
}

interface CompletionsAt {
  from: number;
  options: Completion[];
  /** Whether they are letters of Betza notation, each of which may be followed by any other. */
  isNotation?: boolean;
}

/** The completions at a position: where the replaced text begins, and the choices. */
export function completionsAt(text: string, offset: number, names: Names): CompletionsAt | null {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(start, offset);
  const value = /([\w-]+)\s*=\s*"([^"]*)$/.exec(before);
  if (value) {
    const [, key = "", typed = ""] = value;
    const toCompletions = (words: readonly KeyValue[], type: string): Completion[] =>
      words.map(([label = "", text = ""]) => ({ label, detail: t(text), type }));
    if (key === "moves" || key === "betza") {
      return { from: offset, options: toCompletions(BETZA, "function"), isNotation: true };
    }
    const from = offset - typed.length;
    if (key === "picture") return { from: from + typed.lastIndexOf("+") + 1, options: names.pictures.map((label) => ({ label, type: "constant" })) };
    if (key === "extends") {
      return { from, options: names.games.map(({ id, name }) => ({ label: id, detail: name, type: "constant" })) };
    }
    return KEY_VALUES[key] ? { from, options: toCompletions(KEY_VALUES[key], "constant") } : null;
  }
  const word = /^\s*([\w[.\]-]*)$/.exec(before);
  if (!word || isInMultilineString(text, start)) return null;
  const table = tableAt(text, offset);
  const from = offset - (word[1] ?? "").length;
  // The keys of the table come first.
  const toCompletions = (keys: readonly Key[], boost: number): Completion[] =>
    keys.flatMap(({ key, detail, rest = "", header: label = key }) =>
      detail ? [{ label, apply: label + rest, detail: t(detail), type: "property", boost }] : [],
    );
  const atTop = tables.file.filter((key) => !("header" in key));
  const headers = tables.file.filter((key) => "header" in key);
  const own = table === "" ? atTop : table === "roles" ? [GROUP, ...tables.roles] : (KEYS[table] ?? []);
  return { from, options: [...toCompletions(own, 1), ...toCompletions(headers, 0)] };
}

/** Whether a line begins within a text of several lines. */
function isInMultilineString(text: string, offset: number): boolean {
  return (text.slice(0, offset).match(/"""|'''/g) ?? []).length % 2 === 1;
}

export function completions(names: Names): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const result = completionsAt(context.state.doc.toString(), context.pos, names);
    if (!result) return null;
    const typed = context.pos > result.from;
    const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
    if (!typed && !context.explicit && !/["A-Za-z+]/.test(before)) return null;
    const { from, options, isNotation } = result;
    return isNotation ? { from, options, filter: false } : { from, options, validFor: /^[\w+[.\]-]*$/ };
  };
}
