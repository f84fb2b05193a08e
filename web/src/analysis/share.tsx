/** FEN and PGN, in and out, and a link to the position. */
import { useState } from "preact/hooks";
import { MAX_PGN, type Schemas, send } from "../common/api.ts";
import { checkSize, errorText } from "../common/errors.ts";
import { copyText, pageData } from "../common/page.ts";
import { Dialog } from "../game/dialog.tsx";
import type { Analysis } from "./analysis.ts";
import { useAnalysis } from "./hooks.ts";
import { saveTree } from "./store.ts";
import { t } from "./texts.ts";
import { isMain, lineTo, pathOf, type WireTree } from "./tree.ts";

type ReadPgn = Schemas["ReadPgn"];
type ImportedGame = Schemas["ImportedGame"];

/** The address of a position. */
function addressOf(analysis: Analysis): string {
  const { game, tree } = analysis.start;
  const { node, root } = analysis;
  if (game && isMain(node)) return `${location.origin}/analysis/${game.id}#${lineTo(node).length}`;
  const query = new URLSearchParams({ variant: tree.variant, fen: root.fen, moves: pathOf(node).join(",") });
  return `${location.origin}/analysis?${query}`;
}

/** Moves of another game in the page's address would come before those of the game that was read. */
function removeMovesFromAddress(): void {
  const address = new URL(location.href);
  if (!address.searchParams.has("moves")) return;
  address.searchParams.delete("moves");
  history.replaceState(null, "", address);
}

/** The tree as PGN. */
export async function writePgn(analysis: Analysis): Promise<string> {
  const { variant, digest, fen, tags = [], notes, nodes } = analysis.serialize();
  // Names do not identify the games that users have made.
  const rules = variant.startsWith("~") ? [{ name: "VariantHash", value: digest }] : [];
  const body = { variant: analysis.rules, fen, tags: [...tags, ...rules], notes, nodes: nodes.map(({ parent, uci, notes }) => ({ parent, uci, notes })) };
  const response = await fetch("/api/pgn/write", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(((await response.json()) as Schemas["Problem"]).detail);
  return response.text();
}

export function Share({ close }: { close: () => void }) {
  const analysis = useAnalysis();
  const [fen, setFen] = useState(analysis.node.fen);
  const [pgn, setPgn] = useState("");
  const [read, setRead] = useState<ReadPgn | null>(null);
  const [imported, setImported] = useState<ImportedGame | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const handleSubmit = (work: () => Promise<void>) => async (event?: Event) => {
    event?.preventDefault();
    setFault(null);
    setRead(null);
    setImported(null);
    try {
      await work();
    } catch (error) {
      setFault(error instanceof Error && !("problem" in error) ? error.message : errorText(error));
    }
  };
  const setUp = handleSubmit(async () => {
    const { variant } = analysis.start.tree;
    // Refused with all faults if it is no position of the game.
    await send("POST", "/api/positions", { variant, fen });
    location.assign(`/analysis?${new URLSearchParams({ variant, fen })}`);
  });
  const readPgn = handleSubmit(async () => {
    checkSize(pgn, MAX_PGN);
    const answer = await send<ReadPgn>("POST", "/api/pgn/read", { pgn, variant: analysis.start.tree.variant });
    setRead(answer);
    if (!isSameStart(analysis, answer.tree)) return;
    analysis.importTree(answer.tree);
    removeMovesFromAddress();
    if (answer.faults.length === 0) close();
  });
  const importGame = handleSubmit(async () => {
    checkSize(pgn, MAX_PGN);
    const answer = await send<ImportedGame>("POST", "/api/games/import", { pgn, variant: analysis.start.tree.variant });
    setImported(answer);
    if (answer.faults.length === 0) location.assign(addressOfReview(answer));
  });
  return (
    <Dialog title={t("share_title")} close={close}>
      <form class="a-form" onSubmit={(event) => void setUp(event)}>
        <label for="a-fen">{t("fen")}</label>
        <input id="a-fen" type="text" spellcheck={false} value={fen} onInput={(event) => setFen(event.currentTarget.value)} />
        <button type="submit" class="g-button">{t("fen_set")}</button>
      </form>
      <form class="a-form" onSubmit={(event) => void readPgn(event)}>
        <label for="a-pgn">{t("pgn_read_label")}</label>
        <textarea id="a-pgn" rows={5} spellcheck={false} value={pgn} onInput={(event) => setPgn(event.currentTarget.value)} />
        <div class="a-tools">
          <button type="submit" class="g-button" disabled={pgn.trim() === ""}>{t("pgn_read")}</button>
          {!analysis.isMulti && (
            <button type="button" class="g-button" title={t("pgn_review_title")} disabled={pgn.trim() === ""} onClick={() => void importGame()}>
              {t("review_ask")}
            </button>
          )}
        </div>
      </form>
      {fault && <p class="g-problem" role="alert">{fault}</p>}
      {read && <ReadResult read={read} />}
      {imported && imported.faults.length > 0 && <ImportResult imported={imported} />}
      <div class="g-answers">
        <CopyButton label={t("pgn_copy")} text={() => writePgn(analysis)} />
        <CopyButton label={t("link")} text={() => Promise.resolve(addressOf(analysis))} />
      </div>
    </Dialog>
  );
}

const isSameStart = (analysis: Analysis, tree: WireTree): boolean =>
  tree.digest === analysis.start.tree.digest && tree.fen === analysis.root.fen;

/** Explains why a PGN does not fit the board: another variant, by its name if known, or another starting position. */
export function mismatchText(board: WireTree, read: WireTree, games: readonly Schemas["GameName"][]): string {
  if (read.digest === board.digest) return t("pgn_other");
  // Another version of the same game of a user has the same name.
  if (read.variant === board.variant) return t("pgn_other_rules");
  const name = games.find(({ id }) => id === read.variant)?.name ?? read.tags?.find((tag) => tag.name === "Variant")?.value;
  return name === undefined ? t("pgn_other_rules") : t("pgn_other_game", { game: name });
}

const addressOfReview = ({ id }: ImportedGame): string => `/analysis/${id}#review`;

/** How much was read, and everything that is wrong with it. */
function Faults({ count, faults }: { count: number; faults: ReadPgn["faults"] }) {
  return (
    <>
      <p>{t("pgn_done", { count })}</p>
      {faults.length > 0 && (
        <>
          <p>{t("pgn_faults", { count: faults.length })}</p>
          <ul class="a-faults" tabIndex={0}>
            {faults.map(({ line, column, message }) => (
              <li key={`${line},${column}`}>{t("pgn_fault", { line, column, message })}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** A game that was imported although not all of it could be read. */
function ImportResult({ imported }: { imported: ImportedGame }) {
  return (
    <div role="status">
      <Faults count={imported.plies} faults={imported.faults} />
      {imported.plies > 0 && <p><a class="g-button g-good" href={addressOfReview(imported)}>{t("review_ask")}</a></p>}
    </div>
  );
}

/** The game that was read, with all its faults; a game with another start opens on a board of its own. */
function ReadResult({ read: { tree, faults } }: { read: ReadPgn }) {
  const analysis = useAnalysis();
  const open = async (): Promise<void> => {
    await saveTree(`${tree.digest} ${tree.fen}`, tree, []);
    location.assign(`/analysis?${new URLSearchParams({ variant: tree.variant, fen: tree.fen })}`);
  };
  return (
    <div role="status">
      <Faults count={tree.nodes.length} faults={faults} />
      {!isSameStart(analysis, tree) && (
        <p>
          {mismatchText(analysis.start.tree, tree, pageData<Schemas["GameName"][]>("variants"))}{" "}
          <button type="button" class="g-button g-good" onClick={() => void open()}>{t("pgn_open")}</button>
        </p>
      )}
    </div>
  );
}

export function CopyButton({ label, text }: { label: string; text: () => Promise<string> }) {
  const [copied, setCopied] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    try {
      if (!(await copyText(await text()))) return;
      setCopied(true);
      setTimeout(() => setCopied(false), 2_500);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <button type="button" class="g-button" onClick={() => void copy()}>
        <span aria-live="polite">{copied ? t("copied") : label}</span>
      </button>
      {fault && <p class="g-problem" role="alert">{fault}</p>}
    </>
  );
}
