/**
 * A study that is open: its chapter as the server has confirmed it, the edits that wait for their answer, and the analysis
 * board that shows both. Not here: the screen, and what an edit does.
 */
import { Analysis, type Recorder } from "../analysis/analysis.ts";
import { depthFirst, follow, fromWire, pathOf, type Step, type TreeNode } from "../analysis/tree.ts";
import type { Board } from "../board/types.ts";
import { type Schemas, send } from "../common/api.ts";
import { errorText, problemText } from "../common/errors.ts";
import type { LinkStatus } from "../common/socket.ts";
import { apply, copy, type SharedTree, sync, type TreeEdit } from "./edits.ts";
import { StudyConnection, type StudyEvent } from "./connection.ts";
import { leaveFollowed, Members, takeFollowed } from "./members.ts";
import { conceals, pathOfChapter } from "./names.ts";
import { Outbox } from "./outbox.ts";
import { t } from "./texts.ts";

export type Study = Schemas["Study"];
export type Start = Schemas["StudyStart"];
type Chapter = Schemas["Chapter"];

/** Wait after typing before the text is sent, in milliseconds. */
const TYPING_DEBOUNCE_MS = 400;
/** Wait after a temporary refusal, such as a rate limit, in milliseconds. */
const RETRY_MS = 2_000;
/** Show a warning if edits are not saved after this time. */
const UNSAVED_AFTER_MS = 1_500;

export class StudySession implements Recorder {
  readonly start: Start;
  readonly chapter: Chapter;
  readonly analysis: Analysis;
  study: Study;
  fault: string | null = null;
  /** Whether edits have waited for long. */
  isUnsaved = false;
  #confirmed: SharedTree;
  #seq: number;
  readonly #outbox: Outbox;
  readonly #connection: StudyConnection;
  /** The edits on their way. */
  #sent: Schemas["StudyEdits"] | null = null;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #unsavedTimer: ReturnType<typeof setTimeout> | undefined;
  /** The nodes that are, or were, in the study; all others are the reader's own. */
  readonly #sharedNodes = new WeakSet<TreeNode>();
  readonly members: Members;
  /** The last known position on the board, and whether it changes now without the reader. */
  #lastNode: TreeNode | null = null;
  #isMovedAlong = false;

  constructor(start: Start, chapter: Chapter, board: Board) {
    [this.start, this.chapter, this.study] = [start, chapter, start.study];
    const { tree } = chapter;
    const { variant_name, playing } = start;
    this.analysis = new Analysis({ variant_name, tree, at: [], playing }, board, this);
    this.#confirmed = { root: fromWire(tree), tags: tree.tags ?? [] };
    this.#seq = chapter.seq;
    this.#outbox = new Outbox(this.study.id);
    this.members = new Members(this.ownName, takeFollowed(this.study.id));
    this.#connection = new StudyConnection(() => `/api/studies/${this.study.id}/socket?after=${this.#seq}`, {
      event: (event) => this.#handle(event),
      status: (status) => {
        this.#sent = null;
        // Errors from the time without a connection are over with it.
        if (status === "open") {
          this.fault = null;
          this.analysis.onReconnected();
        }
        this.analysis.notify();
      },
      connecting: () => this.members.clear(),
    });
    this.#show();
    addEventListener("beforeunload", (event) => {
      this.#flush();
      // The edits are stored here, but others do not see them until this page is opened again.
      if (this.isUnsaved || this.#outbox.hasWaiting) event.preventDefault();
    });
  }

  async open(): Promise<void> {
    await this.analysis.open();
    this.#lastNode = this.analysis.node;
    this.analysis.subscribe(() => this.#onBoardChanged());
    this.#connection.start();
    // Members go on with their work where a connection is lost.
    if (!this.isReadOnly) void this.analysis.prepareOffline();
  }

  get status(): LinkStatus {
    return this.#connection.status;
  }

  get isReadOnly(): boolean {
    return !this.study.writable;
  }

  /** Whether this chapter's moves are for the reader to find; editors see them. */
  get isConcealed(): boolean {
    return this.isReadOnly && conceals(this.tags);
  }

  /** The name of the reader, if they are a member. */
  get ownName(): string | null {
    return (this.study.own ? this.study.owner : this.study.member) ?? null;
  }

  /** Shows the position of another member, until the reader goes elsewhere. */
  follow(name: string | null): void {
    this.members.following = name;
    this.analysis.announce(name === null ? "" : t("following", { name }));
    this.#moveAlong();
    this.analysis.notify();
  }

  #moveAlong(): void {
    const { following, followedPlace: place } = this.members;
    if (following === null || !place) return;
    if (place.chapter !== this.chapter.id) {
      if (!this.study.list.some(({ id }) => id === place.chapter)) return;
      leaveFollowed(this.study.id, following);
      location.assign(pathOfChapter(this.study.id, place.chapter));
      return;
    }
    // A move that has not arrived is followed when it does.
    this.#withoutReader(() => this.analysis.view(follow(this.analysis.root, place.path)));
  }

  #withoutReader(change: () => void): void {
    this.#isMovedAlong = true;
    change();
    this.#isMovedAlong = false;
  }

  /** Ends following when the reader moves, and reports where they are. */
  #onBoardChanged(): void {
    const { node } = this.analysis;
    if (node !== this.#lastNode && !this.#isMovedAlong) this.members.following = null;
    this.#lastNode = node;
    this.#reportPlace();
  }

  #reportPlace(): void {
    if (this.ownName === null || this.#connection.status !== "open") return;
    const place = { chapter: this.chapter.id, path: pathOf(this.analysis.node) };
    this.members.report(place, (place) => this.#connection.send({ type: "at", ...place }));
  }

  get tags(): Schemas["Tag"][] {
    return this.#shared().tags;
  }

  /** Number of the last edit that the page has seen. */
  get seq(): number {
    return this.#seq;
  }

  /** Takes an edit that was made on the board. */
  record(edit: TreeEdit, steps: readonly Step[] = []): void {
    if (this.isReadOnly) return;
    this.#outbox.add(this.chapter.id, { edit, steps });
    this.fault = null;
    clearTimeout(this.#flushTimer);
    this.#flushTimer = setTimeout(() => this.#flush(), edit.type === "set_comment" ? TYPING_DEBOUNCE_MS : 0);
    this.#updateUnsaved();
  }

  setTag(name: string, value: string): void {
    this.record({ type: "set_tag", name, value });
    this.analysis.notify();
  }

  /** Sets `isUnsaved` if edits have waited for long. */
  #updateUnsaved(): void {
    if (!this.#outbox.hasUnsent) {
      clearTimeout(this.#unsavedTimer);
      this.#unsavedTimer = undefined;
      this.isUnsaved = false;
      return;
    }
    this.#unsavedTimer ??= setTimeout(() => {
      this.isUnsaved = this.#outbox.hasUnsent;
      this.analysis.notify();
    }, UNSAVED_AFTER_MS);
  }

  #flush(): void {
    if (this.#sent || this.#connection.status !== "open") return;
    const edits = this.#outbox.next();
    if (edits && this.#connection.send({ type: "edit", ...edits })) this.#sent = edits;
  }

  #handle(event: StudyEvent): void {
    switch (event.type) {
      case "study":
        this.study = { ...event.study, name: this.start.study.name === this.study.name ? this.#displayName(event.study) : event.study.name };
        if (!this.study.list.some(({ id }) => id === this.chapter.id)) this.fault = t("chapter_gone");
        this.#reportPlace();
        break;
      case "edited":
        if (event.seq <= this.#seq) return;
        this.#seq = event.seq;
        if (event.chapter === this.chapter.id) apply(this.#confirmed, event);
        this.#outbox.confirm(this.#seq);
        this.#show();
        break;
      case "where":
        this.members.take(event);
        this.#moveAlong();
        this.analysis.notify();
        return;
      case "reload":
        void this.#reload();
        break;
      case "done":
        if (this.#sent) this.#outbox.markDone(this.#sent.client, event);
        if (event.refused[0]) this.fault = problemText(event.refused[0].problem);
        this.#outbox.confirm(this.#seq);
        this.#sent = null;
        this.#show();
        break;
      case "error":
        this.fault = problemText(event.problem);
        // Retrying does not help edits that the server does not understand; all others may be sent again.
        if (event.problem.status === 422 && this.#sent) this.#outbox.drop(this.#sent);
        this.#sent = null;
        clearTimeout(this.#flushTimer);
        this.#flushTimer = setTimeout(() => this.#flush(), RETRY_MS);
        this.#show();
        return;
      default:
        return;
    }
    this.#updateUnsaved();
    this.#flush();
    this.analysis.notify();
  }

  /** A translated study name stays until a member changes it. */
  #displayName(study: Study): string {
    return study.owner === null || study.owner === undefined ? this.study.name : study.name;
  }

  async #reload(): Promise<void> {
    try {
      const { tree, seq } = await send<Chapter>("GET", `/api/studies/${this.study.id}/chapters/${this.chapter.id}`);
      if (seq < this.#seq) return;
      this.#confirmed = { root: fromWire(tree), tags: tree.tags ?? [] };
      this.#seq = seq;
      this.#outbox.confirm(seq);
      this.#show();
    } catch (fault) {
      this.fault = errorText(fault);
    }
    this.analysis.notify();
  }

  /** The confirmed tree with the unconfirmed edits of this chapter. */
  #shared(): SharedTree {
    const pendingEdits = this.#outbox.all.filter(({ chapter }) => chapter === this.chapter.id);
    if (pendingEdits.length === 0) return this.#confirmed;
    const shared = copy(this.#confirmed);
    for (const edit of pendingEdits) apply(shared, edit);
    return shared;
  }

  #show(): void {
    const { root } = this.#shared();
    const { analysis } = this;
    const isOwn = (node: TreeNode): boolean => this.isReadOnly && !this.#sharedNodes.has(node);
    this.#withoutReader(() => analysis.change(() => sync(analysis.root, root, isOwn)));
    if (this.isReadOnly) this.#markShared(root);
    this.#moveAlong();
  }

  /** The nodes of the study are not the reader's own. */
  #markShared(root: TreeNode): void {
    const pairs: [TreeNode, TreeNode][] = [[this.analysis.root, root]];
    for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
      const [target, source] = pair;
      this.#sharedNodes.add(target);
      for (const child of source.children) {
        const existing = target.children.find(({ uci }) => uci === child.uci);
        if (existing) pairs.push([existing, child]);
      }
    }
  }

  /** Whether the tree has no moves. */
  get isEmpty(): boolean {
    return depthFirst(this.analysis.root).length === 0;
  }
}
