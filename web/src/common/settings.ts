/**
 * What somebody likes: remembered in the browser for everybody, and by the server for whoever it knows.
 * Not here: how it is chosen (`frame`, the account's page).
 */
import { remember, remembered, setSound, soundOn, watchSound } from "../board/sounds.ts";
import { type Schemas, send } from "./api.ts";

export type Settings = Partial<Schemas["Settings"]>;

export const THEMES = ["auto", "light", "dark"] as const;
export const BOARDS = ["heather", "oak", "lake", "contrast"] as const;
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Theme = (typeof THEMES)[number];
export type BoardColors = (typeof BOARDS)[number];

const THEME = "lozenge.theme";
const BOARD = "lozenge.board";
const CONFIRM = "lozenge.confirm";

function oneOf<T extends string>(names: readonly T[], found: string | null | undefined, otherwise: T): T {
  return names.find((name) => name === found) ?? otherwise;
}

export function theme(): Theme {
  return oneOf(THEMES, remembered(THEME), "auto");
}

export function boardColors(): BoardColors {
  return oneOf(BOARDS, remembered(BOARD), "heather");
}

export { soundOn };

/** Whether resigning and offering a draw take a second press. */
export function confirms(): boolean {
  return remembered(CONFIRM) !== "off";
}

export function setConfirms(on: boolean): void {
  remember(CONFIRM, on ? "on" : "off");
}

export function setTheme(chosen: Theme): void {
  remember(THEME, chosen);
  tellServer(chosen);
  document.documentElement.dataset.theme = chosen;
}

/** For whoever has no account: so that pages come in these colors from their first line on. */
function tellServer(chosen: Theme): void {
  const year = 365 * 24 * 3600;
  document.cookie = `lozenge_theme=${chosen}; Path=/; SameSite=Lax; Max-Age=${chosen === "auto" ? 0 : year}`;
}

export function setBoardColors(chosen: BoardColors): void {
  remember(BOARD, chosen);
  for (const board of document.querySelectorAll("loz-board")) dress(board);
}

export { setSound, watchSound };

/** Gives a board the chosen colors. */
export function dress(board: Element): void {
  board.setAttribute("theme", boardColors());
}

/** Takes over what the server remembers, after signing in. */
export function adopt(settings: Settings): void {
  if (settings.theme) setTheme(oneOf(THEMES, settings.theme, "auto"));
  if (settings.board) setBoardColors(oneOf(BOARDS, settings.board, "heather"));
  if (typeof settings.sound === "boolean") setSound(settings.sound);
  if (typeof settings.confirm === "boolean") setConfirms(settings.confirm);
}

/**
 * Lets the server remember a change. It knows nothing of somebody who has not done anything yet, and
 * need not for what the browser remembers itself; a language it must know (`always`).
 */
export async function keep(change: Settings, always = false): Promise<void> {
  const account = await send<Schemas["Account"]>("GET", "/api/account");
  if (!account.player && !always) return;
  await send("PUT", "/api/account/settings", { ...account.settings, ...change });
}
