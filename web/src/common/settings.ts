/**
 * The user's preferences, stored by the browser and, for accounts, by the server. Not here: their controls (`frame`,
 * the account page).
 */
import { DURATION_MS } from "../board/animation.ts";
import { isSmallOnPhone } from "../board/small_squares.ts";
import { isSoundOn, onSoundChange, setSound } from "../board/sounds.ts";
import { load, store } from "../board/storage.ts";
import type { Board } from "../board/types.ts";
import { type Schemas, send } from "./api.ts";

export type Settings = Partial<Schemas["Settings"]>;

export const THEMES = ["auto", "light", "dark"] as const;
export const BOARDS = ["heather", "oak", "lake", "contrast"] as const;
export const PIECES = ["classic", "medallion"] as const;
export const ANIMATIONS = ["none", "fast", "normal", "slow"] as const;
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Theme = (typeof THEMES)[number];
export type BoardColors = (typeof BOARDS)[number];

export type PieceSet = (typeof PIECES)[number];
export type Animation = (typeof ANIMATIONS)[number];

/** The time of a piece's movement, in milliseconds. */
const ANIMATION_MS: Readonly<Record<Animation, number>> = { none: 0, fast: 110, normal: DURATION_MS, slow: 420 };

const SPRITES: Readonly<Record<PieceSet, string>> = { classic: "/pieces.svg", medallion: "/medallions.svg" };

const PIECE_SET = "lozenge.pieces";
const ANIMATION = "lozenge.animation";
const CONFIRM_MOVES = "lozenge.confirm-moves";
const ZEN = "lozenge.zen";
const THEME = "lozenge.theme";
const BOARD = "lozenge.board";
const CONFIRM = "lozenge.confirm";

function oneOf<T extends string>(names: readonly T[], value: string | null | undefined, fallback: T): T {
  return names.find((name) => name === value) ?? fallback;
}

export function theme(): Theme {
  return oneOf(THEMES, load(THEME), "auto");
}

export function boardColors(): BoardColors {
  return oneOf(BOARDS, load(BOARD), "heather");
}

export function pieceSet(): PieceSet {
  return oneOf(PIECES, load(PIECE_SET), "classic");
}

export function animation(): Animation {
  return oneOf(ANIMATIONS, load(ANIMATION), "normal");
}

/** The address of the chosen piece set. */
export const sprite = (): string => SPRITES[pieceSet()];

/** Whether a move on the board must be confirmed; by default where its squares are small. */
export function mustConfirmMoves(board: Pick<Board, "files" | "ranks"> | null): boolean {
  const chosen = load(CONFIRM_MOVES);
  return chosen === null ? board !== null && isSmallOnPhone(board) : chosen === "on";
}

/** Zen mode: during a game, and on the analysis board, the page shows little more than the board and the moves. */
export const isZen = (): boolean => load(ZEN) === "on";

export { isSoundOn };

/** Whether resigning and draw offers must be confirmed. */
export function mustConfirmActions(): boolean {
  return load(CONFIRM) !== "off";
}

export function setConfirmActions(on: boolean): void {
  store(CONFIRM, on ? "on" : "off");
}

export function setTheme(chosen: Theme): void {
  store(THEME, chosen);
  setThemeCookie(chosen);
  document.documentElement.dataset.theme = chosen;
}

/** So that the server renders the theme for visitors without an account. */
function setThemeCookie(chosen: Theme): void {
  const year = 365 * 24 * 3600;
  document.cookie = `lozenge_theme=${chosen}; Path=/; SameSite=Lax; Max-Age=${chosen === "auto" ? 0 : year}`;
}

export function setBoardColors(chosen: BoardColors): void {
  store(BOARD, chosen);
  applyToAllBoards();
}

function applyToAllBoards(): void {
  for (const board of document.querySelectorAll("loz-board")) applyToBoard(board);
}

export function setPieceSet(chosen: PieceSet): void {
  store(PIECE_SET, chosen);
  applyToAllBoards();
}

export function setAnimation(chosen: Animation): void {
  store(ANIMATION, chosen);
  applyToAllBoards();
}

export function setConfirmMoves(on: boolean): void {
  store(CONFIRM_MOVES, on ? "on" : "off");
}

export function setZen(on: boolean): void {
  store(ZEN, on ? "on" : "off");
  document.documentElement.toggleAttribute("data-zen", on);
}

export const toggleZen = (): void => setZen(!isZen());

export { setSound, onSoundChange };

/** Applies colors, piece set and animation speed to a board. */
export function applyToBoard(board: Element): void {
  board.setAttribute("theme", boardColors());
  board.setAttribute("sprite", sprite());
  if ("animation" in board) board.animation = ANIMATION_MS[animation()];
}

/** Applies the settings of the account, after signing in. */
export function applySettings(settings: Settings): void {
  if (settings.theme) setTheme(oneOf(THEMES, settings.theme, "auto"));
  if (settings.board) setBoardColors(oneOf(BOARDS, settings.board, "heather"));
  if (typeof settings.sound === "boolean") setSound(settings.sound);
  if (typeof settings.confirm === "boolean") setConfirmActions(settings.confirm);
  if (settings.pieces) setPieceSet(oneOf(PIECES, settings.pieces, "classic"));
  if (settings.animation) setAnimation(oneOf(ANIMATIONS, settings.animation, "normal"));
  if (typeof settings.confirm_moves === "boolean") setConfirmMoves(settings.confirm_moves);
}

/**
 * Saves a change on the server. Without a player there, the browser's storage is enough, except for the language
 * (`isRequired`), which the server needs.
 */
export async function saveSettings(change: Settings, isRequired = false): Promise<void> {
  const account = await send<Schemas["Account"]>("GET", "/api/account");
  if (!account.player && !isRequired) return;
  await send("PUT", "/api/account/settings", { ...account.settings, ...change });
}
