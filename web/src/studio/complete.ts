/** Completion: keys of the tables of a variant file, words that values have, and the letters of Betza notation. */
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { t } from "../common/texts.ts";

/** Keys by table, each with the key of its sentence and what is typed after it. */
const QUOTED = ' = ""';
type Key = readonly [name: string, text: string, rest?: string];

const TOP: readonly Key[] = [
  ["id", "key.id", QUOTED],
  ["name", "key.name", QUOTED],
  ["aliases", "key.aliases", " = []"],
  ["author", "key.author", QUOTED],
  ["year", "key.year", " = "],
  ["source", "key.source", QUOTED],
  ["about", "key.about", ' = """\n\n"""'],
  ["readings", "key.readings", " = []"],
  ["extends", "key.extends", QUOTED],
];
const TABLES: readonly Key[] = [
  ["[board]", "key.table_board", "\n"],
  ["[roles.X]", "key.table_role", "\n"],
  ["[start]", "key.table_start", "\n"],
  ["[shuffle]", "key.table_shuffle", "\n"],
  ["[[promotion]]", "key.table_promotion", "\n"],
  ["[[goal]]", "key.table_goal", "\n"],
  ["[[castling]]", "key.table_castling", "\n"],
  ["[draws]", "key.table_draws", "\n"],
  ["[regions]", "key.table_regions", "\n"],
  ["[distance]", "key.table_distance", "\n"],
  ["[fusion]", "key.table_fusion", "\n"],
  ["[options]", "key.options", "\n"],
];
const KEYS: Readonly<Record<string, readonly Key[]>> = {
  board: [
    ["squares", "key.squares", ' = """\n\n"""'],
    ["wrap", "key.wrap", QUOTED],
    ["view", "key.view", QUOTED],
    ["symmetry", "key.symmetry", QUOTED],
    ["forward", "key.forward", " = { white = [0, 1], black = [0, -1] }"],
  ],
  roles: [
    ["[[roles.X.moves]]", "key.table_group", "\n"],
    ["name", "key.name", QUOTED],
    ["picture", "key.picture", QUOTED],
    ["moves", "key.moves", QUOTED],
    ["royal", "key.royal", " = true"],
    ["pawn", "key.pawn", " = true"],
    ["en_passant", "key.en_passant", " = true"],
    ["wall", "key.wall", QUOTED],
  ],
  group: [
    ["betza", "key.betza", QUOTED],
    ["on", "key.on", QUOTED],
    ["edge", "key.edge", QUOTED],
    ["gain", "key.gain", QUOTED],
    ["free", "key.free", " = 0"],
  ],
  start: [
    ["fen", "key.fen", QUOTED],
    ["name", "key.name", QUOTED],
  ],
  promotion: [
    ["pieces", "key.pieces", QUOTED],
    ["on", "key.on", QUOTED],
    ["to", "key.to", QUOTED],
    ["color", "key.color", QUOTED],
  ],
  goal: [
    ["pieces", "key.pieces", QUOTED],
    ["on", "key.on", QUOTED],
    ["color", "key.color", QUOTED],
  ],
  castling: [
    ["color", "key.color", QUOTED],
    ["name", "key.castling_name", QUOTED],
    ["king", "key.king", QUOTED],
    ["rook", "key.rook", QUOTED],
    ["piece", "key.piece", QUOTED],
    ["right", "key.right", QUOTED],
    ["out_of_check", "key.out_of_check", " = true"],
    ["through_check", "key.through_check", " = true"],
  ],
  draws: [
    ["repetition", "key.repetition", " = [3, 5]"],
    ["moves", "key.draw_moves", " = [50, 75]"],
    ["stalemate", "key.stalemate", QUOTED],
    ["dead", "key.dead", ' = ["K v K"]'],
  ],
  distance: [
    ["from", "key.from", QUOTED],
    ["free", "key.free", " = 0"],
  ],
};

type KeyValue = readonly [word: string, text: string];

/** The words that values can be, by key. */
const KEY_VALUES: Readonly<Record<string, readonly KeyValue[]>> = {
  wrap: [
    ["none", "word.wrap_none"],
    ["files", "word.wrap_files"],
    ["ranks", "word.wrap_ranks"],
    ["both", "word.wrap_both"],
  ],
  view: [
    ["square", "word.view_square"],
    ["diamond", "word.view_diamond"],
  ],
  symmetry: [
    ["turn", "word.turn"],
    ["mirror-ranks", "word.mirror_ranks"],
    ["mirror-files", "word.mirror_files"],
    ["mirror-rising", "word.mirror_rising"],
    ["mirror-falling", "word.mirror_falling"],
  ],
  stalemate: [
    ["draw", "word.stalemate_draw"],
    ["loss", "word.stalemate_loss"],
    ["win", "word.stalemate_win"],
  ],
  color: [
    ["white", "studio.white"],
    ["black", "studio.black"],
  ],
  gain: [
    ["any-gain", "word.any_gain"],
    ["most-gain", "word.most_gain"],
    ["level", "word.level"],
  ],
  edge: [
    ["f", "betza.forward"],
    ["b", "betza.backward"],
    ["l", "betza.left"],
    ["r", "betza.right"],
    ["fl", "word.forward_left"],
    ["fr", "word.forward_right"],
    ["bl", "word.backward_left"],
    ["br", "word.backward_right"],
  ],
};

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
  games: readonly (readonly [id: string, name: string])[];
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
      words.map(([label, text]) => ({ label, detail: t(text), type }));
    if (key === "moves" || key === "betza") {
      return { from: offset, options: toCompletions(BETZA, "function"), isNotation: true };
    }
    const from = offset - typed.length;
    if (key === "picture") return { from: from + typed.lastIndexOf("+") + 1, options: names.pictures.map((label) => ({ label, type: "constant" })) };
    if (key === "extends") {
      return { from, options: names.games.map(([label, detail]) => ({ label, detail, type: "constant" })) };
    }
    return KEY_VALUES[key] ? { from, options: toCompletions(KEY_VALUES[key], "constant") } : null;
  }
  const word = /^\s*([\w[.\]-]*)$/.exec(before);
  if (!word || isInMultilineString(text, start)) return null;
  const table = tableAt(text, offset);
  const from = offset - (word[1] ?? "").length;
  // The keys of the table come first.
  const toCompletions = (keys: readonly Key[], boost: number): Completion[] =>
    keys.map(([label, name, rest = ""]) => ({ label, apply: label + rest, detail: t(name), type: "property", boost }));
  return { from, options: [...toCompletions(table === "" ? TOP : (KEYS[table] ?? []), 1), ...toCompletions(TABLES, 0)] };
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
